#include "store.h"

#include "db/lists.h"
#include "db/tables.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

/* Tables, members and seats: what goes in comes out, and what the schema lets in. */

static struct db *db;
static int64_t aki;
static int64_t ben;
static int64_t cho;

static void enter(void)
{
    store_enter();
    db = store_open();
    aki = store_player(db, "aki");
    ben = store_player(db, "ben");
    cho = store_player(db, "cho");
}

static void leave(void)
{
    store_close(db);
    store_leave();
}

TestSuite(tables, .init = enter, .fini = leave);

static struct db_table table_of(int64_t host_no, unsigned number)
{
    struct db_table table = {
        .game = "yonin",
        .options = "format=pairs",
        .turn_seconds = 30,
        .show_legal_moves = true,
        .status = "open",
        .host_no = host_no,
        .created_at_ms = 5,
        .changed_at_ms = 6,
    };
    (void)snprintf(table.id.id.text, sizeof table.id.id.text, "t_%026u", number);
    memset(table.code_hash, (int)number, sizeof table.code_hash);
    return table;
}

static struct db_table insert(int64_t host_no, unsigned number, bool is_public)
{
    struct db_table table = table_of(host_no, number);
    struct db_table_member member = {.player_no = host_no, .joined_at_ms = 5};
    table.is_public = is_public;
    cr_assert_eq(db_table_insert(db, &table), DB_OK);
    member.table_no = table.table_no;
    cr_assert_eq(db_table_member_insert(db, &member), DB_OK);
    return table;
}

static void join(const struct db_table *table, int64_t player_no)
{
    struct db_table_member member = {
        .table_no = table->table_no, .player_no = player_no, .joined_at_ms = 7};
    cr_assert_eq(db_table_member_insert(db, &member), DB_OK);
}

static void expect_table(const struct db_table *found, const struct db_table *table)
{
    cr_expect_eq(found->table_no, table->table_no);
    cr_expect_str_eq(found->id.id.text, table->id.id.text);
    cr_expect_eq(memcmp(found->code_hash, table->code_hash, sizeof found->code_hash), 0);
    cr_expect_str_eq(found->game, table->game);
    cr_expect_str_eq(found->options, table->options);
    cr_expect_eq(found->turn_seconds, table->turn_seconds);
    cr_expect_eq(found->is_public, table->is_public);
    cr_expect_eq(found->show_legal_moves, table->show_legal_moves);
    cr_expect_eq(found->rotate_first, table->rotate_first);
    cr_expect_eq(found->rated, table->rated);
    cr_expect_str_eq(found->status, table->status);
    cr_expect_eq(found->host_no, table->host_no);
    cr_expect_eq(found->game_no, table->game_no);
    cr_expect_eq(found->games, table->games);
    cr_expect_eq(found->revision, table->revision);
    cr_expect_eq(found->created_at_ms, table->created_at_ms);
    cr_expect_eq(found->changed_at_ms, table->changed_at_ms);
}

Test(tables, a_table_comes_out_as_it_went_in_by_number_id_and_code)
{
    struct db_table found;
    struct db_table table = insert(aki, 3, false);
    struct table_id none = {{"t_99999999999999999999999999"}};
    cr_assert_eq(db_table_load(db, table.table_no, &found), DB_OK);
    expect_table(&found, &table);
    cr_expect_eq(strncmp(found.host_id.id.text, "p_", 2), 0);
    cr_assert_eq(db_table_find(db, &table.id, &found), DB_OK);
    expect_table(&found, &table);
    cr_assert_eq(db_table_of_code(db, table.code_hash, &found), DB_OK);
    expect_table(&found, &table);
    cr_expect_eq(db_table_find(db, &none, &found), DB_NONE);
    struct table_id id;
    cr_assert_eq(db_table_id(db, table.table_no, &id), DB_OK);
    cr_expect_str_eq(id.id.text, table.id.id.text);
}

