#include "outcomes.h"

#include "ratings/elo.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A side with its rating before the game, as the sum over its members. */
struct side {
    uint8_t number;
    uint8_t members;
    int64_t sum_milli;
};

struct sides {
    size_t count;
    struct side at[DB_SEATS_MAX]; /* the best rating first */
};

struct question {
    const struct game_rules *rules;
    const struct game_options *options;
    const struct rated_seat *now;
    uint8_t seat_no;
};

/* By the mean, the best first; equal ones in seat order. */
static int by_rating(const void *left, const void *right)
{
    const struct side *a = left;
    const struct side *b = right;
    int64_t gap = b->sum_milli * a->members - a->sum_milli * b->members;
    if (gap != 0) {
        return gap < 0 ? -1 : 1;
    }
    return (int)a->number - (int)b->number;
}

static void sort_sides(const struct question *question, struct sides *sides)
{
    struct side found[DB_SEATS_MAX] = {0};
    sides->count = 0;
    for (uint8_t i = 0; i < question->rules->seat_count; i++) {
        uint8_t number = question->rules->team(question->options, i);
        assert(number < DB_SEATS_MAX);
        found[number].number = number;
        found[number].members++;
        found[number].sum_milli += question->now[i].rating_milli;
    }
    for (size_t i = 0; i < DB_SEATS_MAX; i++) {
        if (found[i].members > 0) {
            sides->at[sides->count++] = found[i];
        }
    }
    assert(sides->count >= 2);
    qsort(sides->at, sides->count, sizeof sides->at[0], by_rating);
}

/* Moves a side to another place of the order; the others keep theirs among themselves. */
static void move_side(struct sides *sides, uint8_t number, size_t to)
{
    size_t from = 0;
    while (sides->at[from].number != number) {
        from++;
        assert(from < sides->count);
    }
    struct side moved = sides->at[from];
    memmove(&sides->at[from], &sides->at[from + 1], (sides->count - from - 1) * sizeof moved);
    memmove(&sides->at[to + 1], &sides->at[to], (sides->count - to - 1) * sizeof moved);
    sides->at[to] = moved;
}

/* Competition ranks by side, in the order they stand. */
static void rank(const struct sides *sides, uint8_t places[DB_SEATS_MAX])
{
    uint8_t place = 1;
    for (size_t i = 0; i < sides->count; i++) {
        places[sides->at[i].number] = place;
        place = (uint8_t)(place + sides->at[i].members);
    }
}

static struct explained_outcome outcome_of(const struct question *question,
                                           const uint8_t places[DB_SEATS_MAX])
{
    struct explained_outcome outcome = {0};
    struct rated_seat seats[DB_SEATS_MAX];
    struct elo_change changes[DB_SEATS_MAX];
    for (uint8_t i = 0; i < question->rules->seat_count; i++) {
        seats[i] = question->now[i];
        seats[i].place = places[question->rules->team(question->options, i)];
        outcome.places[i] = seats[i].place;
    }
    result_changes(question->rules, question->options, seats, changes);
    outcome.delta_milli = changes[question->seat_no].delta_milli;
    return outcome;
}

size_t outcomes_of_seat(const struct game_rules *rules, const struct game_options *options,
                        const struct rated_seat *now, uint8_t seat_no,
                        struct explained_outcome outcomes[EXPLANATION_OUTCOMES_MAX])
{
    static const uint8_t drawn[DB_SEATS_MAX] = {1, 1, 1, 1};
    const struct question question = {rules, options, now, seat_no};
    struct sides sides;
    size_t count = 0;
    assert(seat_no < rules->seat_count);
    sort_sides(&question, &sides);
    for (size_t i = 0; i < sides.count; i++) {
        uint8_t places[DB_SEATS_MAX] = {0};
        if (i == 1 && sides.count == 2) {
            outcomes[count++] = outcome_of(&question, drawn);
        }
        move_side(&sides, rules->team(options, seat_no), i);
        rank(&sides, places);
        outcomes[count++] = outcome_of(&question, places);
    }
    assert(count <= EXPLANATION_OUTCOMES_MAX);
    return count;
}
