#include "budgets.h"

#include "bucket_table.h"
#include "match/secrets_hash.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MINUTE_S = 60, HOUR_S = 60 * MINUTE_S };
#define NS_PER_MS INT64_C(1000000)

struct budget_row {
    const char *name;
    struct bucket_rate rate;
    const char *detail;
};

static const struct budget_row rows[BUDGETS] = {
    [BUDGET_DEVICE] = {"device",
                       {BUDGET_DEVICE_PER_MINUTE, MINUTE_S},
                       "This device has asked for more than its budget holds."                                 },
    [BUDGET_ADDRESS] = {"address",
                       {BUDGET_ADDRESS_PER_MINUTE, MINUTE_S},
                       "More was asked for from this address, without a token, than its budget "
                        "holds."                                                                               },
    [BUDGET_REGISTRATIONS] = {"registrations",
                       {0, HOUR_S},                                      /* the operator's */
                              "Too many new players came from this address."},
    [BUDGET_WRONG_CODES] = {"wrong-codes",
                       {BUDGET_WRONG_CODES_PER_HOUR, HOUR_S},
                       "Too many wrong codes came from this address."                                          },
    [BUDGET_WRONG_CODES_IN_ALL] = {"wrong-codes-in-all",
                       {BUDGET_WRONG_CODES_IN_ALL_PER_MINUTE, MINUTE_S},
                       "Too many wrong codes came from everywhere."                                            },
};

struct budgets {
    bool on;
    uint8_t key[SECRETS_HASH_KEY_BYTES];
    struct bucket_rate rates[BUDGETS];
    char policies[BUDGETS][BUDGET_POLICY_TEXT];
    struct bucket_table *table;
    pthread_mutex_t lock; /* of the one bucket that is everybody's */
    int64_t in_all_full_at_ns;
    _Atomic uint64_t refused[BUDGETS];
};

struct budgets *budgets_new(const struct budgets_options *options)
{
    assert(options != NULL && options->env != NULL);
    struct budgets *budgets = calloc(1, sizeof *budgets);
    if (budgets == NULL) {
        return NULL;
    }
    budgets->table = bucket_table_new();
    if (budgets->table == NULL) {
        free(budgets);
        return NULL;
    }
    pthread_mutex_init(&budgets->lock, NULL);
    budgets->on = options->on;
    options->env->random(options->env->context, budgets->key, sizeof budgets->key);
    for (size_t i = 0; i < BUDGETS; i++) {
        struct bucket_rate *rate = &budgets->rates[i];
        *rate = rows[i].rate;
        if (i == BUDGET_REGISTRATIONS) {
            rate->quota = options->registrations_per_hour;
        }
        (void)snprintf(budgets->policies[i], BUDGET_POLICY_TEXT, "\"%s\";q=%u;w=%u", rows[i].name,
                       (unsigned)rate->quota, (unsigned)rate->window_s);
    }
    return budgets;
}

void budgets_free(struct budgets *budgets)
{
    if (budgets == NULL) {
        return;
    }
    pthread_mutex_destroy(&budgets->lock);
    bucket_table_free(budgets->table);
    free(budgets);
}

/* --- asking -------------------------------------------------------------------------------------
 */

static bool applies(const struct budgets *budgets, enum budget budget,
                    const struct budget_owner *owner)
{
    return budgets->on && (budget == BUDGET_DEVICE || !owner->exempt);
}

static uint64_t hash_of(const struct budgets *budgets, enum budget budget,
                        const struct budget_owner *owner)
{
    struct {
        uint64_t budget;
        uint8_t owner[16];
    } bytes = {.budget = budget};
    if (budget == BUDGET_DEVICE) {
        assert(owner->device_no > 0);
        memcpy(bytes.owner, &owner->device_no, sizeof owner->device_no);
    } else {
        struct address subscriber = address_subscriber(&owner->address);
        memcpy(bytes.owner, subscriber.bytes, sizeof bytes.owner);
    }
    return secrets_hash(budgets->key, &bytes, sizeof bytes);
}

