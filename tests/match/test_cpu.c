#include "key_folder.h"
#include "match/attend.h"
#include "match/choice.h"
#include "play.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What the CPU plays, and seats that it takes over from whoever is not there. */

static const char *const pools[] = {"hasami", "yonin", "yonin_pairs"};
enum { POOLS = sizeof pools / sizeof pools[0] };

/* --- the choice ----------------------------------------------------------------------------------
 */

static const struct choice_budget ample = {2048, 1000};

/* A line at the start of a pool's game. */
static struct game_line *line_of(const char *pool)
{
    const struct pool_rules *found = NULL;
    const struct game_rules *rules = rules_find_pool(pool, &found);
    struct game_line *line = calloc(1, sizeof *line + sizeof line->history[0]);
    cr_assert_not_null(line);
    atomic_init(&line->references, 1);
    line->rules = rules;
    line->options = found->options;
    options_bound(rules, &line->options);
    rules->start(&line->position);
    line->history[0] = (struct history_entry){rules->hash(&line->position), RULES_SEAT_NONE, false};
    return line;
}

static struct game_line *line_at(const char *pool, const char *position)
{
    struct text_error error;
    struct game_line *line = line_of(pool);
    cr_assert(line->rules->parse_position(position, strlen(position), &line->options,
                                          &line->position, &error),
              "%s", error.text);
    line->history[0].key = line->rules->hash(&line->position);
    return line;
}

static struct move chosen(const struct game_line *line, uint64_t seed,
                          const struct choice_budget *budget)
{
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct move move = {0};
    cr_assert_eq(choice_make(&env, budget, line, &move), CHOICE_MADE);
    return move;
}

static const char *chosen_text(const char *pool, const char *position, uint64_t seed)
{
    static char text[RULES_MOVE_TEXT_MAX];
    struct game_line *line = line_at(pool, position);
    line->rules->format_move(chosen(line, seed, &ample), text);
    line_unref(line);
    return text;
}

/* Plays a game against itself; how many plies it had. */
static uint32_t self_play(const char *pool, uint64_t seed, uint32_t plies,
                          const struct choice_budget *budget, uint64_t *print)
{
    struct game_line *line = line_of(pool);
    struct outcome outcome = {.reason = END_NONE};
    *print = 0;
    while (line->ply < plies && outcome.reason == END_NONE) {
        struct ply_effects effects;
        struct illegal why;
        struct history history = line_history(line);
        struct move move = chosen(line, seed + line->ply, budget);
        cr_assert(line->rules->is_legal(&line->position, &line->options, &history, move, &why));
        struct game_line *next = line_after(line, move, 0, &effects);
        cr_assert_not_null(next);
        line_unref(line);
        line = next;
        *print = *print * 31 + move.bits;
        line_outcome(line, &outcome);
    }
    uint32_t played = line->ply;
    line_unref(line);
    return played;
}

Test(choice, is_legal_in_every_game_and_the_same_with_the_same_chance)
{
    for (size_t i = 0; i < POOLS; i++) {
        uint64_t first = 0;
        uint64_t second = 0;
        uint64_t other = 0;
        uint32_t plies = self_play(pools[i], 1, 150, &ample, &first);
        cr_expect_gt(plies, 20, "%s", pools[i]);
        cr_expect_eq(self_play(pools[i], 1, 150, &ample, &second), plies);
        cr_expect_eq(first, second, "%s", pools[i]);
        (void)self_play(pools[i], 2, 150, &ample, &other);
        cr_expect_neq(first, other, "%s", pools[i]);
    }
}

Test(choice, with_a_budget_of_one_look_is_any_legal_move)
{
    static const struct choice_budget tight = {1, 0};
    for (size_t i = 0; i < POOLS; i++) {
        uint64_t print = 0;
        cr_expect_gt(self_play(pools[i], 3, 60, &tight, &print), 10, "%s", pools[i]);
    }
}

Test(choice, takes_what_can_be_taken_and_wins_where_that_wins)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        cr_expect_str_eq(chosen_text("hasami", "1pppppppp/9/9/9/Pp7/9/9/9/1PPPPPPP1 b - 1", seed),
                         "7i7e");
        cr_expect_str_eq(chosen_text("hasami", "pppp5/9/9/9/Pp7/9/9/9/1PPPPPPP1 b - 1", seed),
                         "7i7e");
    }
}

/* Chance, and a clock that each look at it moves on. */
struct slow_machine {
    uint64_t seed; /* first: mixed_random takes it here */
    int64_t now_ms;
    int64_t step_ms;
};

static int64_t slow_steady_ms(void *context)
{
    struct slow_machine *machine = context;
    return machine->now_ms += machine->step_ms;
}