Test(tables, a_change_is_stored_with_one_more_revision)
{
    struct db_table found;
    struct db_table table = insert(aki, 3, false);
    int64_t game_no = store_game(db, aki, ben);
    (void)snprintf(table.options, sizeof table.options, "format=individual");
    (void)snprintf(table.status, sizeof table.status, "playing");
    table.turn_seconds = 60;
    table.is_public = true;
    table.rated = true;
    table.rotate_first = true;
    table.show_legal_moves = false;
    table.host_no = ben;
    table.game_no = game_no;
    table.games = 1;
    table.changed_at_ms = 99;
    cr_assert_eq(db_table_store(db, &table), DB_OK);
    cr_expect_eq(table.revision, 2);
    cr_assert_eq(db_table_load(db, table.table_no, &found), DB_OK);
    expect_table(&found, &table);
    cr_expect_str_neq(found.game_id.id.text, "");
    table.table_no = 77;
    cr_expect_eq(db_table_store(db, &table), DB_NONE);
}

Test(tables, the_code_of_a_closed_table_is_free)
{
    struct db_table found;
    struct db_table table = insert(aki, 3, false);
    struct db_table same = table_of(ben, 4);
    memcpy(same.code_hash, table.code_hash, sizeof same.code_hash);
    cr_expect_eq(db_table_insert(db, &same), DB_CONFLICT);
    cr_assert_eq(db_table_member_drop(db, table.table_no, aki), DB_OK);
    (void)snprintf(table.status, sizeof table.status, "closed");
    table.host_no = 0;
    cr_assert_eq(db_table_store(db, &table), DB_OK);
    cr_expect_eq(db_table_of_code(db, table.code_hash, &found), DB_NONE);
    cr_assert_eq(db_table_insert(db, &same), DB_OK);
}

Test(tables, members_are_in_the_order_in_which_they_came)
{
    struct db_table_member members[4];
    size_t count = 0;
    struct db_table table = insert(ben, 3, false);
    join(&table, aki);
    join(&table, cho);
    cr_assert_eq(db_table_member_drop(db, table.table_no, aki), DB_OK);
    cr_expect_eq(db_table_member_drop(db, table.table_no, aki), DB_NONE);
    join(&table, aki);
    cr_assert_eq(db_table_members(db, table.table_no, members, 4, &count), DB_OK);
    cr_assert_eq(count, 3);
    cr_expect_eq(members[0].player_no, ben);
    cr_expect_eq(members[1].player_no, cho);
    cr_expect_eq(members[2].player_no, aki);
    cr_expect_str_eq(members[2].name, "aki");
    cr_expect_eq(members[2].joined_at_ms, 7);
    cr_expect_lt(members[1].member_no, members[2].member_no);
}

Test(tables, seats_go_with_their_member)
{
    struct db_table_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    struct db_table table = insert(aki, 3, false);
    struct db_table_seat rows[] = {
        {.table_no = table.table_no, .seat_no = 3, .player_no = aki},
        {.table_no = table.table_no, .seat_no = 1, .cpu_level = 8  },
    };
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(db_table_seat_insert(db, &rows[i]), DB_OK);
    }
    cr_assert_eq(db_table_seats(db, table.table_no, seats, &count), DB_OK);
    cr_assert_eq(count, 2);
    cr_expect_eq(seats[0].seat_no, 1);
    cr_expect_eq(seats[0].cpu_level, 8);
    cr_expect_eq(seats[0].player_no, 0);
    cr_expect_eq(seats[1].player_no, aki);
    cr_assert_eq(db_table_member_drop(db, table.table_no, aki), DB_OK);
    cr_assert_eq(db_table_seats(db, table.table_no, seats, &count), DB_OK);
    cr_expect_eq(count, 1);
    cr_assert_eq(db_table_seats_drop(db, table.table_no), DB_OK);
    cr_assert_eq(db_table_seats(db, table.table_no, seats, &count), DB_OK);
    cr_expect_eq(count, 0);
}

/* --- lists ---------------------------------------------------------------------------------------
 */

static void expect_list(int64_t player_no, int64_t before, size_t expected, int64_t first)
{
    struct db_table tables[8];
    size_t count = 0;
    cr_assert_eq(db_tables(db, player_no, before, tables, 8, &count), DB_OK);
    cr_expect_eq(count, expected, "%zu", count);
    cr_expect(count == 0 || tables[0].table_no == first);
}

