#include "witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void witness_connect(struct witness *witness, const char *origin)
{
    client_free(witness->client);
    witness->client = client_new(origin);
}

void witness_free(struct witness *witness)
{
    client_free(witness->client);
    history_free(&witness->history);
    *witness = (struct witness){0};
}

static struct answer perform(struct witness *witness, const struct scene *scene,
                             const struct call *call, struct history_op *op)
{
    op->client = witness->number;
    op->game = scene->number;
    op->invoked_ns = history_now_ns();
    struct answer answer = client_try(witness->client, call);
    op->answered_ns = history_now_ns();
    return answer;
}

static struct answer perform_read(struct witness *witness, const struct scene *scene,
                                  const char *path, struct history_op *op)
{
    return expect(200, perform(witness, scene, &(struct call){.method = "GET", .path = path}, op));
}

/* --- what an answer shows ------------------------------------------------------------------------
 */

static enum history_status status_named(const char *status)
{
    return strcmp(status, "playing") == 0 ? HISTORY_PLAYING : HISTORY_FINISHED;
}

static uint64_t print_text(const struct answer *answer, const char *path)
{
    const char *text = answer_text(answer, path);
    return history_print(text, strlen(text));
}

static uint64_t print_array(const struct answer *answer, const char *path)
{
    char *text = json_dumps(answer_at(answer, path), JSON_COMPACT);
    if (text == NULL) {
        test_fail("no array %s in %s", path, answer->text);
    }
    uint64_t print = history_print(text, strlen(text));
    free(text);
    return print;
}

/* "b5i5e w5a5d ": every move must be of the ply after the one before it. */
static char *list_of(const struct answer *answer, unsigned after)
{
    enum { WORD = 16 };
    size_t count = json_array_size(answer_at(answer, "items"));
    char *text = calloc(count * WORD + 1, 1);
    size_t used = 0;
    if (text == NULL) {
        test_fail("no memory");
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(answer_at(answer, "items"), i);
        if ((size_t)json_integer_value(json_object_get(item, "ply")) != after + 1 + i) {
            test_fail("the list after ply %u has a gap: %s", after, answer->text);
        }
        used += (size_t)snprintf(text + used, WORD, "%.1s%.8s ",
                                 json_string_value(json_object_get(item, "seat")),
                                 json_string_value(json_object_get(item, "move")));
    }
    return text;
}

/* --- reads ---------------------------------------------------------------------------------------
 */

static void fill_choices(const struct answer *answer, unsigned ply, struct choices *choices)
{
    const json_t *moves = answer_at(answer, "moves");
    choices->ply = ply;
    choices->count = json_array_size(moves);
    if (choices->count > CHOICES_MAX) {
        test_fail("%zu moves", choices->count);
    }
    for (size_t i = 0; i < choices->count; i++) {
        (void)snprintf(choices->moves[i], sizeof choices->moves[i], "%s",
                       json_string_value(json_array_get(moves, i)));
    }
}

unsigned witness_choices(struct witness *witness, const struct scene *scene,
                         struct choices *choices)
{
    char path[96];
    struct history_op op = {0};
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves", scene->id);
    struct answer answer = perform_read(witness, scene, path, &op);
    op.sight.ply = (unsigned)answer_integer(&answer, "ply");
    op.sight.status = json_is_null(answer_at(&answer, "turn")) ? HISTORY_FINISHED : HISTORY_PLAYING;
    op.sight.facets[HISTORY_LEGAL_MOVES] = print_array(&answer, "moves");
    fill_choices(&answer, op.sight.ply, choices);
    answer_free(&answer);
    history_add(&witness->history, op);
    return op.sight.ply;
}

unsigned witness_snapshot(struct witness *witness, const struct scene *scene, bool legal_moves)
{
    char path[96];
    struct history_op op = {0};
    (void)snprintf(path, sizeof path, "/v1/games/%s%s", scene->id,
                   legal_moves ? "?include=legal_moves" : "");
    struct answer answer = perform_read(witness, scene, path, &op);
    op.sight.ply = (unsigned)answer_integer(&answer, "ply");
    op.sight.status = status_named(answer_text(&answer, "status"));
    op.sight.facets[HISTORY_POSITION] = print_text(&answer, "position");
    if (legal_moves) {
        op.sight.facets[HISTORY_LEGAL_MOVES] = print_array(&answer, "legal_moves");
    }
    answer_free(&answer);
    history_add(&witness->history, op);
    return op.sight.ply;
}

unsigned witness_moves(struct witness *witness, const struct scene *scene, unsigned after)
{
    char path[96];
    struct history_op op = {0};
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves?after=%u&limit=20", scene->id, after);
    struct answer answer = perform_read(witness, scene, path, &op);
    size_t count = json_array_size(answer_at(&answer, "items"));
    op.sight.ply = after + (unsigned)count;
    op.sight.partial = !json_is_null(answer_at(&answer, "next_cursor"));
    op.sight.listed_after = after;
    op.sight.listed = list_of(&answer, after);
    answer_free(&answer);
    history_add(&witness->history, op);
    return op.sight.ply;
}

/* --- submissions ---------------------------------------------------------------------------------
 */

static enum history_verdict refusal_named(const struct answer *answer)
{
    const char *code =
        answer->status == 409 || answer->status == 422 ? answer_text(answer, "code") : "";
    for (unsigned i = HISTORY_STALE_PLY; i < HISTORY_VERDICTS; i++) {
        if (strcmp(code, history_verdict_text(i)) == 0) {
            return i;
        }
    }
    test_fail("a submission: %ld %s", answer->status, answer->text == NULL ? "" : answer->text);
}

static void see_submission(const struct answer *answer, struct history_op *op)
{
    struct sight *sight = &op->sight;
    if (answer->status == 201 || answer->status == 200) {
        op->verdict = answer->status == 201 ? HISTORY_ACCEPTED : HISTORY_REPEATED;
        sight->ply = (unsigned)answer_integer(answer, "game.ply");
        sight->status = status_named(answer_text(answer, "game.status"));
        sight->facets[HISTORY_POSITION] = print_text(answer, "game.position");
        sight->facets[HISTORY_MOVE_ANSWER] = history_print(answer->text, answer->length);
    } else {
        op->verdict = refusal_named(answer);
        sight->ply = (unsigned)answer_integer(answer, "current.ply");
        sight->status = status_named(answer_text(answer, "current.status"));
    }
}

enum history_verdict witness_submit(struct witness *witness, const struct scene *scene, size_t seat,
                                    unsigned ply, const char *move)
{
    char path[96];
    char body[64];
    struct history_op op = {.ply = ply, .seat = scene->game->seats[seat]};
    (void)snprintf(op.move, sizeof op.move, "%s", move);
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", scene->id);
    (void)snprintf(body, sizeof body, "{\"ply\":%u,\"move\":\"%s\"}", ply, move);
    struct answer answer = perform(
        witness, scene,
        &(struct call){.method = "POST", .path = path, .token = scene->tokens[seat], .body = body},
        &op);
    bool broken = answer.status == 503 && strcmp(answer_text(&answer, "code"), "integrity") == 0;
    if (broken) {
        witness->broken++;
        op.verdict = HISTORY_STALE_PLY;
    } else {
        see_submission(&answer, &op);
        history_add(&witness->history, op);
    }
    answer_free(&answer);
    return op.verdict;
}
