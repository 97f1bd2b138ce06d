#include "api/budgets.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NOW_MS = 1000000 };

static void seeded(void *context, void *bytes, size_t count)
{
    memset(bytes, *(const unsigned char *)context, count);
}

static struct budgets *make(bool on, uint32_t registrations)
{
    static const unsigned char seed = 42;
    union {
        const unsigned char *in;
        void *out;
    } context = {.in = &seed};
    const struct match_env env = {.random = seeded, .context = context.out};
    struct budgets *budgets = budgets_new(
        &(struct budgets_options){.on = on, .registrations_per_hour = registrations, .env = &env});
    cr_assert_not_null(budgets);
    return budgets;
}

static struct budget_owner address(const char *text)
{
    struct budget_owner owner = {.device_no = 1};
    cr_assert(address_parse(text, strlen(text), &owner.address));
    return owner;
}

/* How many are granted at one moment, up to `max`. */
static unsigned drain(struct budgets *budgets, enum budget budget, const struct budget_owner *owner,
                      unsigned max)
{
    unsigned granted = 0;
    struct budget_note note;
    while (granted < max && budgets_take(budgets, budget, owner, NOW_MS, &note)) {
        granted++;
    }
    return granted;
}

Test(budgets, every_budget_grants_what_is_written_and_not_one_more)
{
    static const struct {
        enum budget budget;
        unsigned quota;
    } cases[] = {
        {BUDGET_DEVICE,             3600},
        {BUDGET_ADDRESS,            7200},
        {BUDGET_REGISTRATIONS,      30  },
        {BUDGET_WRONG_CODES,        10  },
        {BUDGET_WRONG_CODES_IN_ALL, 1000},
    };
    struct budgets *budgets = make(true, 30);
    struct budget_owner owner = address("192.0.2.1");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(drain(budgets, cases[i].budget, &owner, 10000), cases[i].quota, "%s",
                     budget_name(cases[i].budget));
        cr_expect_eq(budgets_refused(budgets, cases[i].budget), 1);
    }
    budgets_free(budgets);
}

Test(budgets, one_of_an_address_is_not_that_of_another)
{
    struct budgets *budgets = make(true, 2);
    struct budget_owner first = address("2001:db8:0:1::1");
    struct budget_owner neighbour = address("2001:db8:0:1:ffff::2");
    struct budget_owner other = address("2001:db8:0:2::1");
    cr_expect_eq(drain(budgets, BUDGET_REGISTRATIONS, &first, 100), 2);
    cr_expect_eq(drain(budgets, BUDGET_REGISTRATIONS, &neighbour, 100), 0);
    cr_expect_eq(drain(budgets, BUDGET_REGISTRATIONS, &other, 100), 2);
    cr_expect_eq(drain(budgets, BUDGET_WRONG_CODES, &first, 100), 10);
    budgets_free(budgets);
}

Test(budgets, a_device_has_one_wherever_it_is)
{
    struct budgets *budgets = make(true, 30);
    struct budget_owner here = address("192.0.2.1");
    struct budget_owner there = address("192.0.2.2");
    struct budget_owner exempt = {.device_no = 1, .exempt = true};
    cr_expect_eq(drain(budgets, BUDGET_DEVICE, &here, 3000), 3000);
    cr_expect_eq(drain(budgets, BUDGET_DEVICE, &there, 500), 500);
    cr_expect_eq(drain(budgets, BUDGET_DEVICE, &exempt, 500), 100);
    there.device_no = 2;
    cr_expect_eq(drain(budgets, BUDGET_DEVICE, &there, 10000), 3600);
    budgets_free(budgets);
}

Test(budgets, who_is_exempt_has_no_budget_as_an_address_but_that_of_everybody)
{
    struct budgets *budgets = make(true, 1);
    struct budget_owner owner = {.device_no = 1, .exempt = true};
    cr_expect_eq(drain(budgets, BUDGET_ADDRESS, &owner, 20000), 20000);
    cr_expect_eq(drain(budgets, BUDGET_REGISTRATIONS, &owner, 20000), 20000);
    cr_expect_eq(drain(budgets, BUDGET_WRONG_CODES, &owner, 20000), 20000);
    cr_expect_eq(drain(budgets, BUDGET_WRONG_CODES_IN_ALL, &owner, 20000), 1000);
    budgets_free(budgets);
}

