#include "store.h"

#include "db/receipts.h"

#include <criterion/criterion.h>
#include <string.h>

static struct db *db;

static void enter(void)
{
    store_enter();
    db = store_open();
}

static void leave(void)
{
    store_close(db);
    store_leave();
}

TestSuite(receipts, .init = enter, .fini = leave);

static struct db_receipt receipt_of(uint8_t scope, int64_t created_at_ms, size_t length)
{
    struct db_receipt receipt = {.created_at_ms = created_at_ms, .length = length};
    memset(receipt.scope, scope, sizeof receipt.scope);
    memset(receipt.print, 0x33, sizeof receipt.print);
    memset(receipt.answer, scope + 1, length);
    return receipt;
}

static int64_t number_of_receipts(void)
{
    return foreign_int(db->handle, "SELECT count(*) FROM receipt");
}

Test(receipts, one_comes_back_as_it_went_in)
{
    static const size_t lengths[] = {1, 100, DB_RECEIPT_ANSWER_MAX};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct db_receipt receipt = receipt_of((uint8_t)i, 7, lengths[i]);
        static struct db_receipt found;
        cr_assert_eq(db_receipt_find(db, receipt.scope, 0, &found), DB_NONE);
        cr_assert_eq(db_receipt_store(db, &receipt), DB_OK);
        cr_assert_eq(db_receipt_find(db, receipt.scope, 0, &found), DB_OK);
        cr_expect_eq(memcmp(found.scope, receipt.scope, sizeof found.scope), 0);
        cr_expect_eq(memcmp(found.print, receipt.print, sizeof found.print), 0);
        cr_expect_eq(found.device_no, 0);
        cr_expect_eq(found.created_at_ms, 7);
        cr_assert_eq(found.length, lengths[i]);
        cr_expect_eq(memcmp(found.answer, receipt.answer, found.length), 0);
    }
}

Test(receipts, one_of_a_device_has_no_answer)
{
    struct db_receipt receipt = receipt_of(1, 7, 0);
    struct db_receipt found;
    struct db_device device = {.id = {{"d_0123456789abcdefghjkmnpqrs"}},
                               .player_no = store_player(db, "aki")};
    cr_assert_eq(db_device_insert(db, &device), DB_OK);
    receipt.device_no = device.device_no + 1;
    cr_assert_eq(db_receipt_store(db, &receipt), DB_CONFLICT);
    receipt.device_no = device.device_no;
    cr_assert_eq(db_receipt_store(db, &receipt), DB_OK);
    cr_assert_eq(db_receipt_find(db, receipt.scope, 0, &found), DB_OK);
    cr_expect_eq(found.device_no, device.device_no);
    cr_expect_eq(found.length, 0);
    cr_assert_eq(db_device_load(db, device.device_no, &device), DB_OK);
    cr_expect_str_eq(device.id.id.text, "d_0123456789abcdefghjkmnpqrs");
    cr_expect_eq(db_device_load(db, device.device_no + 1, &device), DB_NONE);
}

Test(receipts, one_that_is_too_old_is_not_found_and_gives_way_to_a_new_one)
{
    struct db_receipt receipt = receipt_of(1, 10, 5);
    static struct db_receipt found;
    cr_assert_eq(db_receipt_store(db, &receipt), DB_OK);
    cr_expect_eq(db_receipt_find(db, receipt.scope, 9, &found), DB_OK);
    cr_expect_eq(db_receipt_find(db, receipt.scope, 10, &found), DB_NONE);
    receipt = receipt_of(1, 20, 3);
    cr_assert_eq(db_receipt_store(db, &receipt), DB_OK);
    cr_assert_eq(db_receipt_find(db, receipt.scope, 10, &found), DB_OK);
    cr_expect_eq(found.length, 3);
    cr_expect_eq(number_of_receipts(), 1);
}

Test(receipts, a_sweep_takes_some_of_the_oldest_and_none_that_is_young)
{
    for (int i = 0; i < DB_RECEIPTS_SWEPT + 4; i++) {
        struct db_receipt receipt = receipt_of((uint8_t)i, 100 - i, 1);
        cr_assert_eq(db_receipt_store(db, &receipt), DB_OK);
    }
    cr_assert_eq(db_receipts_sweep(db, 98), DB_OK);
    cr_expect_eq(number_of_receipts(), 4);
    cr_expect_eq(foreign_int(db->handle, "SELECT min(created_at_ms) FROM receipt"), 97);
    cr_assert_eq(db_receipts_sweep(db, 98), DB_OK);
    cr_expect_eq(foreign_int(db->handle, "SELECT min(created_at_ms) FROM receipt"), 99);
    cr_assert_eq(db_receipts_sweep(db, 98), DB_OK);
    cr_expect_eq(number_of_receipts(), 2);
}

Test(receipts, one_that_is_longer_than_any_answer_is_damage)
{
    struct db_receipt found = receipt_of(1, 7, 1);
    cr_assert_eq(db_receipt_store(db, &found), DB_OK);
    foreign_run(db->handle, "UPDATE receipt SET answer = zeroblob(32769)");
    cr_assert_eq(db_receipt_find(db, found.scope, 0, &found), DB_CORRUPT);
}
