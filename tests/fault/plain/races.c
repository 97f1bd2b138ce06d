#include "match/attend.h"
#include "match/clocks.h"
#include "match/seats.h"
#include "raced.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Resign, move, deadline, return, leave the game or its table, and go for good at one instant,
 * thousands of times: whatever the order, a game ends once, a turn ends once, and whoever lost
 * learns it. A plain program, so that it runs under ThreadSanitizer. The seed decides who acts on
 * which thread after how long a pause, and all of it is checked again by verify at the end.
 *
 *   races [COUNT [SEED]]
 */

enum {
    THREADS = 4,
    GAMES_AT_ONCE = 500,
    AT_TABLES = 50, /* after so many at once */
    COUNT = 10000,
    PAUSE_MAX = 4000,
};

enum deed { MOVE, RESIGN_B, RESIGN_W, DEADLINE, RETURN, LEAVE, LEAVE_TABLE, ERASE, DEEDS };

struct act {
    enum deed deed;
    unsigned thread;
    unsigned pause;
    /* out */
    enum match_status status;
    int64_t at_ms;
};

struct races {
    struct world world;
    int64_t players[2];
    pthread_barrier_t start;
    pthread_barrier_t end;
    _Atomic bool over;
    /* of the race that is on */
    struct raced game;
    struct act acts[DEEDS];
    size_t act_count;
};

/* --- deeds --------------------------------------------------------------------------------------
 */

static enum match_status do_move(struct races *races, struct act *act, sem_t *woken)
{
    struct match_arrival arrival = {0};
    struct match_move command = {.op = world_op(woken),
                                 .game_id = races->game.due.id,
                                 .player_no = races->game.players[0],
                                 .ply = 1,
                                 .text = "5i5h"};
    match_arrive(races->world.match, &arrival);
    command.at_ms = arrival.at_ms;
    act->at_ms = arrival.at_ms;
    enum match_status begun = match_move_begin(races->world.match, &command);
    match_arrived(races->world.match, &arrival);
    return world_finish(&command.op, begun, woken);
}

static enum match_status do_resign(struct races *races, int seat, sem_t *woken)
{
    struct match_seat command = {.op = world_op(woken),
                                 .game_id = races->game.due.id,
                                 .player_no = races->game.players[seat],
                                 .at_ms = atomic_load(&races->world.now_ms)};
    return world_finish(&command.op, match_resign_begin(races->world.match, &command), woken);
}

static enum match_status do_seat(struct races *races, bool returns, sem_t *woken)
{
    struct match_seat command = {.op = world_op(woken),
                                 .game_id = races->game.due.id,
                                 .player_no = races->game.players[0],
                                 .at_ms = atomic_load(&races->world.now_ms)};
    enum match_status begun = returns ? match_return_begin(races->world.match, &command)
                                      : match_leave_begin(races->world.match, &command);
    return world_finish(&command.op, begun, woken);
}

/* The instant itself; the ticker sees it too. */
static enum match_status do_deadline(struct races *races)
{
    atomic_store(&races->world.now_ms, races->game.due.at_ms);
    attend(races->world.match, &races->game.due);
    return MATCH_OK;
}

static void act_now(struct races *races, struct act *act)
{
    sem_t woken;
    for (volatile unsigned i = 0; i < act->pause; i++) {
    }
    switch (act->deed) {
    case MOVE: act->status = do_move(races, act, &woken); break;
    case RESIGN_B: act->status = do_resign(races, 0, &woken); break;
    case RESIGN_W: act->status = do_resign(races, 1, &woken); break;
    case DEADLINE: act->status = do_deadline(races); break;
    case RETURN: act->status = do_seat(races, true, &woken); break;
    case LEAVE: act->status = do_seat(races, false, &woken); break;
    case LEAVE_TABLE: act->status = raced_leave(&races->world, &races->game, 0); break;
    case ERASE: act->status = raced_erase(&races->world, &races->game, 0); break;
    case DEEDS: break;
    }
}

struct actor {
    struct races *races;
    unsigned number;
    pthread_t thread;
};

static void *actor_main(void *context)
{
    struct actor *actor = context;
    struct races *races = actor->races;
    for (;;) {
        (void)pthread_barrier_wait(&races->start);
        if (atomic_load(&races->over)) {
            return NULL;
        }
        for (size_t i = 0; i < races->act_count; i++) {
            if (races->acts[i].thread == actor->number) {
                act_now(races, &races->acts[i]);
            }
        }
        (void)pthread_barrier_wait(&races->end);
    }
}

