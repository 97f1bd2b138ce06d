#include "db/clocks.h"
#include "db/tables.h"
#include "writer_stage.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* What the writer knows of games, clocks, seats, tables and tickets without counting rows. */

TestSuite(tally, .init = stage_enter, .fini = stage_leave, .timeout = 300);

static struct db_writer_stats stats(void)
{
    struct db_writer_stats now;
    db_writer_stats(stage.writer, &now);
    return now;
}

static enum db_status run_work(enum db_status (*run)(struct db_job *, struct db *),
                               enum db_status answer)
{
    struct work work = work_new(1);
    work.job.run = run;
    work.answer = answer;
    cr_assert(db_writer_submit(stage.writer, &work.job));
    stage_wait(1);
    return work.status;
}

static void change_hands(struct db *db, int64_t game_no, uint32_t seq, const char *reason)
{
    struct db_event event = {.game_no = game_no, .seq = seq, .type = "seat", .at_ms = 1};
    (void)snprintf(event.reason, sizeof event.reason, "%s", reason);
    cr_assert_eq(db_event_insert(db, &event), DB_OK);
}

/* The seat is left, the CPU moves for it, and it is returned to. */
static void play(struct db *db, int64_t game_no)
{
    struct db_move move = store_move(game_no, 1);
    change_hands(db, game_no, 3, "left");
    move.seq = 4;
    move.by_cpu = true;
    cr_assert_eq(db_move_insert(db, &move), DB_OK);
    change_hands(db, game_no, 5, "returned");
    move.ply = 2;
    move.seq = 6;
    move.by_cpu = false;
    cr_assert_eq(db_move_insert(db, &move), DB_OK);
}

/* Three tables, of which one plays now and one is closed. */
static void open_tables(struct db *db, int64_t host_no, int64_t game_no)
{
    static const char *const later[] = {"open", "playing", "closed"};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        struct db_table table = {.game = "hasami",
                                 .options = "",
                                 .turn_seconds = 30,
                                 .status = "open",
                                 .is_public = i == 1,
                                 .host_no = host_no,
                                 .created_at_ms = 5,
                                 .changed_at_ms = 6};
        (void)snprintf(table.id.id.text, sizeof table.id.id.text, "t_%026zu", i);
        memset(table.code_hash, (int)i, sizeof table.code_hash);
        cr_assert_eq(db_table_insert(db, &table), DB_OK);
        (void)snprintf(table.status, sizeof table.status, "%s", later[i]);
        table.host_no = i == 2 ? 0 : host_no;
        table.game_no = i == 1 ? game_no : 0;
        cr_assert_eq(db_table_store(db, &table), DB_OK);
    }
}

/* Of the two games one ends, and of the two tickets that wait one is cancelled. */
static enum db_status run_much(struct db_job *job, struct db *db)
{
    int64_t first = store_player(db, "aki");
    int64_t second = store_player(db, "ben");
    int64_t running = store_game(db, first, second);
    store_finish(db, store_game(db, first, second));
    cr_assert_eq(db_clocks_credit(db, &(struct db_credit){0, 7, "restart"}), DB_OK);
    cr_assert_eq(db_clocks_credit(db, &(struct db_credit){250, 1000, "pause"}), DB_OK);
    cr_assert_eq(db_clocks_credit(db, &(struct db_credit){0, 1000, "pause"}), DB_OK);
    play(db, running);
    open_tables(db, first, running);
    int64_t players[] = {first, second};
    struct db_ticket ticket;
    for (size_t i = 0; i < 2; i++) {
        ticket = (struct db_ticket){.player_no = players[i],
                                    .pool = "hasami",
                                    .turn_seconds = 30,
                                    .status = "waiting",
                                    .created_at_ms = 1};
        memcpy(ticket.id.id.text, "q_00000000000000000000000000", sizeof ticket.id.id.text);
        ticket.id.id.text[5] = (char)('0' + i);
        cr_assert_eq(db_ticket_insert(db, &ticket), DB_OK);
    }
    memcpy(ticket.status, "cancelled", sizeof "cancelled");
    ticket.ended_at_ms = 2;
    cr_assert_eq(db_ticket_end(db, &ticket), DB_OK);
    cr_assert_eq(db_ticket_end(db, &ticket), DB_NONE);
    return work_of(job)->answer;
}

static void expect_one_of_each(const struct db_writer_stats *now)
{
    cr_expect_eq(now->live.games_playing, 1);
    cr_expect_eq(now->live.tickets_waiting, 1);
    cr_expect_eq(now->live.tables_open, 1);
    cr_expect_eq(now->live.tables_playing, 1);
}

static int64_t sum_of(const int64_t *numbers, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += numbers[i];
    }
    return sum;
}

