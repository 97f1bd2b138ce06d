#include "board.h"

#include <stdio.h>
#include <string.h>

struct board board_new(const struct listed_game *game)
{
    return board_on(game, process_new(NULL));
}

struct board board_on(const struct listed_game *game, struct process *take_server)
{
    struct board board = {.game = game, .server = take_server};
    for (size_t i = 0; i < game_seat_count(game); i++) {
        board.devices[i] = device_new(board.server);
    }
    return board;
}

void board_free(struct board *board)
{
    board_leave(board);
    process_free(board->server);
}

void board_leave(struct board *board)
{
    for (size_t i = 0; i < GAME_SEATS_MAX; i++) {
        device_free(board->devices[i]);
    }
}

void board_seat_with(struct board *board, const int partners[GAME_SEATS_MAX])
{
    const size_t count = game_seat_count(board->game);
    char tickets[GAME_SEATS_MAX][32];
    for (size_t i = 0; i < count; i++) {
        const struct device *partner = partners[i] < 0 ? NULL : board->devices[partners[i]];
        device_queue_for(board->devices[i], board->game->pool, partner, tickets[i]);
    }
    for (size_t i = 0; i < count; i++) {
        char id[32];
        char seat[2];
        device_matched(board->devices[i], tickets[i], id, seat);
        if (i > 0 && strcmp(id, board->id) != 0) {
            test_fail("%s: two of %zu who queued play another game", board->game->pool, count);
        }
        (void)snprintf(board->id, sizeof board->id, "%s", id);
        board->seats[game_seat_named(board->game, seat)] = board->devices[i];
    }
    board->ply = 0;
    board->turn = 0;
}

void board_seat(struct board *board)
{
    board_seat_with(board, (const int[GAME_SEATS_MAX]){-1, -1, -1, -1});
}

struct board board_begun(const struct listed_game *game)
{
    struct board board = board_new(game);
    board_seat(&board);
    return board;
}

/* --- playing -------------------------------------------------------------------------------------
 */

struct answer board_move(struct board *board, const char *move)
{
    struct answer answer = device_move(board->seats[board->turn], board->id, board->ply + 1, move);
    if (answer.status != 201) {
        test_fail("%s: move %u, %s: %ld %s", board->game->pool, board->ply + 1, move, answer.status,
                  answer.text);
    }
    board->ply++;
    if (!json_is_null(answer_at(&answer, "game.turn"))) {
        board->turn = game_seat_named(board->game, answer_text(&answer, "game.turn"));
    }
    return answer;
}

void board_play(struct board *board, const char *const *moves)
{
    for (; *moves != NULL; moves++) {
        struct answer answer = board_move(board, *moves);
        answer_free(&answer);
    }
}

struct answer board_finish(struct board *board)
{
    const unsigned last = game_plies(board->game->line) - 1;
    while (board->ply < last) {
        struct answer answer = board_move(board, board->game->line[board->ply]);
        answer_free(&answer);
    }
    return board_move(board, board->game->line[last]);
}

struct answer board_game(const struct board *board)
{
    return device_game(board->devices[0], board->id);
}

struct answer board_get(const struct board *board, const char *below)
{
    char path[128];
    (void)snprintf(path, sizeof path, "/v1/games/%s%s", board->id, below);
    return client_get(board->devices[0]->client, path, NULL);
}

void board_move_deadly(struct board *board, const char *move)
{
    char path[96];
    char body[64];
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", board->id);
    (void)snprintf(body, sizeof body, "{\"ply\":%u,\"move\":\"%s\"}", board->ply + 1, move);
    struct device *mover = board->seats[board->turn];
    struct answer answer = client_try(
        mover->client,
        &(struct call){.method = "POST", .path = path, .token = mover->token, .body = body});
    int code = process_wait(board->server);
    if (answer.status != 0 || code != -9) {
        test_fail("%s: %ld, and the server ended with %d", board->game->pool, answer.status, code);
    }
}

void board_play_to_the_last(struct board *board, const char *const *line)
{
    while (board->ply + 1 < game_plies(line)) {
        struct answer answer = board_move(board, line[board->ply]);
        answer_free(&answer);
    }
}

void board_restart(struct board *board, const char *fault)
{
    if (board->server->pid != 0) {
        int code = process_stop(board->server);
        if (code != 0) {
            test_fail("the server ended with %d", code);
        }
    }
    process_start(board->server, NULL, fault);
    for (size_t i = 0; i < game_seat_count(board->game); i++) {
        device_reconnect(board->devices[i], board->server);
    }
}

/* --- vectors -------------------------------------------------------------------------------------
 */

json_t *board_vector(const struct listed_game *game, int index)
{
    static char line[1 << 20];
    char path[64];
    (void)snprintf(path, sizeof path, "tests/data/%s.games.jsonl", game->key);
    FILE *file = fopen(path, "r");
    for (int i = 0; i <= index; i++) {
        if (file == NULL || fgets(line, sizeof line, file) == NULL) {
            test_fail("%s has no line %d", path, index);
        }
    }
    (void)fclose(file);
    json_t *vector = json_loads(line, 0, NULL);
    if (vector == NULL || json_object_get(vector, "start") != NULL) {
        test_fail("line %d of %s is no game from the start", index, path);
    }
    return vector;
}

void board_play_vector(struct board *board, json_t *vector)
{
    size_t index = 0;
    json_t *move = NULL;
    const json_t *positions = json_object_get(vector, "positions");
    json_array_foreach(json_object_get(vector, "moves"), index, move)
    {
        struct answer answer = board_move(board, json_string_value(move));
        const char *expected = json_string_value(json_array_get(positions, index));
        if (strcmp(answer_text(&answer, "game.position"), expected) != 0) {
            test_fail("%s after move %zu:\n%s instead of\n%s", board->game->pool, index + 1,
                      answer_text(&answer, "game.position"), expected);
        }
        answer_free(&answer);
    }
}

void board_play_whole(struct board *board)
{
    json_t *vector = board_vector(board->game, board->game->vector);
    board_seat_with(board, board->game->partners);
    board_play_vector(board, vector);
    json_decref(vector);
}
