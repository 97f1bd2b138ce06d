#include "key_folder.h"
#include "match/devices.h"
#include "match/operate.h"
#include "match/queue.h"
#include "match/seats.h"
#include "match/service.h"
#include "match/stats.h"
#include "match/verify.h"
#include "stage.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The service object from within, on a real file and a clock that is moved by hand. */

static struct stage stage;

/* A file that nobody serves yet. */
static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
}

static void serve(void)
{
    stage_serve(&stage, (struct match_options){
                            .readers = 2,
                            .turn_seconds = {30, 60},
                            .repeat_limit = 5,
    });
}

static void leave(void)
{
    stage_leave(&stage);
}

TestSuite(service, .init = enter, .fini = leave);

/* --- heartbeats ----------------------------------------------------------------------------------
 */

/* At a time of its own. */
static struct ticket_view enqueue(int64_t player_no)
{
    struct match_enqueue command = {
        .op = stage_op(&stage),
        .player_no = player_no,
        .pool = "hasami",
        .turn_seconds = 30,
        .at_ms = atomic_fetch_add(&stage.now_ms, 1000) + 1000,
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_enqueue_begin(stage.match, &command)),
                 MATCH_OK);
    return command.ticket;
}

/* A second later; when the ticket was last heard of then. */
static int64_t heard_after_poll(const struct ticket_view *ticket, const char *status)
{
    struct ticket_view view;
    atomic_fetch_add(&stage.now_ms, 1000);
    cr_assert_eq(match_ticket(stage.match, &ticket->row.id, ticket->row.player_no, &view),
                 MATCH_OK);
    cr_assert_str_eq(view.row.status, status);
    return queue_heard_ms(stage.match->queue, ticket->row.ticket_no);
}

Test(service, only_a_waiting_ticket_has_heartbeats)
{
    serve();
    struct ticket_view first = enqueue(stage_player(&stage));
    cr_expect_eq(heard_after_poll(&first, "waiting"), atomic_load(&stage.now_ms));
    struct ticket_view second = enqueue(stage_player(&stage));
    cr_expect_eq(heard_after_poll(&second, "matched"), 0, "it waits no more");
    cr_expect_eq(heard_after_poll(&first, "matched"), 0, "nor does this one");
}

static uint32_t queued_jobs(void)
{
    struct match_stats stats;
    match_stats(stage.match, &stats);
    return stats.writer.queued;
}

/* Until jobs are on their way, or none are. */
static void await_jobs(bool some)
{
    const struct timespec pause = {.tv_nsec = 200000};
    while ((queued_jobs() > 0) != some) {
        (void)nanosleep(&pause, NULL);
    }
}

Test(service, who_asks_for_a_ticket_before_its_end_is_stored_keeps_it)
{
    struct ticket_view view;
    serve();
    struct ticket_view ticket = enqueue(stage_player(&stage));
    sqlite3 *foreign = foreign_open(store_path());
    foreign_run(foreign, "BEGIN IMMEDIATE");
    atomic_fetch_add(&stage.now_ms, LIMIT_TICKET_QUIET_MS);
    await_jobs(true);
    cr_expect_eq(heard_after_poll(&ticket, "waiting"), atomic_load(&stage.now_ms));
    foreign_run(foreign, "COMMIT");
    await_jobs(false);
    cr_expect_eq(match_ticket(stage.match, &ticket.row.id, ticket.row.player_no, &view), MATCH_OK);
    cr_expect_str_eq(view.row.status, "waiting");
    (void)sqlite3_close(foreign);
}

/* --- a file that fails while it is read ----------------------------------------------------------
 */

static enum match_status look(void)
{
    const struct game_id id = {{"g_00000000000000000000000000"}};
    struct db_move moves[1];
    size_t count = 0;
    return match_moves(stage.match, &id, &(struct match_moves_query){.after_ply = 0}, moves, 1,
                       &count);
}

static void expect_told_once(enum db_status status)
{
    struct match_register command = {.op = stage_op(&stage)};
    cr_expect_eq(atomic_load(&stage.fatal_calls), 1);
    cr_expect_eq(atomic_load(&stage.fatal_status), status);
    cr_expect_eq(stage_finish(&stage, &command.op, match_register_begin(stage.match, &command)),
                 MATCH_SHUTTING_DOWN);
}

/* The index that games are found in becomes noise. */
Test(service, damage_that_a_reader_meets_ends_the_service)
{
    unsigned char noise[4096];
    sqlite3 *foreign = foreign_open(store_path());
    int64_t page = foreign_int(
        foreign, "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_game_1'");
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    memset(noise, 0xa5, sizeof noise);
    int descriptor = open(store_path(), O_WRONLY | O_CLOEXEC);
    cr_assert_eq(pwrite(descriptor, noise, sizeof noise, (page - 1) * 4096), 4096);
    (void)close(descriptor);
    serve();
    cr_expect_eq(look(), MATCH_INTEGRITY);
    cr_expect_eq(look(), MATCH_INTEGRITY);
    expect_told_once(DB_CORRUPT);
}

