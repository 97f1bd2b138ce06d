#include "match/tables.h"

#include "ear.h"
#include "match/attend.h"
#include "match/devices.h"
#include "match/operate.h"
#include "match/service.h"
#include "play.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Who hears of what happens at a table: all whom it concerns, from what the job has noted. */

enum { DELAY_MS = PLAY_DELAY_MS, PEOPLE = 4, PROBES = 17 };

static struct stage stage;

/* Nobody looks at games but the tests. */
static void serve(void)
{
    struct match_options options = play_options();
    options.readers = 2;
    options.cpu_workers = 0;
    options.absence_level = 5;
    stage_serve(&stage, options);
}

static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
    serve();
}

static void leave(void)
{
    play_leave_stage(&stage);
}

TestSuite(tables, .init = enter, .fini = leave);

/* --- deeds ---------------------------------------------------------------------------------------
 */

static struct match_table_deed deed(enum table_deed what, int64_t player_no)
{
    return (struct match_table_deed){
        .op = stage_op(&stage),
        .deed = what,
        .player_no = player_no,
        .at_ms = atomic_load(&stage.now_ms),
    };
}

static void do_it(struct match_table_deed *command)
{
    cr_assert_eq(stage_finish(&stage, &command->op, match_table_begin(stage.match, command)),
                 MATCH_OK);
}

/* A table of the first, with the others as members. */
static struct table_view gather(const int64_t *people, size_t count, const char *move_limit)
{
    static struct match_table_deed command;
    command = deed(TABLE_CREATE, people[0]);
    command.rules = rules_find("hasami");
    command.wish.options = (struct table_options){1, {{.key = "move_limit", .is_number = true}}};
    (void)snprintf(command.wish.options.at[0].value, TABLE_WORD_TEXT, "%s", move_limit);
    do_it(&command);
    struct table_view made = command.view;
    for (size_t i = 1; i < count; i++) {
        command = deed(TABLE_JOIN, people[i]);
        memcpy(command.code, made.code, sizeof command.code);
        do_it(&command);
    }
    return made;
}

static void sit(const struct table_view *table, int64_t host, char seat, uint8_t cpu_level)
{
    static struct match_table_deed command;
    command = deed(TABLE_SIT, host);
    command.id = table->row.id;
    command.seat = seat;
    command.cpu_level = cpu_level;
    do_it(&command);
}

/* The game between the host, who has the second seat, and the CPU. */
static struct play start(const struct table_view *table, int64_t host)
{
    static struct match_table_deed command;
    sit(table, host, 'b', 5);
    sit(table, host, 'w', 0);
    command = deed(TABLE_START, host);
    command.id = table->row.id;
    do_it(&command);
    return (struct play){
        .stage = &stage,
        .game_no = command.game.game.game_no,
        .id = command.game.game.id,
        .players = {host, host}, /* whoever asks */
    };
}

static void look(const struct play *play)
{
    struct due_game due = {atomic_load(&stage.now_ms), play->game_no, play->id};
    attend(stage.match, &due);
}

/* --- who hears of it -----------------------------------------------------------------------------
 */

static void players(int64_t people[PEOPLE])
{
    for (size_t i = 0; i < PEOPLE; i++) {
        people[i] = stage_player(&stage);
    }
}

Test(tables, members_of_one_that_is_closed_to_make_room_are_told_whoever_of_them_goes_first)
{
    enum { OPENER = LIMIT_TABLE_MEMBERS };
    int64_t people[OPENER + 1];
    struct ear ears[OPENER + 1];
    for (size_t i = 0; i <= OPENER; i++) {
        people[i] = stage_player(&stage);
    }
    (void)gather(people, OPENER, "10");
    atomic_fetch_add(&stage.now_ms, LIMIT_TABLE_IDLE_MS);
    for (size_t i = 0; i <= OPENER; i++) {
        ear_listen(&stage, &ears[i], people[i]);
    }
    (void)gather(&people[OPENER], 1, "10");
    for (size_t i = 0; i <= OPENER; i++) {
        ear_expect(&stage, &ears[i], people[i], i != OPENER, "closing");
    }
}

static void join_table(const struct table_view *table, int64_t player_no)
{
    static struct match_table_deed command;
    command = deed(TABLE_JOIN, player_no);
    memcpy(command.code, table->code, sizeof command.code);
    do_it(&command);
}

static void leave_table(const struct table_view *table, int64_t player_no)
{
    static struct match_table_deed command;
    command = deed(TABLE_LEAVE, player_no);
    command.id = table->row.id;
    do_it(&command);
}

static void erase(const struct table_view *table, int64_t player_no)
{
    struct match_erase command = {
        .op = stage_op(&stage), .player_no = player_no, .at_ms = atomic_load(&stage.now_ms)};
    (void)table;
    cr_assert_eq(stage_finish(&stage, &command.op, match_erase_begin(stage.match, &command)),
                 MATCH_OK);
}

/* The player is the longest member. */
static void ban(const struct table_view *table, int64_t player_no)
{
    static struct table_view view;
    cr_assert_eq(match_table(stage.match, &table->row.id, player_no, &view), MATCH_OK);
    struct match_operate command = {
        .op = stage_op(&stage), .deed = OPERATE_BAN, .id = view.members[0].id.id};
    cr_assert_eq(match_operate(stage.match, &command), MATCH_OK);
    cr_assert_eq(command.refusal, OPERATE_DONE);
}

