#include "writer_stage.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* What the writer knows of games and tickets without counting rows. */

TestSuite(tally, .init = stage_enter, .fini = stage_leave, .timeout = 60);

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

/* Two games that start, of which one ends, and two tickets that wait, of which one is cancelled. */
static enum db_status run_much(struct db_job *job, struct db *db)
{
    int64_t first = store_player(db, "aki");
    int64_t second = store_player(db, "ben");
    (void)store_game(db, first, second);
    store_finish(db, store_game(db, first, second));
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
    cr_expect_eq(now->games_playing, 1);
    cr_expect_eq(now->tickets_waiting, 1);
}

Test(tally, what_is_committed_is_counted)
{
    cr_assert_eq(run_work(run_much, DB_OK), DB_OK);
    struct db_writer_stats now = stats();
    expect_one_of_each(&now);
    cr_expect_eq(now.done.games_started, 2);
    cr_expect_eq(db_tally_games_ended(&now.done), 1);
    cr_expect_str_eq(db_end_text(0), "capture");
    cr_expect_eq(now.done.games_ended[0], 1);
}

Test(tally, what_is_rolled_back_is_not)
{
    cr_assert_eq(run_work(run_much, DB_NONE), DB_NONE);
    struct db_writer_stats now = stats();
    cr_expect_eq(now.games_playing, 0);
    cr_expect_eq(now.tickets_waiting, 0);
    cr_expect_eq(now.done.games_started, 0);
    cr_expect_eq(db_tally_games_ended(&now.done), 0);
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
    cr_expect_eq(now.done.games_started, 2);
}

Test(tally, a_start_finds_what_the_file_holds_and_begins_to_count_anew)
{
    cr_assert_eq(run_work(run_much, DB_OK), DB_OK);
    cr_assert_eq(db_writer_stop(stage.writer), DB_OK);
    stage_start();
    struct db_writer_stats now = stats();
    expect_one_of_each(&now);
    cr_expect_eq(now.done.games_started, 0);
    cr_expect_eq(db_tally_games_ended(&now.done), 0);
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