/* Puts a folder, which cannot be read, in the place of every descriptor of the file. */
static void make_unreadable(void)
{
    char link[64];
    char path[256];
    int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert_geq(folder, 0);
    for (int i = 3; i < 256; i++) {
        (void)snprintf(link, sizeof link, "/proc/self/fd/%d", i);
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = '\0';
        if (strcmp(path, store_path()) == 0) {
            cr_assert_eq(dup2(folder, i), i);
        }
    }
    (void)close(folder);
}

Test(service, a_disk_that_fails_a_reader_ends_the_service)
{
    serve();
    make_unreadable();
    cr_expect_eq(look(), MATCH_SHUTTING_DOWN);
    cr_expect_eq(look(), MATCH_SHUTTING_DOWN);
    expect_told_once(DB_IO);
}

/* Nothing is wrong with the file. */
Test(service, a_reader_that_finds_nothing_ends_nothing)
{
    serve();
    cr_expect_eq(look(), MATCH_NOT_FOUND);
    cr_expect_eq(atomic_load(&stage.fatal_calls), 0);
}

/* --- what writes leave at hand -------------------------------------------------------------------
 */

struct person {
    struct match_register registered;
    struct identity identity;
};

static bool identify_at_hand(struct person *person)
{
    const char *token = person->registered.token;
    uint64_t before = 0;
    uint64_t after = 0;
    uint64_t misses = 0;
    bool ended = false;
    token_cache_counts(stage.match->tokens, &before, &misses);
    cr_assert_eq(match_identify(stage.match, token, strlen(token), &person->identity, &ended),
                 MATCH_OK);
    token_cache_counts(stage.match->tokens, &after, &misses);
    return after > before;
}

static void use(struct person *person)
{
    struct match_use command = {
        .op = stage_op(&stage), .identity = person->identity, .at_ms = atomic_load(&stage.now_ms)};
    cr_assert_eq(stage_finish(&stage, &command.op, match_use_begin(stage.match, &command)),
                 MATCH_OK);
}

/* Registered, and the token used for the first time. */
static void arrive(struct person *person)
{
    *person = (struct person){.registered = {.op = stage_op(&stage)}};
    struct match_register *command = &person->registered;
    cr_assert_eq(stage_finish(&stage, &command->op, match_register_begin(stage.match, command)),
                 MATCH_OK);
    cr_expect_not(identify_at_hand(person));
    cr_expect(person->identity.unnoted);
    use(person);
    cr_expect_not(identify_at_hand(person), "it was noted since");
    cr_expect_not(person->identity.unnoted);
}

Test(service, the_first_use_of_a_token_leaves_those_of_others_at_hand)
{
    struct person a;
    struct person b;
    serve();
    arrive(&a);
    cr_expect(identify_at_hand(&a));
    arrive(&b);
    cr_expect(identify_at_hand(&a));
    cr_expect(identify_at_hand(&b));
}

Test(service, the_first_use_of_a_new_token_ends_the_old_one_that_is_at_hand)
{
    struct person old;
    bool ended = false;
    serve();
    arrive(&old);
    struct match_rotate rotation = {
        .op = stage_op(&stage), .identity = old.identity, .at_ms = atomic_load(&stage.now_ms)};
    cr_assert_eq(stage_finish(&stage, &rotation.op, match_rotate_begin(stage.match, &rotation)),
                 MATCH_OK);
    cr_expect_not(identify_at_hand(&old));
    cr_expect(identify_at_hand(&old));
    struct person fresh = old;
    memcpy(fresh.registered.token, rotation.token, sizeof rotation.token);
    cr_expect_not(identify_at_hand(&fresh));
    use(&fresh);
    const char *token = old.registered.token;
    cr_expect_eq(match_identify(stage.match, token, strlen(token), &old.identity, &ended),
                 MATCH_INVALID_TOKEN);
    cr_expect(ended);
}

static void rename_to(int64_t player_no, const char *name)
{
    struct match_rename command = {.op = stage_op(&stage), .player_no = player_no};
    (void)snprintf(command.name, sizeof command.name, "%s", name);
    cr_assert_eq(stage_finish(&stage, &command.op, match_rename_begin(stage.match, &command)),
                 MATCH_OK);
    cr_expect_str_eq(command.view.player.name, name);
}

