#include "match/new_file.h"
#include "match/secrets.h"

#include "key_folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(secrets, .init = key_folder_enter, .fini = key_folder_leave);

static void expect_status(enum secrets_status expected, const char *what)
{
    struct secrets *secrets = NULL;
    enum secrets_status status = secrets_load(key_path(), false, NULL, &secrets);
    cr_expect_eq(status, expected, "%s: %s", what, secrets_status_text(status));
    cr_expect_null(secrets);
}

static void expect_malformed(const char *text)
{
    key_write(text, strlen(text), 0600);
    expect_status(SECRETS_MALFORMED, text);
}

Test(secrets, a_missing_key_file_is_made_only_where_asked)
{
    expect_status(SECRETS_MISSING, "no file");
    secrets_free(key_create(1));
    cr_expect_eq(access(key_path(), F_OK), 0);
}

Test(secrets, a_made_key_file_is_for_its_owner_alone_under_any_umask)
{
    (void)umask(0);
    secrets_free(key_create(1));
    struct stat facts;
    cr_assert_eq(stat(key_path(), &facts), 0);
    cr_expect_eq(facts.st_mode & 07777, 0600);
    cr_expect_eq(facts.st_nlink, 1);
}

Test(secrets, a_made_key_file_can_be_read_by_a_person)
{
    secrets_free(key_create(1));
    char text[512] = "";
    FILE *file = fopen(key_path(), "r");
    cr_assert_not_null(file);
    cr_expect_eq(fread(text, 1, sizeof text - 1, file), 14 + 7 + 65 + 10 + 65);
    (void)fclose(file);
    cr_expect_eq(strncmp(text, FIRST_LINE "server ", 21), 0);
    cr_expect_not_null(strstr(text, "\ncurrent 0 "));
}

Test(secrets, a_made_key_is_the_same_when_it_is_read_again)
{
    char made[DB_KEY_ID_TEXT];
    char read[DB_KEY_ID_TEXT];
    struct secrets *secrets = key_create(1);
    secrets_key_id(secrets, made);
    secrets_free(secrets);
    cr_assert_eq(secrets_load(key_path(), false, NULL, &secrets), SECRETS_OK);
    secrets_key_id(secrets, read);
    secrets_free(secrets);
    cr_expect_str_eq(made, read);
}

Test(secrets, an_existing_key_file_is_never_made_anew)
{
    char first[DB_KEY_ID_TEXT];
    char second[DB_KEY_ID_TEXT];
    struct secrets *secrets = key_create(1);
    secrets_key_id(secrets, first);
    secrets_free(secrets);
    secrets = key_create(2);
    secrets_key_id(secrets, second);
    secrets_free(secrets);
    cr_expect_str_eq(first, second);
    key_write("", 0, 0600);
    uint64_t seed = 3;
    struct match_env env = {.random = mixed_random, .context = &seed};
    cr_expect_eq(secrets_load(key_path(), true, &env, &secrets), SECRETS_MALFORMED);
}

Test(secrets, a_key_file_that_cannot_be_made_says_so)
{
    uint64_t seed = 1;
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct secrets *secrets = NULL;
    char path[DB_PATH_MAX + 8];
    (void)snprintf(path, sizeof path, "%s/no-such-folder/test.key", key_folder());
    cr_expect_eq(secrets_load(path, true, &env, &secrets), SECRETS_NOT_CREATED);
    cr_assert_eq(symlink("nowhere", key_path()), 0);
    cr_expect_eq(secrets_load(key_path(), true, &env, &secrets), SECRETS_NOT_CREATED);
    cr_expect_null(secrets);
}

/* What a start leaves that was killed before the key had its name, or while it had two. */
Test(secrets, the_draft_of_a_killed_start_goes_with_the_next_one)
{
    char draft[DB_PATH_MAX];
    struct stat facts;
    (void)snprintf(draft, sizeof draft, "%s.new", key_path());
    cr_assert_eq(symlink("nowhere", draft), 0);
    secrets_free(key_create(1));
    cr_expect_neq(lstat(draft, &facts), 0);
    cr_assert_eq(link(key_path(), draft), 0);
    secrets_free(key_create(2));
    cr_expect_neq(lstat(draft, &facts), 0);
    cr_assert_eq(stat(key_path(), &facts), 0);
    cr_expect_eq(facts.st_nlink, 1);
}