Test(choice, looks_no_further_than_its_time_lasts_but_at_one_move)
{
    static const struct choice_budget timed = {2048, 10};
    static const struct choice_budget tight = {1, 1000};
    struct game_line *line = line_at("hasami", "1pppppppp/9/9/9/Pp7/9/9/9/1PPPPPPP1 b - 1");
    size_t differ = 0;
    for (uint64_t seed = 1; seed < 20; seed++) {
        struct slow_machine slow = {.seed = seed, .step_ms = 11};
        struct slow_machine fast = {.seed = seed, .step_ms = 0};
        struct match_env env = {
            .random = mixed_random, .steady_ms = slow_steady_ms, .context = &slow};
        struct move late;
        struct move early;
        cr_assert_eq(choice_make(&env, &timed, line, &late), CHOICE_MADE);
        env.context = &fast;
        cr_assert_eq(choice_make(&env, &timed, line, &early), CHOICE_MADE);
        cr_expect_eq(late.bits, chosen(line, seed, &tight).bits, "the first one it came to");
        cr_expect_eq(early.bits, chosen(line, seed, &ample).bits, "the best one");
        differ += late.bits != early.bits;
    }
    cr_expect_gt(differ, 0);
    line_unref(line);
}

Test(choice, of_a_position_without_a_move_there_is_none)
{
    uint64_t seed = 1;
    struct match_env env = {.random = mixed_random, .context = &seed};
    struct move move;
    struct game_line *line = line_at("hasami", "pppp5/9/9/9/9/9/9/9/PPPPPPPPP w - 2");
    cr_expect_eq(choice_make(&env, &ample, line, &move), CHOICE_NONE, "it is over");
    line_unref(line);
}

/* --- the service ---------------------------------------------------------------------------------
 */

static struct stage stage;
enum { ABSENCE_MS = PLAY_ABSENCE_MS, LEVEL = 7, GAMES = 5000, LATE_MS = 2000 };

static void serve(int64_t delay_ms)
{
    struct match_options options = play_options();
    options.cpu_delay_ms = delay_ms;
    options.cpu_workers = 2;
    options.absence_level = LEVEL;
    stage_serve(&stage, options);
}

static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
    serve(500);
}

static void leave(void)
{
    play_leave_stage(&stage);
}

TestSuite(cpu, .init = enter, .fini = leave);

Test(cpu, plays_a_game_that_everybody_has_left_to_its_end_and_none_follows)
{
    stage_stop(&stage);
    serve(0);
    for (size_t i = 0; i < POOLS; i++) {
        struct play play = play_new(&stage, pools[i], 30);
        struct game_view view = play_view(&play);
        for (size_t seat = 0; seat < view.seat_count; seat++) {
            cr_assert_eq(play_leave(&play, (int)seat), MATCH_OK);
        }
        while (view.game.turn[0] != '\0') {
            view = play_await(&play, view.game.seq + 1);
        }
        cr_expect_str_eq(view.game.status, "finished", "%s", pools[i]);
        cr_expect_str_eq(view.result.rating_status, "applied");
        cr_expect_not(view.has_replayed_by);
        for (size_t seat = 0; seat < view.seat_count; seat++) {
            cr_expect_leq(view.result.ratings[seat].delta_milli, 0, "nobody gains by leaving");
        }
    }
}

/* C59: whoever the writer sees first makes the move, and the other learns of it. */
Test(cpu, and_an_owner_who_comes_back_at_the_same_ply_make_one_move)
{
    size_t owners = 0;
    for (int i = 0; i < 60; i++) {
        struct play play = play_new(&stage, "hasami", 30);
        cr_assert_eq(play_leave(&play, 0), MATCH_OK);
        play_advance(&play, 500);
        for (int j = 0; j < i; j++) {
            (void)play_view(&play); /* a little later each time */
        }
        enum match_status status = play_move_text(&play, 0, 1, "5i5h", atomic_load(&stage.now_ms));
        struct game_view view = play_view(&play);
        cr_expect_eq(view.game.ply, 1);
        cr_expect_not(view.seats[0].row.cpu);
        cr_expect(status == MATCH_OK || status == MATCH_STALE_PLY);
        owners += status == MATCH_OK;
        cr_expect_str_eq(play_story(&play), status == MATCH_OK
                                                ? "seat b left, seat b returned, move b player@500"
                                                : "seat b left, move b cpu@500, seat b returned");
    }
    cr_expect_gt(owners, 0);
}

/* D70, and more of them than there is room for with the workers. */
static void store_games(sqlite3 *foreign)
{
    char sql[2048];
    (void)snprintf(sql, sizeof sql,
                   "CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL"
                   " SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n;"
                   "INSERT INTO game (game_id, game, pool, rated, options, turn_seconds,"
                   " player_set, status, position, ply, turn, seq, created_at_ms, deadline_at_ms)"
                   " SELECT printf('g_%%026d', i), 'hasami', 'hasami', 1,"
                   " 'win_condition=capture_5 move_limit=2000', 30, '1,2', 'playing',"
                   " 'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1', 0, 'b', 0, %d - i %% 1000,"
                   " %d - i %% 1000 + 30000 FROM n;"
                   "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control)"
                   " SELECT game_no, 0, 'b', 1, 1500000, 'player' FROM game;"
                   "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control)"
                   " SELECT game_no, 1, 'w', 2, 1500000, 'player' FROM game;",
                   GAMES, STORE_NOW_MS, STORE_NOW_MS);
    foreign_run(foreign, sql);
}