/* Who goes may do so on one device of several: the others hear of it like all the members. */
Test(tables, members_are_told_of_who_comes_and_goes_and_so_is_who_goes)
{
    static const struct {
        void (*happens)(const struct table_view *table, int64_t player_no);
        const char *what;
        size_t who;
        size_t left; /* those before are no members any more */
    } cases[] = {
        {join_table,  "joining",                3, 0},
        {leave_table, "the host's leaving",     0, 0},
        {erase,       "erasing",                1, 1},
        {ban,         "banning",                2, 2},
        {leave_table, "the last one's leaving", 3, 3},
    };
    int64_t people[PEOPLE];
    struct ear ears[PEOPLE];
    players(people);
    struct table_view table = gather(people, 3, "10");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t j = 0; j < PEOPLE; j++) {
            ear_listen(&stage, &ears[j], people[j]);
        }
        cases[i].happens(&table, people[cases[i].who]);
        /* All were told before the answer to whatever comes after it. */
        (void)stage_player(&stage);
        for (size_t j = 0; j < PEOPLE; j++) {
            ear_expect(&stage, &ears[j], people[j], j >= cases[i].left, cases[i].what);
        }
    }
}

Test(tables, members_without_a_seat_are_told_of_the_end_of_its_game_however_it_comes)
{
    static const char *const limits[] = {"10", "1"};
    for (size_t i = 0; i < 2; i++) {
        int64_t people[PEOPLE];
        struct ear ears[PEOPLE];
        players(people);
        struct table_view table = gather(people, 3, limits[i]);
        struct play play = start(&table, people[0]);
        for (size_t j = 0; j < PEOPLE; j++) {
            ear_listen(&stage, &ears[j], people[j]);
        }
        if (i == 0) {
            struct match_seat command = {.op = stage_op(&stage),
                                         .game_id = play.id,
                                         .player_no = people[0],
                                         .at_ms = atomic_load(&stage.now_ms)};
            cr_assert_eq(
                stage_finish(&stage, &command.op, match_resign_begin(stage.match, &command)),
                MATCH_OK);
        } else {
            play_advance(&play, DELAY_MS);
            look(&play);
            (void)play_await(&play, 2);
        }
        /* All were told before the answer to whatever comes after it. */
        (void)stage_player(&stage);
        for (size_t j = 0; j < PEOPLE; j++) {
            ear_expect(&stage, &ears[j], people[j], j != 3, i == 0 ? "resigning" : "the last move");
        }
    }
}

/* --- the end of the service ----------------------------------------------------------------------
 */

/* A job that holds the writer up. */
struct hold {
    struct db_job job;
    sem_t begun;
    sem_t go;
};

static void await(sem_t *post)
{
    while (sem_wait(post) != 0) {
    }
}

static enum db_status hold_run(struct db_job *job, struct db *db)
{
    struct hold *hold = (struct hold *)job;
    (void)db;
    (void)sem_post(&hold->begun);
    await(&hold->go);
    return DB_OK;
}

static enum db_status probe_run(struct db_job *job, struct db *db)
{
    (void)job;
    (void)db;
    return DB_OK;
}

static void probe_done(struct db_job *job, enum db_status status)
{
    (void)job;
    (void)status;
}

/* Until the writer takes no more jobs: all that match_close ends before it has ended. */
static void await_stopping(void)
{
    static struct db_job probes[PROBES];
    for (size_t i = 0; i < PROBES; i++) {
        const struct timespec pause = {.tv_sec = (1 << i) / 1000,
                                       .tv_nsec = (1 << i) % 1000 * 1000000L};
        probes[i] = (struct db_job){.run = probe_run, .done = probe_done};
        if (!db_writer_submit(stage.match->writer, &probes[i])) {
            return;
        }
        (void)nanosleep(&pause, NULL);
    }
    cr_assert_fail("the writer goes on");
}

static void *close_main(void *context)
{
    *(enum db_status *)context = match_close(stage.match);
    return NULL;
}

Test(tables, a_last_move_that_is_queued_when_the_service_ends_still_ends_the_game)
{
    static struct hold hold;
    int64_t people[PEOPLE];
    pthread_t closer;
    enum db_status closed = DB_ERROR;
    players(people);
    struct table_view table = gather(people, 3, "1");
    struct play play = start(&table, people[0]);
    (void)sem_init(&hold.begun, 0, 0);
    (void)sem_init(&hold.go, 0, 0);
    hold.job = (struct db_job){.run = hold_run, .done = probe_done};
    cr_assert(db_writer_submit(stage.match->writer, &hold.job));
    await(&hold.begun);
    play_advance(&play, DELAY_MS);
    look(&play);
    match_stop(stage.match);
    cr_assert_eq(pthread_create(&closer, NULL, close_main, &closed), 0);
    await_stopping();
    (void)sem_post(&hold.go);
    cr_assert_eq(pthread_join(closer, NULL), 0);
    cr_expect_eq(closed, DB_OK);
    serve();
    struct game_view view = play_view(&play);
    cr_expect_str_eq(view.game.status, "finished");
    cr_expect_str_eq(view.game.end_reason, "move_limit");
}