/* Of two databases with one key, at their first start. */
Test(secrets, while_one_makes_a_key_file_another_does_not)
{
    uint64_t seed = 1;
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct secrets *secrets = NULL;
    struct new_file other;
    cr_assert(new_file_begin(key_path(), &other));
    cr_expect_eq(secrets_load(key_path(), true, &env, &secrets), SECRETS_NOT_CREATED);
    new_file_end(&other);
    secrets_free(key_create(1));
}

Test(secrets, a_key_file_is_made_in_the_current_folder_too)
{
    uint64_t seed = 1;
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct secrets *secrets = NULL;
    cr_assert_eq(chdir(key_folder()), 0);
    cr_expect_eq(secrets_load("test.key", true, &env, &secrets), SECRETS_OK);
    secrets_free(secrets);
    cr_expect_eq(access(key_path(), F_OK), 0);
}

Test(secrets, a_key_file_open_to_group_or_others_is_refused)
{
    static const mode_t modes[] = {0640, 0604, 0620, 0602, 0644, 0666, 0610, 0777};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        key_write(ONE_SLOT, strlen(ONE_SLOT), modes[i]);
        expect_status(SECRETS_TOO_OPEN, "an open mode");
    }
    key_write(ONE_SLOT, strlen(ONE_SLOT), 0400);
    struct secrets *secrets = NULL;
    cr_expect_eq(secrets_load(key_path(), false, NULL, &secrets), SECRETS_OK);
    secrets_free(secrets);
}

Test(secrets, what_is_no_regular_file_is_refused_without_waiting)
{
    struct secrets *secrets = NULL;
    cr_expect_eq(secrets_load(key_folder(), false, NULL, &secrets), SECRETS_UNREADABLE);
    cr_assert_eq(mkfifo(key_path(), 0600), 0);
    expect_status(SECRETS_UNREADABLE, "a pipe");
}

Test(secrets, a_key_file_in_any_other_form_is_malformed)
{
    expect_malformed("");
    expect_malformed("\n" ONE_SLOT);
    expect_malformed(ONE_SLOT "\n");
    expect_malformed(ONE_SLOT "x");
    expect_malformed("banzuke key 2\n" SERVER_LINE "current 0 " KEY_A);
    expect_malformed("banzuke key 1\r\n" SERVER_LINE "current 0 " KEY_A);
    expect_malformed(FIRST_LINE "current 0 " KEY_A);
    expect_malformed(FIRST_LINE SERVER_LINE);
    expect_malformed(FIRST_LINE SERVER_LINE "current 2 " KEY_A);
    expect_malformed(FIRST_LINE SERVER_LINE "current  0 " KEY_A);
    expect_malformed(FIRST_LINE SERVER_LINE "current " KEY_A);
    expect_malformed(FIRST_LINE SERVER_LINE "previous 0 " KEY_A);
    expect_malformed(ONE_SLOT "previous 0 " KEY_B);
    expect_malformed(ONE_SLOT "previous 1 ");
    expect_malformed(TWO_SLOTS "previous 0 " KEY_A);
    expect_malformed(FIRST_LINE SERVER_LINE "current 0 g" KEY_A);
    expect_malformed(FIRST_LINE SERVER_LINE "current 0 2" KEY_A);
    expect_malformed(FIRST_LINE SERVER_LINE "current 0 "
                                            "22222222222222222222222222222222"
                                            "2222222222222222222222222222222g\n");
}

Test(secrets, a_key_file_cut_anywhere_is_malformed)
{
    const size_t whole = strlen(TWO_SLOTS);
    for (size_t length = 0; length < whole; length++) {
        if (length != strlen(ONE_SLOT)) { /* there it is a whole file of one key */
            key_write(TWO_SLOTS, length, 0600);
            expect_status(SECRETS_MALFORMED, "cut");
        }
    }
}

Test(secrets, a_long_file_and_one_with_a_nul_are_malformed)
{
    char text[4096];
    memset(text, '2', sizeof text);
    memcpy(text, ONE_SLOT, sizeof ONE_SLOT - 1);
    key_write(text, sizeof text, 0600);
    expect_status(SECRETS_MALFORMED, "long");
    key_write(ONE_SLOT "\0", strlen(ONE_SLOT) + 1, 0600);
    expect_status(SECRETS_MALFORMED, "NUL");
}

Test(secrets, the_key_id_is_derived_and_stays_when_the_token_key_changes)
{
    char one[DB_KEY_ID_TEXT];
    char two[DB_KEY_ID_TEXT];
    struct secrets *secrets = key_load(ONE_SLOT);
    secrets_key_id(secrets, one);
    secrets_free(secrets);
    secrets = key_load(TWO_SLOTS);
    secrets_key_id(secrets, two);
    secrets_free(secrets);
    cr_expect_str_eq(one, "3e075c8d04baa07d");
    cr_expect_str_eq(one, two);
}

