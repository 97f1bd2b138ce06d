#include "match/receipt.h"

#include "key_folder.h"
#include "match/service.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(receipt, .init = key_folder_enter, .fini = key_folder_leave);

static const char key[] = "4fa1c0de-7e57";

static struct receipt_claim claim_of(int64_t device_no, const char *operation, const char *with_key,
                                     const char *body)
{
    return (struct receipt_claim){
        .device_no = device_no,
        .operation = operation,
        .key = with_key,
        .key_length = strlen(with_key),
        .body = body,
        .body_length = body == NULL ? 0 : strlen(body),
    };
}

static struct match_receipt make(const struct secrets *secrets, struct receipt_claim claim)
{
    const struct match match = {.secrets = secrets};
    struct match_receipt receipt = {.render = NULL};
    match_receipt_make(&match, &claim, &receipt);
    return receipt;
}

static bool same_scope(const struct match_receipt *a, const struct match_receipt *b)
{
    bool same = memcmp(a->scope, b->scope, sizeof a->scope) == 0;
    cr_expect_eq(memcmp(a->seal_key, b->seal_key, sizeof a->seal_key) == 0, same,
                 "an answer is sealed for its scope");
    return same;
}

static bool same_print(const struct match_receipt *a, const struct match_receipt *b)
{
    return memcmp(a->print, b->print, sizeof a->print) == 0;
}

Test(receipt, a_key_belongs_to_its_device_operation_and_server)
{
    struct secrets *secrets = key_load(ONE_SLOT);
    struct secrets *others = key_load(FIRST_LINE "server " KEY_B "current 0 " KEY_A);
    struct match_receipt first = make(secrets, claim_of(7, "POST /a", key, "{}"));
    struct match_receipt again = make(secrets, claim_of(7, "POST /a", key, "{}"));
    cr_expect(same_scope(&first, &again) && same_print(&first, &again));
    const struct match_receipt different[] = {
        make(secrets, claim_of(8, "POST /a", key, "{}")),
        make(secrets, claim_of(7, "POST /b", key, "{}")),
        make(secrets, claim_of(7, "POST /a", "4fa1c0de-7e58", "{}")),
        make(secrets, claim_of(7, "POST /a4fa1c0de", "-7e57", "{}")),
        make(others, claim_of(7, "POST /a", key, "{}")),
    };
    for (size_t i = 0; i < sizeof different / sizeof different[0]; i++) {
        cr_expect_not(same_scope(&first, &different[i]), "%zu", i);
    }
    secrets_free(secrets);
    secrets_free(others);
}

Test(receipt, the_print_is_that_of_the_body)
{
    struct secrets *secrets = key_load(ONE_SLOT);
    struct match_receipt first = make(secrets, claim_of(7, "POST /a", key, "{}"));
    static const char *const bodies[] = {NULL, "{ }", "{}\n", "{\"a\":1}"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct match_receipt other = make(secrets, claim_of(7, "POST /a", key, bodies[i]));
        cr_expect(same_scope(&first, &other));
        cr_expect_not(same_print(&first, &other), "%zu", i);
    }
    secrets_free(secrets);
}

/* What it is used for is then in the print: nothing is repeated by another operation. */
Test(receipt, a_key_without_a_device_stands_alone)
{
    struct secrets *secrets = key_load(ONE_SLOT);
    struct match_receipt first = make(secrets, claim_of(0, "POST /a", key, "{}"));
    struct match_receipt other = make(secrets, claim_of(0, "POST /b", key, "{}"));
    struct match_receipt owned = make(secrets, claim_of(1, "POST /a", key, "{}"));
    cr_expect(same_scope(&first, &other));
    cr_expect_not(same_print(&first, &other));
    cr_expect_not(same_scope(&first, &owned));
    secrets_free(secrets);
}

/* --- seals --------------------------------------------------------------------------------------
 */

enum { ROOM = 300 };

Test(receipt, what_is_sealed_comes_back_under_its_key_only)
{
    static const size_t lengths[] = {0, 1, 15, 40, 41, 250};
    uint64_t seed = 11;
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct secrets *secrets = key_load(ONE_SLOT);
    uint8_t seal_key[SECRETS_SEAL_KEY_BYTES];
    uint8_t other_key[SECRETS_SEAL_KEY_BYTES];
    secrets_seal_key(secrets, "a", 1, seal_key);
    secrets_seal_key(secrets, "b", 1, other_key);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t plain[ROOM];
        uint8_t sealed[ROOM];
        uint8_t opened[ROOM];
        memset(plain, (int)i + 1, sizeof plain);
        memcpy(sealed, plain, sizeof plain);
        size_t length = secrets_seal(&env, seal_key, sealed, lengths[i]);
        cr_assert_eq(length, lengths[i] + SECRETS_SEAL_BYTES);
        memcpy(opened, sealed, sizeof sealed);
        cr_expect_not(secrets_unseal(other_key, opened, &length));
        cr_assert_eq(length, lengths[i] + SECRETS_SEAL_BYTES);
        cr_expect(secrets_unseal(seal_key, opened, &length));
        cr_expect_eq(length, lengths[i]);
        cr_expect_eq(memcmp(opened, plain, length), 0);
    }
    secrets_free(secrets);
}

Test(receipt, a_seal_that_was_touched_does_not_open)
{
    uint64_t seed = 11;
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct secrets *secrets = key_load(ONE_SLOT);
    uint8_t seal_key[SECRETS_SEAL_KEY_BYTES];
    uint8_t sealed[ROOM] = "the answer";
    secrets_seal_key(secrets, "a", 1, seal_key);
    size_t length = secrets_seal(&env, seal_key, sealed, 10);
    cr_expect_eq(memcmp(sealed, "the answer", 10) == 0, false);
    for (size_t i = 0; i <= length; i++) {
        uint8_t touched[ROOM];
        size_t count = i < length ? length : length - 1;
        memcpy(touched, sealed, sizeof touched);
        touched[i] ^= 1;
        cr_expect_not(secrets_unseal(seal_key, touched, &count), "byte %zu", i);
    }
    for (size_t count = 0; count < SECRETS_SEAL_BYTES; count++) {
        size_t cut = count;
        cr_expect_not(secrets_unseal(seal_key, sealed, &cut));
    }
    secrets_free(secrets);
}

Test(receipt, the_same_bytes_sealed_twice_look_different)
{
    uint64_t seed = 11;
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct secrets *secrets = key_load(ONE_SLOT);
    uint8_t seal_key[SECRETS_SEAL_KEY_BYTES];
    uint8_t sealed[2][ROOM] = {"the answer", "the answer"};
    secrets_seal_key(secrets, "a", 1, seal_key);
    size_t length = secrets_seal(&env, seal_key, sealed[0], 10);
    (void)secrets_seal(&env, seal_key, sealed[1], 10);
    cr_expect_neq(memcmp(sealed[0], sealed[1], length), 0);
    secrets_free(secrets);
}