static bool game_at_hand(const struct game_id *id)
{
    struct legal_view legal;
    uint64_t before = 0;
    uint64_t after = 0;
    uint64_t misses = 0;
    state_cache_counts(stage.match->states, &before, &misses);
    cr_assert_eq(match_legal_moves(stage.match, id, 0, NULL, &legal), MATCH_OK);
    state_cache_counts(stage.match->states, &after, &misses);
    return after > before;
}

Test(service, a_new_name_leaves_the_games_of_others_at_hand_and_the_same_name_all)
{
    struct me_view view;
    serve();
    int64_t player = stage_player(&stage);
    int64_t stranger = stage_player(&stage);
    (void)enqueue(player);
    (void)enqueue(stage_player(&stage));
    cr_assert_eq(match_me(stage.match, player, &view), MATCH_OK);
    cr_assert_eq(view.game_count, 1);
    struct game_id id = view.games[0].game.id;
    cr_expect_not(game_at_hand(&id));
    cr_expect(game_at_hand(&id));
    rename_to(stranger, "Another");
    cr_expect(game_at_hand(&id));
    rename_to(player, view.player.name);
    cr_expect(game_at_hand(&id));
    rename_to(player, "Another");
    cr_expect_not(game_at_hand(&id));
    cr_expect(game_at_hand(&id));
}

/* --- times ---------------------------------------------------------------------------------------
 */

/* A new game of a player with somebody new; which seat the player has. */
static int new_game(int64_t player, int64_t *other, struct game_id *id)
{
    struct me_view view;
    *other = stage_player(&stage);
    (void)enqueue(player);
    (void)enqueue(*other);
    cr_assert_eq(match_me(stage.match, player, &view), MATCH_OK);
    *id = view.games[0].game.id;
    return view.games[0].seats[0].row.player_no == player ? 0 : 1;
}

static void resign_at(int64_t player, const struct game_id *id, int64_t at_ms)
{
    struct match_seat command = {
        .op = stage_op(&stage), .game_id = *id, .player_no = player, .at_ms = at_ms};
    cr_assert_eq(stage_finish(&stage, &command.op, match_resign_begin(stage.match, &command)),
                 MATCH_OK);
}

/* Up to a draw by repetition. */
static void draw_at(const int64_t players[2], const struct game_id *id, int64_t at_ms)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a"};
    for (uint32_t ply = 1; ply <= 12; ply++) {
        struct match_move command = {.op = stage_op(&stage),
                                     .game_id = *id,
                                     .player_no = players[(ply - 1) % 2],
                                     .ply = ply,
                                     .at_ms = at_ms};
        (void)snprintf(command.text, sizeof command.text, "%s", moves[(ply - 1) % 4]);
        cr_assert_eq(stage_finish(&stage, &command.op, match_move_begin(stage.match, &command)),
                     MATCH_OK);
        cr_expect_eq(command.answer.result.ended, ply == 12);
    }
}

static void void_game_of(const struct game_id *id)
{
    struct match_operate command = {
        .op = stage_op(&stage), .deed = OPERATE_VOID_GAME, .id = id->id};
    cr_assert_eq(stage_finish(&stage, &command.op, match_operate_begin(stage.match, &command)),
                 MATCH_OK);
    cr_assert_eq(command.refusal, OPERATE_DONE);
}

static void fail_with(void *context, const char *line)
{
    (void)context;
    cr_expect_fail("%s", line);
}

/* Requests are complete in one order and come to the writer in another. */
Test(service, the_ratings_of_a_player_are_in_order_by_time_as_by_commit)
{
    struct game_id ids[3];
    int64_t others[3];
    int seats[3];
    struct db_rating_event events[8];
    struct verify_report report;
    size_t count = 0;
    serve();
    int64_t player = stage_player(&stage);
    for (size_t i = 0; i < 3; i++) {
        seats[i] = new_game(player, &others[i], &ids[i]);
    }
    int64_t now_ms = atomic_load(&stage.now_ms);
    const int64_t drawn[2] = {seats[2] == 0 ? player : others[2],
                              seats[2] == 0 ? others[2] : player};
    resign_at(player, &ids[0], now_ms + 5000);
    resign_at(others[1], &ids[1], now_ms + 1000);
    draw_at(drawn, &ids[2], now_ms + 2000);
    void_game_of(&ids[1]);
    struct db *db = reader_take(stage.match);
    cr_assert_eq(db_rating_events(db, 0, events, 8, &count), DB_OK);
    reader_give(stage.match, db);
    cr_assert_eq(count, 8);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(events[i].at_ms, now_ms + 5000, "event %zu", i);
    }
    const struct verify_options options = {.db_path = store_path(), .no_key = true, .all = true};
    cr_expect_eq(verify_run(&options, fail_with, NULL, &report), DB_OK);
    cr_expect_eq(report.differences, 0);
}