Test(secrets, other_keys_have_other_ids)
{
    char one[DB_KEY_ID_TEXT];
    char two[DB_KEY_ID_TEXT];
    struct secrets *secrets = key_create(1);
    secrets_key_id(secrets, one);
    secrets_free(secrets);
    cr_assert_eq(unlink(key_path()), 0);
    secrets = key_create(2);
    secrets_key_id(secrets, two);
    secrets_free(secrets);
    cr_expect_str_neq(one, two);
}

Test(secrets, every_status_has_a_text_of_its_own)
{
    for (int i = SECRETS_OK; i <= SECRETS_NOT_CREATED; i++) {
        cr_expect_gt(strlen(secrets_status_text((enum secrets_status)i)), 10);
        for (int j = SECRETS_OK; j < i; j++) {
            cr_expect_str_neq(secrets_status_text((enum secrets_status)i),
                              secrets_status_text((enum secrets_status)j));
        }
    }
    secrets_free(NULL);
}

/* --- chain and cursors ------------------------------------------------------------------------ */

static void chain_of(const struct secrets *secrets, const char *first, const char *second,
                     uint8_t out[SECRETS_HASH_BYTES])
{
    struct secrets_hash hash;
    secrets_chain_begin(secrets, &hash);
    secrets_chain_add(&hash, first, strlen(first));
    secrets_chain_add(&hash, second, strlen(second));
    secrets_chain_end(&hash, out);
}

Test(secrets, a_chain_hash_is_keyed_and_covers_all_that_was_added)
{
    uint8_t one[SECRETS_HASH_BYTES];
    uint8_t two[SECRETS_HASH_BYTES];
    struct secrets *secrets = key_load(ONE_SLOT);
    chain_of(secrets, "one ", "two", one);
    expect_hex(one, sizeof one, "93546951bf8ee10fa7515d027b74ea1e667a57ba258a45468d0264f3ba6a2411");
    chain_of(secrets, "one", " two", two);
    cr_expect_eq(memcmp(one, two, sizeof one), 0, "one stream, however it was cut");
    chain_of(secrets, "one ", "twp", two);
    cr_expect_neq(memcmp(one, two, sizeof one), 0);
    secrets_free(secrets);
    secrets = key_load(TWO_SLOTS);
    chain_of(secrets, "one ", "two", two);
    cr_expect_eq(memcmp(one, two, sizeof one), 0, "a change of the token key leaves the chain");
    secrets_free(secrets);
    cr_assert_eq(unlink(key_path()), 0);
    secrets = key_create(1);
    chain_of(secrets, "one ", "two", two);
    cr_expect_neq(memcmp(one, two, sizeof one), 0);
    secrets_free(secrets);
}

Test(secrets, a_mac_is_bound_to_its_purpose_and_message)
{
    uint8_t mac[SECRETS_MAC_BYTES];
    uint8_t other[SECRETS_MAC_BYTES];
    struct secrets *secrets = key_load(ONE_SLOT);
    secrets_mac(secrets, "rankings", "abc", 3, mac);
    expect_hex(mac, sizeof mac, "a74a4547d3600e46b7bc30aa5415ee47");
    secrets_mac(secrets, "rankings", "abc", 3, other);
    cr_expect(secrets_mac_equal(mac, other));
    secrets_mac(secrets, "games", "abc", 3, other);
    cr_expect_not(secrets_mac_equal(mac, other));
    secrets_mac(secrets, "rankings", "abd", 3, other);
    cr_expect_not(secrets_mac_equal(mac, other));
    secrets_mac(secrets, "rankingsa", "bc", 2, other);
    cr_expect_not(secrets_mac_equal(mac, other));
    secrets_mac(secrets, "rankings", NULL, 0, other);
    cr_expect_not(secrets_mac_equal(mac, other));
    secrets_free(secrets);
}

Test(secrets, macs_that_differ_in_one_bit_differ)
{
    uint8_t a[SECRETS_MAC_BYTES] = {0};
    for (size_t bit = 0; bit < sizeof a * 8; bit++) {
        uint8_t b[SECRETS_MAC_BYTES] = {0};
        b[bit / 8] = (uint8_t)(1U << (bit % 8));
        cr_expect_not(secrets_mac_equal(a, b));
    }
    cr_expect(secrets_mac_equal(a, a));
}