static struct play stored_play(void)
{
    struct play play = {.stage = &stage, .game_no = 1};
    struct db_game game;
    struct db *db = reader_take(stage.match);
    cr_assert_eq(db_game_load(db, 1, &game), DB_OK);
    reader_give(stage.match, db);
    play.id = game.id;
    return play;
}

static int64_t processor_ms(void)
{
    struct rusage usage;
    cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
    int64_t seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
    return seconds * 1000 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

/* How late the last of the turns has ended, by the service's clock: that goes on while nothing
 * happens, so that what the writer had no room for is tried again, and not while the machine is
 * busy with them (or with something else). */
static int64_t end_first_turns(const struct play *play, sqlite3 *foreign)
{
    static const char left[] = "SELECT count(*) FROM game WHERE ply = 0";
    enum { LOOK_MS = 10 };
    int64_t late_ms = 0;
    int64_t before = 0;
    for (int64_t now = GAMES; now > 0 && late_ms <= LATE_MS; now = foreign_int(foreign, left)) {
        if (now == before) {
            play_advance(play, LOOK_MS);
            late_ms += LOOK_MS;
        }
        before = now;
        (void)usleep(LOOK_MS * 1000);
    }
    return late_ms;
}

Test(cpu, five_thousand_deadlines_in_one_second_end_each_turn_once)
{
    (void)stage_player(&stage);
    (void)stage_player(&stage);
    stage_stop(&stage);
    sqlite3 *foreign = foreign_open(store_path());
    store_games(foreign);
    serve(500);
    struct play play = stored_play();
    int64_t begin_ms = processor_ms();
    play_advance(&play, 30000);
    int64_t late_ms = end_first_turns(&play, foreign);
    cr_expect_leq(late_ms, LATE_MS, "they end too late");
    cr_expect_leq(processor_ms() - begin_ms, LATE_MS, "a processor is busy with them for longer");
    cr_expect_eq(foreign_int(foreign, "SELECT count(*) FROM move WHERE ply = 1"), GAMES);
    cr_expect_eq(foreign_int(foreign, "SELECT count(*) FROM move"), GAMES);
    cr_expect_eq(foreign_int(foreign, "SELECT count(*) FROM game_event"), 0);
    cr_expect_eq(foreign_int(foreign, "SELECT count(*) FROM move JOIN game USING (game_no)"
                                      " WHERE made_by = 'cpu' AND think_ms = 30000"
                                      " AND at_ms = created_at_ms + 30000"),
                 GAMES);
    cr_expect_eq(sqlite3_close(foreign), SQLITE_OK);
}

/* --- absence -------------------------------------------------------------------------------------
 */

/* A game without a turn time; tables make such. The start of the service is a sign of life. */
static struct play unclocked(void)
{
    struct play play = play_new(&stage, "hasami", 30);
    stage_stop(&stage);
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "UPDATE game SET turn_seconds = 0, deadline_at_ms = NULL, rated = 0,"
                         " unrated_reason = 'no_clock'");
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    serve(500);
    cr_expect_eq(play_view(&play).deadline_at_ms, 0);
    return play;
}

static void look(const struct play *play)
{
    struct due_game due = {atomic_load(&stage.now_ms), play->game_no, play->id};
    attend(stage.match, &due);
}

Test(cpu, takes_the_seat_of_who_is_on_turn_and_silent_for_so_long_without_a_break)
{
    struct play play = unclocked();
    play_advance(&play, ABSENCE_MS - 1);
    look(&play);
    cr_expect_eq(play_view(&play).game.seq, 0);
    recency_touch(stage.match->players, play.players[0], atomic_load(&stage.now_ms));
    play_advance(&play, ABSENCE_MS - 1);
    look(&play);
    cr_expect_eq(play_view(&play).game.seq, 0, "there was a sign of life");
    play_advance(&play, 1);
    struct game_view view = play_await(&play, 2);
    cr_expect(view.seats[0].row.cpu && view.seats[0].row.cpu_level == LEVEL);
    cr_expect_not(view.seats[1].row.cpu, "who is not on turn is not waited for");
    cr_expect_str_eq(play_story(&play), "seat b absent, move b cpu@239999");
}

Test(cpu, does_not_wait_for_who_is_silent_and_has_a_turn_time)
{
    struct play play = play_new(&stage, "hasami", 60);
    play_advance(&play, 59999);
    look(&play);
    cr_expect_eq(play_view(&play).game.seq, 0);
}

Test(cpu, a_move_of_who_was_absent_gives_the_seat_back)
{
    struct play play = unclocked();
    recency_touch(stage.match->players, play.players[1], STORE_NOW_MS + ABSENCE_MS);
    play_advance(&play, ABSENCE_MS);
    (void)play_await(&play, 2);
    cr_expect_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
    recency_touch(stage.match->players, play.players[0], atomic_load(&stage.now_ms));
    cr_expect_eq(play_return(&play, 0), MATCH_OK);
    cr_expect_eq(play_move(&play, atomic_load(&stage.now_ms)), MATCH_OK);
    cr_expect_str_eq(play_story(&play), "seat b absent, move b cpu@120000, move w player@120000,"
                                        " seat b returned, move b player@120000");
}