/* --- what must be true, whatever the order ------------------------------------------------------
 */

struct findings {
    struct db_game game;
    size_t move_count;
    struct db_move moves[4];
    size_t finished;
    bool left_first; /* the seat was the CPU's when the first move came */
    size_t erased;
    bool came_back_after; /* though erased */
    uint32_t rating_events;
};

static void find(struct races *races, struct findings *findings)
{
    struct db_event events[64];
    struct db_rating_event ratings[DB_SEATS_MAX];
    size_t count = 0;
    size_t rated = 0;
    struct db *db = reader_take(races->world.match);
    *findings = (struct findings){.finished = 0};
    bool found =
        db_read_begin(db) == DB_OK &&
        db_game_load(db, races->game.due.game_no, &findings->game) == DB_OK &&
        db_moves(db, races->game.due.game_no, 0, findings->moves, 4, &findings->move_count) ==
            DB_OK &&
        db_events(db, races->game.due.game_no, 0, events, 64, &count) == DB_OK &&
        db_rating_events_of_game(db, races->game.due.game_no, false, ratings, &rated) == DB_OK;
    db_read_end(db);
    reader_give(races->world.match, db);
    if (!found) {
        world_die(&races->world, "game %" PRId64 " cannot be read", races->game.due.game_no);
    }
    findings->rating_events = (uint32_t)rated;
    for (size_t i = 0; i < count; i++) {
        bool before = findings->move_count == 0 || events[i].seq < findings->moves[0].seq;
        findings->finished += strcmp(events[i].type, "finished") == 0;
        findings->came_back_after = findings->came_back_after ||
                                    (findings->erased > 0 && strcmp(events[i].type, "seat") == 0);
        findings->erased += strcmp(events[i].reason, "erased") == 0;
        if (before && strcmp(events[i].type, "seat") == 0) {
            findings->left_first = strcmp(events[i].reason, "returned") != 0;
        }
    }
}

/* The turn has ended or the game has: nothing is left to happen at this instant. */
static void await_turn(struct races *races, struct findings *findings)
{
    for (int i = 0; i < 20000; i++) {
        find(races, findings);
        if (findings->move_count > 0 || findings->finished > 0) {
            return;
        }
        (void)usleep(500);
    }
    world_die(&races->world, "the turn of game %" PRId64 " does not end", races->game.due.game_no);
}

static void expect(const struct races *races, bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "game %" PRId64 ":", races->game.due.game_no);
        for (size_t i = 0; i < races->act_count; i++) {
            (void)fprintf(stderr, " deed %d: %d;", (int)races->acts[i].deed,
                          (int)races->acts[i].status);
        }
        world_die(&races->world, " expected %s", what);
    }
}

static void check_move(const struct races *races, const struct findings *findings,
                       const struct act *act)
{
    bool made = findings->move_count > 0 && !findings->moves[0].by_cpu;
    bool in_time = act->at_ms < races->game.due.at_ms;
    expect(races, made == (act->status == MATCH_OK), "a move that was answered, and no other");
    expect(races, in_time || !made, "no move at the deadline");
    expect(races, act->status != MATCH_TURN_EXPIRED || !in_time, "no move in time to be late");
    if (act->status == MATCH_STALE_PLY && in_time) {
        expect(races, findings->left_first, "a move in time to be made before a late turn ends");
    }
}

/* Whoever was erased is gone from the game if it was not over before, and for good. */
static bool check_erasure(const struct races *races, const struct findings *findings, bool over)
{
    bool erased = false;
    for (size_t i = 0; i < races->act_count; i++) {
        bool erases = races->acts[i].deed == ERASE;
        erased = erased || erases;
        expect(races, !erases || races->acts[i].status == MATCH_OK, "nobody to be erased twice");
    }
    expect(races, findings->erased <= (erased ? 1U : 0U), "a seat to be left for good once");
    expect(races, findings->erased == 1 || over || !erased, "a seat to be left by who is erased");
    expect(races, !findings->came_back_after, "nobody to come back who is erased");
    return erased;
}