Test(budgets, turned_off_leaves_that_of_everybody)
{
    struct budgets *budgets = make(false, 1);
    struct budget_owner owner = address("192.0.2.1");
    for (enum budget i = BUDGET_DEVICE; i < BUDGET_WRONG_CODES_IN_ALL; i++) {
        struct budget_note note = {.known = true};
        cr_expect(budgets_take(budgets, i, &owner, NOW_MS, &note));
        cr_expect_not(note.known);
        cr_expect_eq(drain(budgets, i, &owner, 20000), 20000);
    }
    cr_expect_eq(drain(budgets, BUDGET_WRONG_CODES_IN_ALL, &owner, 20000), 1000);
    budgets_free(budgets);
}

Test(budgets, what_did_not_count_is_given_back)
{
    struct budgets *budgets = make(true, 30);
    struct budget_owner owner = address("192.0.2.1");
    cr_assert_eq(drain(budgets, BUDGET_WRONG_CODES, &owner, 100), 10);
    cr_assert_eq(drain(budgets, BUDGET_WRONG_CODES_IN_ALL, &owner, 10000), 1000);
    budgets_give_back(budgets, BUDGET_WRONG_CODES, &owner);
    budgets_give_back(budgets, BUDGET_WRONG_CODES_IN_ALL, &owner);
    cr_expect_eq(drain(budgets, BUDGET_WRONG_CODES, &owner, 100), 1);
    cr_expect_eq(drain(budgets, BUDGET_WRONG_CODES_IN_ALL, &owner, 100), 1);
    budgets_free(budgets);
}

Test(budgets, a_charge_takes_what_is_there)
{
    struct budgets *budgets = make(true, 30);
    struct budget_owner owner = address("192.0.2.1");
    struct budget_note note;
    budgets_charge(budgets, BUDGET_DEVICE, &owner, NOW_MS, 3599, &note);
    cr_expect_eq(note.left, 1);
    budgets_charge(budgets, BUDGET_DEVICE, &owner, NOW_MS, 19, &note);
    cr_expect_eq(note.left, 0);
    cr_expect_not(budgets_take(budgets, BUDGET_DEVICE, &owner, NOW_MS, &note));
    budgets_free(budgets);
}

Test(budgets, the_headers_say_quota_window_rest_and_seconds)
{
    struct budgets *budgets = make(true, 77);
    struct budget_owner owner = address("192.0.2.1");
    struct budget_note note;
    char text[BUDGET_STATE_TEXT];
    cr_expect_str_eq(budgets_policy(budgets, BUDGET_DEVICE), "\"device\";q=3600;w=60");
    cr_expect_str_eq(budgets_policy(budgets, BUDGET_REGISTRATIONS),
                     "\"registrations\";q=77;w=3600");
    cr_assert(budgets_take(budgets, BUDGET_DEVICE, &owner, NOW_MS, &note));
    budget_note_format(&note, text);
    cr_expect_str_eq(text, "\"device\";r=3599;t=1");
    (void)drain(budgets, BUDGET_WRONG_CODES, &owner, 10);
    cr_assert_not(budgets_take(budgets, BUDGET_WRONG_CODES, &owner, NOW_MS, &note));
    budget_note_format(&note, text);
    cr_expect_str_eq(text, "\"wrong-codes\";r=0;t=360");
    note = (struct budget_note){.known = true,
                                .budget = BUDGET_WRONG_CODES_IN_ALL,
                                .left = UINT32_MAX,
                                .seconds = UINT32_MAX};
    budget_note_format(&note, text);
    cr_expect_str_eq(text, "\"wrong-codes-in-all\";r=4294967295;t=4294967295");
    budgets_free(budgets);
}

/* Bytes of this process in memory. */
static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%*d %ld", &pages), 1); /* NOLINT(cert-err34-c) */
    (void)fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

Test(budgets, a_million_addresses_take_no_more_memory_than_one)
{
    enum { ADDRESSES = 1000000, SLACK = 256 * 1024 };
    struct budgets *budgets = make(true, 30);
    struct budget_owner owner = address("10.0.0.0");
    struct budget_note note;
    cr_assert(budgets_take(budgets, BUDGET_ADDRESS, &owner, NOW_MS, &note));
    long before = resident();
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        owner.address.bytes[13] = (uint8_t)(i >> 16);
        owner.address.bytes[14] = (uint8_t)(i >> 8);
        owner.address.bytes[15] = (uint8_t)i;
        cr_assert(budgets_take(budgets, i % 2 == 0 ? BUDGET_ADDRESS : BUDGET_REGISTRATIONS, &owner,
                               NOW_MS + i / 1000, &note));
    }
    cr_expect_leq(resident() - before, SLACK);
    budgets_free(budgets);
}
