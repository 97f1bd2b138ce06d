#include "crowd.h"

#include "tests/support/board.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMORY = 8,
    RIVALS = 3,
    SHARING = 2, /* clients a seat */
    CLIENTS_MAX = CROWD_GAMES * (SHARING * GAME_SEATS_MAX + 1),
};

/* A move that this client knows to be made. */
struct memory {
    unsigned ply;
    char move[8];
};

struct member {
    pthread_t thread;
    struct witness witness;
    const struct scene *scene;
    size_t seat; /* one more than there are: only reads */
    unsigned seed;
    unsigned seen; /* plies */
    unsigned made; /* by this client, or by the one it shares a token with */
    struct memory memories[MEMORY];
    struct choices choices;
    long long until_ms;
};

struct crowd {
    struct scene scenes[CROWD_GAMES];
    struct member members[CLIENTS_MAX];
    unsigned count; /* of members */
    struct history history;
};

static unsigned chance(struct member *member, unsigned below)
{
    member->seed = member->seed * 1103515245U + 12345U;
    return member->seed / 65536 % below;
}

/* --- moves ---------------------------------------------------------------------------------------
 */

/* Nobody ever stands on 5e. */
static const char *const nonsense = "5e5d";

static bool follows_line(const struct scene *scene)
{
    return scene->number < GAMES;
}

/* One of a few moves that differ from ply to ply: so the same one is often sent by several. NULL:
 * there is none. */
static const char *choose(struct member *member)
{
    struct choices *choices = &member->choices;
    const struct listed_game *game = member->scene->game;
    unsigned ply = choices->ply + 1;
    size_t quiet = 0;
    if (choices->count > 0 && follows_line(member->scene)) {
        return game->line[choices->ply];
    }
    for (size_t i = 0; i < choices->count; i++) {
        if (game_is_quiet(game, ply, choices->moves[i])) {
            memmove(choices->moves[quiet++], choices->moves[i], sizeof choices->moves[i]);
        }
    }
    return quiet == 0
               ? NULL
               : choices->moves[(ply * 2654435761U / 65536 + chance(member, RIVALS)) % quiet];
}

static void submit(struct member *member, unsigned ply, const char *move)
{
    enum history_verdict verdict =
        witness_submit(&member->witness, member->scene, member->seat, ply, move);
    if (verdict == HISTORY_ACCEPTED || verdict == HISTORY_REPEATED) {
        struct memory *memory = &member->memories[member->made++ % MEMORY];
        memory->ply = ply;
        (void)snprintf(memory->move, sizeof memory->move, "%s", move);
    }
}

/* For the next ply, mostly when the seat is on turn; after the end, too late. */
static void submit_next(struct member *member)
{
    member->seen = witness_choices(&member->witness, member->scene, &member->choices);
    bool on_turn = game_seat_of(member->scene->game, member->seen + 1) == member->seat;
    const char *move = choose(member);
    if (on_turn && chance(member, 6) == 0) {
        submit(member, member->seen + 1, nonsense);
    }
    if (move != NULL && (on_turn || chance(member, 4) == 0)) {
        submit(member, member->seen + 1, move);
    } else if (move == NULL && chance(member, 4) == 0) {
        submit(member, member->seen + 1, nonsense);
    }
}

static void submit_again(struct member *member, bool same)
{
    if (member->made > 0) {
        unsigned kept = member->made < MEMORY ? member->made : MEMORY;
        struct memory memory = member->memories[chance(member, kept)];
        submit(member, memory.ply, same ? memory.move : nonsense);
    }
}

/* --- clients -------------------------------------------------------------------------------------
 */

static void look(struct member *member)
{
    struct witness *witness = &member->witness;
    unsigned tail = 1 + chance(member, 30);
    switch (chance(member, 4)) {
    case 0: member->seen = witness_snapshot(witness, member->scene, false); break;
    case 1: member->seen = witness_snapshot(witness, member->scene, true); break;
    case 2: member->seen = witness_choices(witness, member->scene, &member->choices); break;
    default:
        (void)witness_moves(witness, member->scene, member->seen < tail ? 0 : member->seen - tail);
        break;
    }
}

static void act(struct member *member)
{
    submit_next(member);
    switch (chance(member, 8)) {
    case 0:
    case 1: submit_again(member, true); break;
    case 2: submit_again(member, false); break;
    case 3: submit(member, member->seen + 100, nonsense); break;
    case 4:
    case 5: look(member); break;
    default: break;
    }
}

static void *member_run(void *context)
{
    struct member *member = context;
    while (test_now_ms() < member->until_ms) {
        if (member->seat == game_seat_count(member->scene->game)) {
            look(member);
        } else {
            act(member);
        }
    }
    return NULL;
}

void crowd_run(struct crowd *crowd, const struct process *server, long long ms)
{
    for (unsigned i = 0; i < crowd->count; i++) {
        witness_connect(&crowd->members[i].witness, server->origin);
    }
    long long until = test_now_ms() + ms;
    for (unsigned i = 0; i < crowd->count; i++) {
        struct member *member = &crowd->members[i];
        member->until_ms = until;
        if (pthread_create(&member->thread, NULL, member_run, member) != 0) {
            test_fail("no thread for client %u", i);
        }
    }
    for (unsigned i = 0; i < crowd->count; i++) {
        (void)pthread_join(crowd->members[i].thread, NULL);
    }
    for (unsigned i = 0; i < crowd->count; i++) {
        struct member *member = &crowd->members[i];
        member->seen = witness_snapshot(&member->witness, member->scene, true);
        history_join(&crowd->history, &member->witness.history);
    }
}

const struct history *crowd_history(const struct crowd *crowd)
{
    return &crowd->history;
}

unsigned crowd_broken(const struct crowd *crowd)
{
    unsigned broken = 0;
    for (unsigned i = 0; i < crowd->count; i++) {
        broken += crowd->members[i].witness.broken;
    }
    return broken;
}

/* --- made and freed ------------------------------------------------------------------------------
 */

const struct listed_game *crowd_game(unsigned number)
{
    return games_at(number % GAMES);
}

static void make_game(struct process *server, unsigned number, struct scene *scene)
{
    struct board board = board_on(crowd_game(number), server);
    board_seat(&board);
    scene->number = number;
    scene->game = board.game;
    (void)snprintf(scene->id, sizeof scene->id, "%s", board.id);
    for (size_t i = 0; i < game_seat_count(board.game); i++) {
        (void)snprintf(scene->tokens[i], sizeof scene->tokens[i], "%s", board.seats[i]->token);
    }
    board_leave(&board);
}

static void add_member(struct crowd *crowd, const struct scene *scene, size_t seat)
{
    struct member *member = &crowd->members[crowd->count];
    member->witness.number = crowd->count;
    member->scene = scene;
    member->seat = seat;
    member->seed = crowd->count++;
}

struct crowd *crowd_new(struct process *server)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);
    if (crowd == NULL) {
        test_fail("no memory");
    }
    for (unsigned i = 0; i < CROWD_GAMES; i++) {
        struct scene *scene = &crowd->scenes[i];
        make_game(server, i, scene);
        const size_t seats = game_seat_count(scene->game);
        for (size_t place = 0; place < SHARING * seats; place++) {
            add_member(crowd, scene, place % seats);
        }
        add_member(crowd, scene, seats);
    }
    return crowd;
}

void crowd_free(struct crowd *crowd)
{
    for (unsigned i = 0; i < crowd->count; i++) {
        witness_free(&crowd->members[i].witness);
    }
    history_free(&crowd->history);
    free(crowd);
}