static void check(const struct races *races, const struct findings *findings)
{
    size_t resigned = 0;
    bool over = strcmp(findings->game.status, "playing") != 0;
    bool erased = check_erasure(races, findings, over);
    for (size_t i = 0; i < races->act_count; i++) {
        const struct act *act = &races->acts[i];
        if (act->deed == MOVE) {
            check_move(races, findings, act);
        }
        bool resigns = act->deed == RESIGN_B || act->deed == RESIGN_W;
        resigned += resigns && act->status == MATCH_OK;
        bool gone = erased && act->deed == RESIGN_B && act->status == MATCH_SEAT_GIVEN_UP;
        expect(races, !resigns || gone || act->status == MATCH_OK || act->status == MATCH_GAME_OVER,
               "a resignation to count, to come too late or from nobody");
        expect(races, act->deed != LEAVE_TABLE || act->status == MATCH_OK, "a table to be left");
    }
    expect(races, findings->finished == (over ? 1U : 0U), "an end once, where there is one");
    expect(races, resigned == findings->finished, "an end by whoever resigned first");
    expect(races, findings->rating_events == (over && findings->game.rated ? 2U : 0U),
           "a result that is applied once");
    expect(races, findings->moves[0].ply == (findings->move_count > 0 ? 1U : 0U), "one first ply");
}

/* --- races --------------------------------------------------------------------------------------
 */

static void draw_acts(struct races *races, uint64_t *seed)
{
    static const struct {
        enum deed deed;
        unsigned once_in;
    } rows[] = {
        {DEADLINE,    1},
        {MOVE,        2},
        {LEAVE,       2},
        {RETURN,      2},
        {RESIGN_B,    4},
        {RESIGN_W,    4},
        {LEAVE_TABLE, 2},
        {ERASE,       2},
    };
    races->act_count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum deed deed = rows[i].deed;
        bool drawn = world_mixed(seed) % rows[i].once_in == 0;
        if (!drawn || (deed == LEAVE_TABLE && races->game.table.id.text[0] == '\0') ||
            (deed == ERASE && !races->game.may_go)) {
            continue;
        }
        size_t place = (size_t)(world_mixed(seed) % (races->act_count + 1));
        races->acts[races->act_count++] = races->acts[place];
        races->acts[place] = (struct act){
            .deed = deed,
            .thread = (unsigned)(world_mixed(seed) % THREADS),
            .pause = (unsigned)(world_mixed(seed) % PAUSE_MAX),
        };
    }
}

static void race(struct races *races, uint64_t *seed)
{
    struct findings findings;
    sem_t woken;
    draw_acts(races, seed);
    atomic_store(&races->world.now_ms, races->game.due.at_ms - 1);
    (void)pthread_barrier_wait(&races->start);
    (void)pthread_barrier_wait(&races->end);
    await_turn(races, &findings);
    check(races, &findings);
    (void)do_resign(races, 1, &woken); /* or it would be played on for ever */
}

/* The tables close with it. */
static void race_at_tables(struct races *races, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++) {
        races->game = raced_at_table(&races->world, races->players[0], races->players[1]);
        race(races, seed);
        (void)raced_leave(&races->world, &races->game, 0); /* who may have left */
        if (raced_leave(&races->world, &races->game, 1) != MATCH_OK) {
            world_die(&races->world, "the host cannot leave");
        }
    }
}

static void run(struct races *races, size_t count, uint64_t seed)
{
    static struct raced games[GAMES_AT_ONCE];
    while (count > 0) {
        size_t made = count < GAMES_AT_ONCE ? count : GAMES_AT_ONCE;
        raced_make(&races->world, races->players[0], races->players[1], games, made);
        for (size_t i = 0; i < made; i++) {
            races->game = games[i];
            race(races, &seed);
        }
        count -= made;
        size_t at_tables = count < AT_TABLES ? count : AT_TABLES;
        race_at_tables(races, at_tables, &seed);
        count -= at_tables;
    }
}

int main(int argc, char **argv)
{
    static struct races races;
    struct actor actors[THREADS];
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : COUNT;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    atomic_store(&races.world.now_ms, INT64_C(1790000000000));
    (void)pthread_barrier_init(&races.start, NULL, THREADS + 1);
    (void)pthread_barrier_init(&races.end, NULL, THREADS + 1);
    world_open(&races.world, seed);
    races.players[0] = world_player(&races.world);
    races.players[1] = world_player(&races.world);
    for (unsigned i = 0; i < THREADS; i++) {
        actors[i] = (struct actor){.races = &races, .number = i};
        if (pthread_create(&actors[i].thread, NULL, actor_main, &actors[i]) != 0) {
            world_die(&races.world, "no thread");
        }
    }
    run(&races, count, seed);
    atomic_store(&races.over, true);
    (void)pthread_barrier_wait(&races.start);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(actors[i].thread, NULL);
    }
    world_close(&races.world);
    return 0;
}
