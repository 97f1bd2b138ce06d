#include "crowd.h"

#include "match/pairing.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND_MS = 1000,
    LIFE_MS = 600 * 1000,
    GAME_MS = 300 * 1000, /* at least, and up to three times as long */
    PARTNER_MS = 20 * 1000,
    WAITING_MAX = 4096,
};

struct player {
    int64_t rating_milli;
    int64_t busy_until_ms; /* INT64_MAX while it waits */
    int64_t last[PAIRING_LAST_MAX];
};

struct crowd {
    const struct crowd_options *options;
    struct crowd_report *report;
    uint64_t state;
    int64_t now_ms;
    struct player *players; /* number 1 is the first */
    struct pairing_ticket waiting[WAITING_MAX];
    size_t count;
    struct pairing_group groups[WAITING_MAX];
    int64_t *waits_ms;
    int64_t *gaps_milli;
};

static uint64_t next(struct crowd *crowd)
{
    crowd->state = crowd->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return crowd->state >> 33;
}

static double chance(struct crowd *crowd)
{
    return ((double)next(crowd) + 1) / (double)(UINT64_C(1) << 31);
}

/* --- who comes -----------------------------------------------------------------------------------
 */

/* Around 1500, two thirds within 300 points. */
static void make_players(struct crowd *crowd)
{
    for (size_t i = 0; i < crowd->options->players; i++) {
        double bell = -6;
        for (int k = 0; k < 12; k++) {
            bell += chance(crowd);
        }
        crowd->players[i] = (struct player){.rating_milli = 1500000 + (int64_t)(300000 * bell)};
    }
}

/* 0: everybody waits or plays. */
static int64_t idle_player(struct crowd *crowd)
{
    size_t count = crowd->options->players;
    size_t first = next(crowd) % count;
    for (size_t i = 0; i < count; i++) {
        size_t at = (first + i) % count;
        if (crowd->players[at].busy_until_ms <= crowd->now_ms) {
            return (int64_t)at + 1;
        }
    }
    return 0;
}

static void come(struct crowd *crowd, int64_t player_no, int64_t partner_no)
{
    struct player *player = &crowd->players[player_no - 1];
    struct pairing_ticket *ticket = &crowd->waiting[crowd->count++];
    assert(crowd->count <= WAITING_MAX);
    *ticket = (struct pairing_ticket){
        .ticket_no = (int64_t)++crowd->report->tickets,
        .player_no = player_no,
        .rating_milli = player->rating_milli,
        .partner_no = partner_no,
        .created_at_ms = crowd->now_ms,
    };
    memcpy(ticket->last, player->last, sizeof ticket->last);
    player->busy_until_ms = INT64_MAX;
}

/* --- what a round must hold to -------------------------------------------------------------------
 */

static int64_t window_of(const struct crowd *crowd, const struct pairing_ticket *ticket)
{
    return pairing_window(crowd->now_ms - ticket->created_at_ms);
}

static bool met(const struct pairing_ticket *ticket, const struct pairing_ticket *other)
{
    for (size_t i = 0; i < PAIRING_LAST_MAX; i++) {
        if (ticket->last[i] == other->player_no) {
            return true;
        }
    }
    return false;
}

static bool accept(const struct crowd *crowd, const struct pairing_ticket *a,
                   const struct pairing_ticket *b)
{
    int64_t gap = llabs(a->rating_milli - b->rating_milli);
    return gap <= window_of(crowd, a) && gap <= window_of(crowd, b);
}

/* Of those who go on waiting after the round. */
static bool another_waits(const struct crowd *crowd, const bool *sits,
                          const struct pairing_ticket *ticket)
{
    for (size_t i = 0; i < crowd->count; i++) {
        if (!sits[i] && accept(crowd, ticket, &crowd->waiting[i]) &&
            !met(ticket, &crowd->waiting[i])) {
            return true;
        }
    }
    return false;
}