Test(tables, lists_have_public_open_ones_or_a_members_own)
{
    size_t joined = 0;
    size_t hosted = 0;
    struct db_table hidden = insert(aki, 1, false);
    struct db_table shown = insert(aki, 2, true);
    struct db_table newer = insert(ben, 3, true);
    join(&newer, aki);
    expect_list(0, 0, 2, newer.table_no);
    expect_list(0, newer.table_no, 1, shown.table_no);
    expect_list(aki, 0, 3, newer.table_no);
    expect_list(aki, newer.table_no, 2, shown.table_no);
    expect_list(ben, 0, 1, newer.table_no);
    expect_list(cho, 0, 0, 0);
    cr_assert_eq(db_tables_of(db, aki, &joined, &hosted), DB_OK);
    cr_expect_eq(joined, 3);
    cr_expect_eq(hosted, 2);
    (void)hidden;
}

Test(tables, idle_ones_are_found_and_closed_ones_without_a_game_forgotten)
{
    int64_t numbers[4];
    size_t count = 0;
    struct db_table found;
    struct db_table old = insert(aki, 1, true);
    struct db_table young = insert(aki, 2, true);
    young.changed_at_ms = 50;
    cr_assert_eq(db_table_store(db, &young), DB_OK);
    cr_assert_eq(db_tables_idle(db, 49, numbers, 4, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_expect_eq(numbers[0], old.table_no);
    cr_assert_eq(db_tables_idle(db, 50, numbers, 4, &count), DB_OK);
    cr_expect_eq(count, 2);
    cr_assert_eq(db_table_member_drop(db, old.table_no, aki), DB_OK);
    (void)snprintf(old.status, sizeof old.status, "closed");
    old.host_no = 0;
    old.changed_at_ms = 60;
    cr_assert_eq(db_table_store(db, &old), DB_OK);
    cr_assert_eq(db_tables_sweep(db, 59), DB_OK);
    cr_expect_eq(db_table_load(db, old.table_no, &found), DB_OK);
    old.games = 1;
    cr_assert_eq(db_table_store(db, &old), DB_OK);
    cr_assert_eq(db_tables_sweep(db, 60), DB_OK);
    cr_expect_eq(db_table_load(db, old.table_no, &found), DB_OK, "it has had a game");
    old.games = 0;
    cr_assert_eq(db_table_store(db, &old), DB_OK);
    cr_assert_eq(db_tables_sweep(db, 60), DB_OK);
    cr_expect_eq(db_table_load(db, old.table_no, &found), DB_NONE);
    cr_assert_eq(db_table_numbers(db, 0, numbers, 4, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_expect_eq(numbers[0], young.table_no);
}

/* --- private games -------------------------------------------------------------------------------
 */

/* The same as store_game, at a table. */
static struct db_game game_at(const struct db_table *table, int64_t first, bool is_private)
{
    struct db_game game;
    int64_t game_no = store_game(db, first, ben);
    cr_assert_eq(db_game_load(db, game_no, &game), DB_OK);
    (void)snprintf(game.id.id.text, sizeof game.id.id.text, "g_%026u",
                   (unsigned)(900 + table->table_no));
    game.table_no = table->table_no;
    game.is_private = is_private;
    game.hides_legal_moves = true;
    game.keeps_seats = true;
    cr_assert_eq(db_game_insert(db, &game), DB_OK);
    return game;
}

static void expect_seen(const struct db_game *game, int64_t player_no, bool expected)
{
    bool seen = !expected;
    cr_assert_eq(db_game_is_seen_by(db, game, player_no, &seen), DB_OK);
    cr_expect_eq(seen, expected, "by %lld", (long long)player_no);
}

Test(tables, a_private_game_is_seen_by_members_and_owners)
{
    struct db_game found;
    struct game_id ids[4];
    size_t count = 0;
    uint32_t games = 0;
    struct db_table table = insert(cho, 1, false);
    struct db_game game = game_at(&table, aki, true);
    struct db_seat seat = {.game_no = game.game_no, .seat = "b", .player_no = aki};
    cr_assert_eq(db_seat_insert(db, &seat), DB_OK);
    expect_seen(&game, aki, true);
    expect_seen(&game, cho, true);
    expect_seen(&game, ben, false);
    expect_seen(&game, 0, false);
    cr_assert_eq(db_game_load(db, game.game_no, &found), DB_OK);
    cr_expect(found.is_private && found.hides_legal_moves && found.keeps_seats);
    cr_expect_eq(found.table_no, table.table_no);
    cr_expect_str_eq(found.table_id.id.text, table.id.id.text);
    cr_assert_eq(db_games_of_table(db, table.table_no, true, ids, 4, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_expect_str_eq(ids[0].id.text, game.id.id.text);
    cr_assert_eq(db_games_of_table(db, table.table_no, false, ids, 4, &count), DB_OK);
    cr_expect_eq(count, 0);
    cr_assert_eq(db_games_of_table_count(db, table.table_no, &games), DB_OK);
    cr_expect_eq(games, 1);
}

/* --- what the schema refuses ---------------------------------------------------------------------
 */

struct refusal {
    char sql[320];
    char reason[48];
};

ParameterizedTestParameters(tables, the_schema_refuses)
{
    static struct refusal refusals[] = {
        {"UPDATE game_table SET public = 2",                                "CHECK"                                  },
        {"UPDATE game_table SET public = 0, rated = 1",                     "CHECK"                                  },
        {"UPDATE game_table SET rated = 1, public = 1, turn_seconds = 0",   "CHECK"                                  },
        {"UPDATE game_table SET status = 'playing'",                        "CHECK"                                  },
        {"UPDATE game_table SET status = 'closed'",                         "CHECK"                                  },
        {"UPDATE game_table SET host_no = NULL",                            "CHECK"                                  },
        {"UPDATE game_table SET status = 'asleep'",                         "CHECK"                                  },
        {"UPDATE game_table SET changed_at_ms = 0",                         "CHECK"                                  },
        {"UPDATE game_table SET table_id = 'q_00000000000000000000000001'", "CHECK"                                  },
        {"UPDATE game_table SET host_no = 77",                              "FOREIGN KEY"                            },
        {"INSERT INTO table_member VALUES (1, 1, 9, 5)",                    "UNIQUE"                                 },
        {"INSERT INTO table_member VALUES (1, 2, 1, 5)",                    "UNIQUE"                                 },
        {"INSERT INTO table_member VALUES (7, 2, 1, 5)",                    "FOREIGN KEY"                            },
        {"INSERT INTO table_seat VALUES (1, 4, 1, NULL)",                   "CHECK"                                  },
        {"INSERT INTO table_seat VALUES (1, 1, NULL, NULL)",                "CHECK"                                  },
        {"INSERT INTO table_seat VALUES (1, 1, 1, 3)",                      "CHECK"                                  },
        {"INSERT INTO table_seat VALUES (1, 1, NULL, 9)",                   "CHECK"                                  },
        {"INSERT INTO table_seat VALUES (1, 1, NULL, 0)",                   "CHECK"                                  },
        {"INSERT INTO table_seat VALUES (1, 0, NULL, 3)",                   "UNIQUE"                                 },
        {"INSERT INTO table_seat VALUES (1, 1, 1, NULL)",                   "UNIQUE"                                 },
        {"INSERT INTO table_seat VALUES (1, 1, 2, NULL)",                   "FOREIGN KEY"                            },
        {"DELETE FROM table_member",                                        "FOREIGN KEY"                            },
        {"UPDATE game SET private = 1",                                     "a game keeps what it has from its table"},
        {"UPDATE game SET table_no = 1",                                    "a game keeps what it has from its table"},
        {"UPDATE game SET show_legal_moves = 0",                            "a game keeps what it has from its table"},
        {"UPDATE game SET rotate_first = 0",                                "a game keeps what it has from its table"},
    };
    return cr_make_param_array(struct refusal, refusals, sizeof refusals / sizeof refusals[0]);
}

ParameterizedTest(struct refusal *refusal, tables, the_schema_refuses)
{
    char *message = NULL;
    struct db_table table = insert(aki, 1, true);
    struct db_table_seat seat = {.table_no = table.table_no, .player_no = aki};
    cr_assert_eq(db_table_seat_insert(db, &seat), DB_OK);
    (void)store_game(db, aki, ben);
    store_close(db);
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "PRAGMA foreign_keys = ON");
    int result = foreign_try(foreign, refusal->sql, &message);
    cr_expect_eq(result, SQLITE_CONSTRAINT, "%s: %d", refusal->sql, result);
    cr_expect(message != NULL && strstr(message, refusal->reason) != NULL, "%s: %s", refusal->sql,
              message);
    sqlite3_free(message);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    db = store_open();
}
