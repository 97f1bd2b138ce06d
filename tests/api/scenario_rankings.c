#include "tests/support/http.h"
#include "tests/support/seed.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKED = 40, PROVISIONAL = 12 };

/* Forty ranked players, each rating shared by three, and twelve provisional ones. The last games of
 * odd players were at the beginning of the day three days ago, those of even ones just before it.
 */
static struct process *seeded(void)
{
    char sql[2048];
    seed_players(sql, sizeof sql, RANKED + PROVISIONAL);
    size_t used = strlen(sql);
    (void)snprintf(sql + used, sizeof sql - used,
                   "INSERT INTO player_rating SELECT player_no, 'hasami',"
                   " 1800000 - (player_no - 1) / 3 * 1001, iif(player_no <= %d, 'ranked',"
                   " 'provisional'), 30, 30, 0, 0, 30, 0, 0, 0,"
                   " (strftime('%%s', 'now', 'start of day') - 3 * 86400) * 1000"
                   " - iif(player_no %% 2 = 0, 1, 0) FROM player",
                   RANKED);
    return seed_begin(sql);
}

static struct answer ranking(struct client *client, const char *query)
{
    char path[256];
    (void)snprintf(path, sizeof path, "/v1/rankings/hasami?%s", query);
    return expect(200, client_get(client, path, NULL));
}

/* The player's number in an item, from its name. */
static int player_at(const struct answer *page, size_t item)
{
    char at[40];
    (void)snprintf(at, sizeof at, "items.%zu.player.name", item);
    return (int)strtol(answer_text(page, at) + strlen("Player "), NULL, 10);
}

static int rank_at(const struct answer *page, size_t item)
{
    char at[40];
    (void)snprintf(at, sizeof at, "items.%zu.rank", item);
    return (int)answer_integer(page, at);
}

/* The player whom a list with shared ranks (1, 1, 1, 4, ...) shows first from a rank on. */
static int first_from(int start_rank)
{
    return (start_rank - 1 + 2) / 3 * 3 + 1;
}

Test(scenario_rankings, a_page_begins_at_any_rank)
{
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    for (int rank = 1; rank <= RANKED + 2; rank++) {
        char query[64];
        (void)snprintf(query, sizeof query, "limit=2&start_rank=%d", rank);
        struct answer page = ranking(client, query);
        int first = first_from(rank);
        cr_assert_eq(answer_integer(&page, "total"), RANKED);
        if (first > RANKED) {
            cr_assert_eq(json_array_size(answer_at(&page, "items")), 0, "rank %d", rank);
            cr_assert(json_is_null(answer_at(&page, "next_cursor")));
        } else {
            cr_assert_eq(player_at(&page, 0), first, "rank %d", rank);
            cr_assert_eq(rank_at(&page, 0), first);
            cr_assert_geq(rank_at(&page, 0), rank);
        }
        answer_free(&page);
    }
    static const char *const extremes[] = {"start_rank=1000000000", "active_days=1&limit=1",
                                           "active_days=3650&limit=100"};
    static const size_t rows[] = {0, 0, RANKED};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct answer page = ranking(client, extremes[i]);
        cr_assert_eq(json_array_size(answer_at(&page, "items")), rows[i], "%s", extremes[i]);
        answer_free(&page);
    }
    client_free(client);
    seed_end(server);
}

Test(scenario_rankings, the_provisional_list_begins_at_any_of_its_own_ranks)
{
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    struct answer page = ranking(client, "provisional=true&start_rank=3&limit=100");
    cr_expect_eq(answer_integer(&page, "total"), PROVISIONAL);
    /* 41 and 42 share the rating of the ranked 40, but not a list. */
    cr_expect_eq(player_at(&page, 0), 43);
    cr_expect_eq(rank_at(&page, 0), 3);
    cr_expect_eq(json_array_size(answer_at(&page, "items")), PROVISIONAL - 2);
    answer_free(&page);
    client_free(client);
    seed_end(server);
}

/* Every player of a walk has to be the next one of these. */
static int walk(struct client *client, const char *query, int first, int step)
{
    char path[256];
    int seen = 0;
    (void)snprintf(path, sizeof path, "%s", query);
    while (path[0] != '\0') {
        struct answer page = ranking(client, path);
        for (size_t i = 0; i < json_array_size(answer_at(&page, "items")); i++, seen++) {
            int player = first + seen * step;
            cr_assert_eq(player_at(&page, i), player);
            cr_assert_eq(rank_at(&page, i), (player - 1) / 3 * 3 + 1);
        }
        cr_assert_eq(answer_integer(&page, "total"), RANKED);
        path[0] = '\0';
        if (!json_is_null(answer_at(&page, "next_cursor"))) {
            (void)snprintf(path, sizeof path, "%s&cursor=%s", query,
                           answer_text(&page, "next_cursor"));
        }
        answer_free(&page);
    }
    return seen;
}

Test(scenario_rankings, pages_go_on_from_where_a_rank_or_the_activity_has_begun_them)
{
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    cr_expect_eq(walk(client, "limit=7", 1, 1), RANKED);
    cr_expect_eq(walk(client, "limit=7&start_rank=5", 7, 1), RANKED - 6);
    cr_expect_eq(walk(client, "limit=7&active_days=4", 1, 1), RANKED);
    cr_expect_eq(walk(client, "limit=7&active_days=3", 1, 2), RANKED / 2);
    cr_expect_eq(walk(client, "limit=7&active_days=2", 1, 1), 0);
    client_free(client);
    seed_end(server);
}

Test(scenario_rankings, parameters_are_checked_and_bound_to_the_cursor)
{
    static const char *const bad[] = {
        "start_rank=0",     "start_rank=1000000001", "start_rank=first",           "active_days=0",
        "active_days=3651", "active_days=-1",        "start_rank=2&active_days=2",
    };
    static const char *const other[] = {
        "limit=2",
        "limit=2&active_days=30",
        "limit=2&start_rank=3",
        "limit=2&start_rank=2&provisional=true",
    };
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    char path[256];
    char cursor[64];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        (void)snprintf(path, sizeof path, "/v1/rankings/hasami?%s", bad[i]);
        expect_problem(400, "invalid-parameter", client_get(client, path, NULL));
    }
    struct answer page = ranking(client, "limit=2&start_rank=2");
    char caching[64] = "";
    cr_expect(answer_header(&page, "Cache-Control", caching, sizeof caching));
    cr_expect_str_eq(caching, "public, max-age=5");
    (void)snprintf(cursor, sizeof cursor, "%s", answer_text(&page, "next_cursor"));
    answer_free(&page);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        (void)snprintf(path, sizeof path, "/v1/rankings/hasami?%s&cursor=%s", other[i], cursor);
        expect_problem(400, "invalid-cursor", client_get(client, path, NULL));
    }
    client_free(client);
    seed_end(server);
}