static void check_meetings(struct crowd *crowd, const struct pairing_group *group, const bool *sits)
{
    size_t seats = crowd->options->seats;
    bool again = false;
    for (size_t i = 0; i < seats * seats; i++) {
        const struct pairing_ticket *ticket = &crowd->waiting[group->members[i / seats]];
        const struct pairing_ticket *other = &crowd->waiting[group->members[i % seats]];
        if (!met(ticket, other) || ticket->partner_no == other->player_no) {
            continue;
        }
        again = true;
        /* A partner's own windows are not those of the pair. */
        if (ticket->partner_no == 0 && crowd->now_ms - ticket->created_at_ms < PAIRING_AVOID_MS &&
            !crowd->options->pairs && another_waits(crowd, sits, ticket)) {
            crowd->report->met_too_soon++;
        }
    }
    crowd->report->again += again;
}

/* Highest minus lowest, partners who named each other as one. */
static int64_t spread_of(struct crowd *crowd, const struct pairing_group *group, int64_t *window)
{
    int64_t lowest = INT64_MAX;
    int64_t highest = INT64_MIN;
    *window = INT64_MAX;
    for (size_t i = 0; i < crowd->options->seats; i++) {
        const struct pairing_ticket *ticket = &crowd->waiting[group->members[i]];
        int64_t rating = ticket->rating_milli;
        if (ticket->partner_no != 0) {
            const struct pairing_ticket *partner = &crowd->waiting[group->members[(i + 2) % 4]];
            crowd->report->apart += partner->player_no != ticket->partner_no;
            rating = (rating + partner->rating_milli) / 2;
        }
        lowest = rating < lowest ? rating : lowest;
        highest = rating > highest ? rating : highest;
        *window = window_of(crowd, ticket) < *window ? window_of(crowd, ticket) : *window;
    }
    return highest - lowest;
}

/* Tickets of no absent partner that accept everybody, and were not enough for anybody. */
static void check_left(struct crowd *crowd, const bool *sits)
{
    size_t open = 0;
    for (size_t i = 0; i < crowd->count; i++) {
        open += !sits[i] && crowd->waiting[i].partner_no == 0 &&
                window_of(crowd, &crowd->waiting[i]) == PAIRING_UNBOUNDED;
    }
    crowd->report->passed_over += open >= crowd->options->seats;
}

/* --- rounds --------------------------------------------------------------------------------------
 */

static void play(struct crowd *crowd, const struct pairing_group *group)
{
    struct crowd_report *report = crowd->report;
    size_t seats = crowd->options->seats;
    int64_t ends_ms = crowd->now_ms + GAME_MS + (int64_t)(next(crowd) % ((uint64_t)2 * GAME_MS));
    for (size_t i = 0; i < seats; i++) {
        const struct pairing_ticket *ticket = &crowd->waiting[group->members[i]];
        struct player *player = &crowd->players[ticket->player_no - 1];
        size_t others = 0;
        player->busy_until_ms = ends_ms;
        for (size_t j = 0; j < seats; j++) {
            if (j != i) {
                player->last[others++] = crowd->waiting[group->members[j]].player_no;
            }
        }
        crowd->waits_ms[report->matched++] = crowd->now_ms - ticket->created_at_ms;
    }
}

static void close_ranks(struct crowd *crowd, const bool *sits)
{
    size_t kept = 0;
    for (size_t i = 0; i < crowd->count; i++) {
        const struct pairing_ticket ticket = crowd->waiting[i];
        bool late = !sits[i] && crowd->now_ms - ticket.created_at_ms >= LIFE_MS;
        if (late) {
            crowd->report->starved++;
            crowd->players[ticket.player_no - 1].busy_until_ms = crowd->now_ms;
        } else if (!sits[i]) {
            crowd->waiting[kept++] = ticket;
        }
    }
    crowd->count = kept;
}