static void expect_done(const struct db_tally *done)
{
    cr_expect_eq(done->games_started, 2);
    cr_expect_eq(sum_of(done->games_ended, DB_ENDS), 1);
    cr_expect_str_eq(db_end_text(0), "capture");
    cr_expect_eq(done->games_ended[0], 1);
    cr_expect_eq(done->cpu_moves, 1);
    cr_expect_eq(sum_of(done->seats_changed, DB_SEAT_REASONS), 2);
    cr_expect_str_eq(db_seat_reason_text(2), "left");
    cr_expect_eq(done->seats_changed[2], 1);
    cr_expect_str_eq(db_seat_reason_text(3), "returned");
    cr_expect_eq(done->seats_changed[3], 1);
    cr_expect_eq(sum_of(done->tickets_ended, DB_TICKET_ENDS), 1);
    cr_expect_str_eq(db_ticket_end_text(1), "cancelled");
    cr_expect_eq(done->tickets_ended[1], 1);
}

static void expect_nothing_done(const struct db_tally *done)
{
    static const struct db_tally nothing;
    cr_expect_eq(memcmp(done, &nothing, sizeof nothing), 0);
}

Test(tally, what_is_committed_is_counted)
{
    cr_assert_eq(run_work(run_much, DB_OK), DB_OK);
    struct db_writer_stats now = stats();
    expect_one_of_each(&now);
    expect_done(&now.done);
}

/* The restart gives the game its first deadline, the pause moves it on, and no time moves nothing.
 */
Test(tally, time_that_is_given_back_is_counted_once_and_the_clocks_one_by_one)
{
    cr_assert_eq(run_work(run_much, DB_OK), DB_OK);
    struct db_writer_stats now = stats();
    cr_expect_str_eq(db_credit_text(0), "pause");
    cr_expect_str_eq(db_credit_text(1), "restart");
    cr_expect_eq(now.done.clocks_credited[0], 1);
    cr_expect_eq(now.done.credited_ms[0], 250);
    cr_expect_eq(now.done.clocks_credited[1], 1);
    cr_expect_eq(now.done.credited_ms[1], 0);
}

Test(tally, what_is_rolled_back_is_not)
{
    cr_assert_eq(run_work(run_much, DB_NONE), DB_NONE);
    struct db_writer_stats now = stats();
    cr_expect_eq(now.live.games_playing, 0);
    cr_expect_eq(now.live.tickets_waiting, 0);
    cr_expect_eq(now.live.tables_open, 0);
    cr_expect_eq(now.live.tables_playing, 0);
    expect_nothing_done(&now.done);
}

Test(tally, a_refused_job_between_others_takes_only_its_own_away)
{
    struct work gate;
    struct work works[] = {work_new(1), work_new(2)};
    works[0].job.run = run_much;
    works[0].answer = DB_NONE;
    works[1].job.run = run_much;
    stage_hold(&gate);
    for (size_t i = 0; i < 2; i++) {
        cr_assert(db_writer_submit(stage.writer, &works[i].job));
    }
    (void)sem_post(&stage.gate);
    stage_wait(3);
    cr_assert_eq(works[0].status, DB_NONE);
    cr_assert_eq(works[1].status, DB_OK);
    struct db_writer_stats now = stats();
    expect_one_of_each(&now);
    expect_done(&now.done);
}

Test(tally, a_start_finds_what_the_file_holds_and_begins_to_count_anew)
{
    cr_assert_eq(run_work(run_much, DB_OK), DB_OK);
    cr_assert_eq(db_writer_stop(stage.writer), DB_OK);
    stage_start();
    struct db_writer_stats now = stats();
    expect_one_of_each(&now);
    cr_expect_eq(sum_of(now.done.games_ended, DB_ENDS), 0);
    cr_expect_eq(now.done.live.tables_open, 0);
    expect_nothing_done(&now.done);
}

/* The schema's own list, so that no end goes uncounted. */
Test(tally, every_end_that_the_schema_allows_has_a_place)
{
    sqlite3 *foreign = foreign_open(store_path());
    char sql[256];
    size_t length = 0;
    for (size_t i = 0; i < DB_ENDS; i++) {
        (void)snprintf(sql, sizeof sql,
                       "SELECT instr(sql, '''%s''') > 0 FROM sqlite_schema WHERE name = 'game'",
                       db_end_text(i));
        cr_expect_eq(foreign_int(foreign, sql), 1, "%s", db_end_text(i));
        length += strlen(db_end_text(i)) + 2;
    }
    /* Quotes and words between IN ( and ), without blanks, line ends and commas. */
    cr_expect_eq(
        foreign_int(
            foreign,
            "WITH a AS (SELECT substr(sql, instr(sql, 'end_reason IN (') + 15) AS t FROM"
            " sqlite_schema WHERE name = 'game'), b AS (SELECT substr(t, 1, instr(t, ')') - 1)"
            " AS t FROM a) SELECT length(replace(replace(replace(t, ' ', ''), char(10), ''),"
            " ',', '')) FROM b"),
        (int64_t)length);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}