static void take_in_all(struct budgets *budgets, int64_t now_ns, struct bucket_standing *standing)
{
    const struct bucket_rate *rate = &budgets->rates[BUDGET_WRONG_CODES_IN_ALL];
    pthread_mutex_lock(&budgets->lock);
    int64_t *full_at_ns = &budgets->in_all_full_at_ns;
    standing->granted = bucket_take(rate, full_at_ns, now_ns, 1);
    standing->left = bucket_left(rate, *full_at_ns, now_ns);
    standing->full_s = bucket_wait_s(rate, *full_at_ns, now_ns, rate->quota);
    standing->wait_s = bucket_wait_s(rate, *full_at_ns, now_ns, 1);
    pthread_mutex_unlock(&budgets->lock);
}

static void write_note(struct budget_note *note, enum budget budget,
                       const struct bucket_standing *standing)
{
    *note = (struct budget_note){
        .known = true,
        .budget = budget,
        .left = standing->left,
        .seconds = standing->granted ? standing->full_s : standing->wait_s,
    };
}

bool budgets_take(struct budgets *budgets, enum budget budget, const struct budget_owner *owner,
                  int64_t now_ms, struct budget_note *note)
{
    assert(budgets != NULL && budget < BUDGETS && owner != NULL && note != NULL);
    struct bucket_standing standing;
    if (budget == BUDGET_WRONG_CODES_IN_ALL) {
        take_in_all(budgets, now_ms * NS_PER_MS, &standing);
    } else if (applies(budgets, budget, owner)) {
        bucket_table_take(budgets->table, hash_of(budgets, budget, owner), &budgets->rates[budget],
                          now_ms * NS_PER_MS, 1, &standing);
    } else {
        note->known = false;
        return true;
    }
    write_note(note, budget, &standing);
    if (!standing.granted) {
        atomic_fetch_add_explicit(&budgets->refused[budget], 1, memory_order_relaxed);
    }
    return standing.granted;
}

void budgets_charge(struct budgets *budgets, enum budget budget, const struct budget_owner *owner,
                    int64_t now_ms, uint32_t count, struct budget_note *note)
{
    assert(budget < BUDGET_WRONG_CODES_IN_ALL);
    struct bucket_standing standing;
    if (applies(budgets, budget, owner)) {
        bucket_table_charge(budgets->table, hash_of(budgets, budget, owner),
                            &budgets->rates[budget], now_ms * NS_PER_MS, count, &standing);
        write_note(note, budget, &standing);
    }
}

void budgets_give_back(struct budgets *budgets, enum budget budget,
                       const struct budget_owner *owner)
{
    assert(budget < BUDGETS);
    const struct bucket_rate *rate = &budgets->rates[budget];
    if (budget == BUDGET_WRONG_CODES_IN_ALL) {
        pthread_mutex_lock(&budgets->lock);
        bucket_give_back(rate, &budgets->in_all_full_at_ns, 1);
        pthread_mutex_unlock(&budgets->lock);
    } else if (applies(budgets, budget, owner)) {
        bucket_table_give_back(budgets->table, hash_of(budgets, budget, owner), rate, 1);
    }
}

uint64_t budgets_refused(struct budgets *budgets, enum budget budget)
{
    assert(budget < BUDGETS);
    return atomic_load_explicit(&budgets->refused[budget], memory_order_relaxed);
}

/* --- words --------------------------------------------------------------------------------------
 */

const char *budget_name(enum budget budget)
{
    assert(budget < BUDGETS);
    return rows[budget].name;
}

const char *budget_detail(enum budget budget)
{
    assert(budget < BUDGETS);
    return rows[budget].detail;
}

const char *budgets_policy(const struct budgets *budgets, enum budget budget)
{
    assert(budget < BUDGETS);
    return budgets->policies[budget];
}

static char *put_number(char *at, uint32_t number)
{
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

/* By hand, as it goes with every answer to a device. */
void budget_note_format(const struct budget_note *note, char text[BUDGET_STATE_TEXT])
{
    assert(note->known);
    char *at = stpcpy(text, "\"");
    at = stpcpy(at, budget_name(note->budget));
    at = stpcpy(at, "\";r=");
    at = put_number(at, note->left);
    at = stpcpy(at, ";t=");
    at = put_number(at, note->seconds);
    *at = '\0';
    assert(at < text + BUDGET_STATE_TEXT);
}