static bool run_round(struct crowd *crowd)
{
    bool sits[WAITING_MAX] = {false};
    struct pairing_round round = {
        .tickets = crowd->waiting,
        .count = crowd->count,
        .seats = crowd->options->seats,
        .pairs = crowd->options->pairs,
        .now_ms = crowd->now_ms,
        .groups = crowd->groups,
    };
    if (!pairing_round(&round)) {
        return false;
    }
    for (size_t i = 0; i < round.group_count; i++) {
        int64_t window = 0;
        for (size_t j = 0; j < round.seats; j++) {
            size_t member = crowd->groups[i].members[j];
            crowd->report->twice += member >= crowd->count || sits[member];
            sits[member] = true;
        }
        int64_t spread = spread_of(crowd, &crowd->groups[i], &window);
        crowd->report->outside += spread > window || spread != crowd->groups[i].spread_milli;
        crowd->gaps_milli[crowd->report->games++] = spread;
    }
    for (size_t i = 0; i < round.group_count; i++) {
        check_meetings(crowd, &crowd->groups[i], sits);
        play(crowd, &crowd->groups[i]);
    }
    check_left(crowd, sits);
    close_ranks(crowd, sits);
    return true;
}

/* --- the run -------------------------------------------------------------------------------------
 */

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static struct crowd_spread spread_over(int64_t *values, size_t count)
{
    if (count == 0) {
        return (struct crowd_spread){0};
    }
    qsort(values, count, sizeof *values, compare);
    return (struct crowd_spread){
        .median = values[count / 2],
        .p95 = values[count - 1 - count / 20],
        .max = values[count - 1],
    };
}

/* Seconds pass with their rounds, up to this moment. */
static bool pass(struct crowd *crowd, int64_t until_ms)
{
    bool good = true;
    for (int64_t at_ms = crowd->now_ms - crowd->now_ms % ROUND_MS + ROUND_MS;
         good && at_ms <= until_ms; at_ms += ROUND_MS) {
        crowd->now_ms = at_ms;
        good = run_round(crowd);
    }
    crowd->now_ms = until_ms;
    return good;
}

static bool arrive(struct crowd *crowd)
{
    int64_t player_no = idle_player(crowd);
    bool two = crowd->options->pairs && next(crowd) % 3 == 0;
    if (player_no == 0) {
        return true;
    }
    int64_t busy_ms = crowd->players[player_no - 1].busy_until_ms;
    crowd->players[player_no - 1].busy_until_ms = INT64_MAX;
    int64_t partner_no = two ? idle_player(crowd) : 0;
    crowd->players[player_no - 1].busy_until_ms = busy_ms;
    come(crowd, player_no, partner_no);
    bool good = run_round(crowd);
    if (good && partner_no != 0) {
        crowd->players[partner_no - 1].busy_until_ms = INT64_MAX;
        good = pass(crowd, crowd->now_ms + (int64_t)(next(crowd) % PARTNER_MS));
        come(crowd, partner_no, player_no);
        good = good && run_round(crowd);
    }
    return good;
}

static bool run(struct crowd *crowd)
{
    bool good = true;
    make_players(crowd);
    while (good && crowd->report->tickets < crowd->options->tickets) {
        double gap_ms = -log(chance(crowd)) * (double)crowd->options->between_ms;
        good = pass(crowd, crowd->now_ms + (int64_t)gap_ms) && arrive(crowd);
    }
    good = good && pass(crowd, crowd->now_ms + PAIRING_OPEN_MS + ROUND_MS);
    crowd->report->left = crowd->count;
    crowd->report->wait_ms = spread_over(crowd->waits_ms, crowd->report->matched);
    crowd->report->gap_milli = spread_over(crowd->gaps_milli, crowd->report->games);
    return good;
}

bool crowd_run(const struct crowd_options *options, struct crowd_report *report)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);
    bool good = false;
    *report = (struct crowd_report){0};
    if (crowd != NULL) {
        crowd->options = options;
        crowd->report = report;
        crowd->state = options->seed;
        crowd->now_ms = INT64_C(1800000000000);
        crowd->players = calloc(options->players, sizeof *crowd->players);
        crowd->waits_ms = calloc(options->tickets + 2, sizeof *crowd->waits_ms);
        crowd->gaps_milli = calloc(options->tickets + 2, sizeof *crowd->gaps_milli);
        good = crowd->players != NULL && crowd->waits_ms != NULL && crowd->gaps_milli != NULL &&
               run(crowd);
        free(crowd->gaps_milli);
        free(crowd->waits_ms);
        free(crowd->players);
    }
    free(crowd);
    return good;
}
