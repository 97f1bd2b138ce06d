#ifndef API_BUDGETS_H
#define API_BUDGETS_H

/*
 * What a device and an address may ask of the service in a time, and how much of it is left. The
 * figures are in openapi.yaml too. Nothing is stored: a restart fills every budget.
 *
 * Threads: any. Ownership: budgets_new/_free; all else is values.
 */

#include "address.h"
#include "match/env.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum budget {
    BUDGET_DEVICE,             /* requests with a valid token, of a device */
    BUDGET_ADDRESS,            /* requests without one, of an address */
    BUDGET_REGISTRATIONS,      /* new players, of an address */
    BUDGET_WRONG_CODES,        /* codes that were none, of an address */
    BUDGET_WRONG_CODES_IN_ALL, /* of everybody: nobody is exempt, and `--rate-limit off` is no
                                  matter */
    BUDGETS,                   /* how many */
};

enum {
    BUDGET_DEVICE_PER_MINUTE = 3600,
    BUDGET_ADDRESS_PER_MINUTE = 7200,
    BUDGET_WRONG_CODES_PER_HOUR = 10,
    BUDGET_WRONG_CODES_IN_ALL_PER_MINUTE = 1000,
    /* A 404 for an id costs as many requests more as make it this many in all: who has ids has them
     * from us, and guessing shall be slow. */
    BUDGET_MISS_REQUESTS = 20,
    BUDGET_POLICY_TEXT = 64,
    BUDGET_STATE_TEXT = 64,
};

struct budgets;

struct budgets_options {
    bool on; /* false: nothing is asked of devices and addresses */
    uint32_t registrations_per_hour;
    const struct match_env *env; /* for a key; borrowed for the call */
};
struct budgets *budgets_new(const struct budgets_options *options); /* NULL: no memory */
void budgets_free(struct budgets *budgets);                         /* accepts NULL */

/* Whose budget it is. */
struct budget_owner {
    int64_t device_no;      /* of BUDGET_DEVICE */
    struct address address; /* of the budgets of an address */
    bool exempt;            /* from those: it is this machine itself */
};

/* How a budget stood when it was last asked. */
struct budget_note {
    bool known; /* false: there is none, or nothing to say */
    enum budget budget;
    uint32_t left;
    uint32_t seconds; /* until it is full; after a refusal until the same is granted */
};

/* Takes one; false: it is used up, and nothing was taken. */
bool budgets_take(struct budgets *budgets, enum budget budget, const struct budget_owner *owner,
                  int64_t now_ms, struct budget_note *note);
/* Takes what is there of `count`. */
void budgets_charge(struct budgets *budgets, enum budget budget, const struct budget_owner *owner,
                    int64_t now_ms, uint32_t count, struct budget_note *note);
/* Gives back one that was taken. */
void budgets_give_back(struct budgets *budgets, enum budget budget,
                       const struct budget_owner *owner);

/* For metrics: how often it was used up when somebody asked. */
uint64_t budgets_refused(struct budgets *budgets, enum budget budget);

/* The word that stands for a budget in headers and metrics. */
const char *budget_name(enum budget budget);
/* What a refusal says. */
const char *budget_detail(enum budget budget);

/* The values of RateLimit-Policy and RateLimit (structured fields, IETF draft
 * ratelimit-headers): `"device";q=3600;w=60` and `"device";r=3599;t=1`. */
const char *budgets_policy(const struct budgets *budgets, enum budget budget);
void budget_note_format(const struct budget_note *note, char text[BUDGET_STATE_TEXT]);

#endif
