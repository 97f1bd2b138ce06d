/* The three forms of a record and the drawing of a position, to the byte. */

#include "api/json_write.h"
#include "api/record_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAYER_A "p_00000000000000000000000001"
#define GAME     "g_00000000000000000000000003"
#define REPLAYED "g_00000000000000000000000004"
#define NOW      1790000000123
#define START    "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1"
#define LAST     "ppp1ppppp/9/9/9/4P4/9/9/9/PPPP1PPPP b - 3"

#define SET(field, text) ((void)snprintf((field), sizeof(field), "%s", (text)))

static const struct request request;

static void set_move(struct record *record, uint32_t ply, const char *move, const char *captured)
{
    struct db_move *row = &record->moves[ply - 1];
    row->ply = ply;
    SET(row->seat, ply % 2 == 1 ? "b" : "w");
    SET(row->move, move);
    SET(row->captured, captured);
    row->at_ms = NOW + ply * INT64_C(1000);
    row->think_ms = ply * INT64_C(777);
}

/* A running game of two plies between a player and a seat of the computer's own. */
static struct record *a_record(void)
{
    struct record *record = calloc(1, sizeof *record + 2 * sizeof record->moves[0]);
    cr_assert_not_null(record);
    record->rules = rules_find("hasami");
    options_default(record->rules, &record->options);
    options_bound(record->rules, &record->options);
    SET(record->game.id.id.text, GAME);
    SET(record->game.game, "hasami");
    SET(record->game.status, "playing");
    SET(record->game.position, LAST);
    record->game.created_at_ms = NOW;
    SET(record->start, START);
    record->seat_count = 2;
    SET(record->seats[0].seat, "b");
    record->seats[0].player_no = 1;
    SET(record->seats[0].player_id.id.text, PLAYER_A);
    SET(record->seats[1].seat, "w");
    record->move_count = 2;
    set_move(record, 1, "5i5e", "");
    set_move(record, 2, "6a5a", "5d 6d");
    record->moves[1].by_cpu = true;
    return record;
}

static void end(struct record *record)
{
    record->ended = true;
    SET(record->game.status, "finished");
    SET(record->game.end_reason, "resign");
    SET(record->game.pool, "hasami");
    record->game.turn_seconds = 60;
    record->game.finished_at_ms = NOW + 99000;
    SET(record->resigned, "w");
    record->has_places = true;
    record->seats[0].place = 1;
    record->seats[1].place = 2;
    record->has_replay_of = true;
    SET(record->replay_of.id.text, REPLAYED);
}

/* --- text ------------------------------------------------------------------------------------- */

#define TEXT_MOVES                                                                                 \
    "# ply seat move  by     at                        think_ms captured\n"                        \
    "    1 b    5i5e  player 2026-09-21T14:13:21.123Z       777\n"                                 \
    "    2 w    6a5a  cpu    2026-09-21T14:13:22.123Z      1554 5d 6d\n"

static void expect_text(struct record *record, const char *expected)
{
    size_t length = 0;
    char *text = record_text(record, &length);
    cr_assert_not_null(text);
    cr_expect_str_eq(text, expected, "%s", text);
    cr_expect_eq(length, strlen(text));
    free(text);
    record_free(record);
}

Test(records, the_text_of_a_running_game_leaves_out_what_does_not_apply)
{
    expect_text(a_record(), "banzuke-record: 1\n"
                            "id: " GAME "\n"
                            "game: hasami\n"
                            "options: win_condition=capture_5 move_limit=2000\n"
                            "turn_seconds: 0\n"
                            "created_at: 2026-09-21T14:13:20.123Z\n"
                            "seat b: " PLAYER_A "\n"
                            "seat w: cpu\n"
                            "start: " START "\n"
                            "\n" TEXT_MOVES "\n"
                            "status: playing\n"
                            "position: " LAST "\n");
}

Test(records, the_text_of_an_ended_game_says_how_it_ended)
{
    struct record *record = a_record();
    end(record);
    expect_text(record, "banzuke-record: 1\n"
                        "id: " GAME "\n"
                        "game: hasami\n"
                        "pool: hasami\n"
                        "options: win_condition=capture_5 move_limit=2000\n"
                        "turn_seconds: 60\n"
                        "created_at: 2026-09-21T14:13:20.123Z\n"
                        "replay_of: " REPLAYED "\n"
                        "seat b: " PLAYER_A "\n"
                        "seat w: cpu\n"
                        "start: " START "\n"
                        "\n" TEXT_MOVES "\n"
                        "status: finished\n"
                        "reason: resign\n"
                        "resigned: w\n"
                        "places: 1 2\n"
                        "position: " LAST "\n"
                        "finished_at: 2026-09-21T14:14:59.123Z\n");
}

/* --- JSON ------------------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "\"version\":1,\"id\":\"" GAME "\",\"game\":\"hasami\",\"pool\":null,"                         \
    "\"options\":{\"win_condition\":\"capture_5\",\"move_limit\":2000},\"turn_seconds\":0,"        \
    "\"created_at\":\"2026-09-21T14:13:20.123Z\",\"replay_of\":null,"                              \
    "\"seats\":[{\"seat\":\"b\",\"player_id\":\"" PLAYER_A "\"},"                                  \
    "{\"seat\":\"w\",\"player_id\":null}],\"start\":\"" START "\""
#define MOVE_1                                                                                     \
    "\"ply\":1,\"seat\":\"b\",\"move\":\"5i5e\",\"captured\":[],\"by\":\"player\","                \
    "\"at\":\"2026-09-21T14:13:21.123Z\",\"think_ms\":777}"
#define MOVE_2                                                                                     \
    "\"ply\":2,\"seat\":\"w\",\"move\":\"6a5a\",\"captured\":[\"5d\",\"6d\"],\"by\":\"cpu\","      \
    "\"at\":\"2026-09-21T14:13:22.123Z\",\"think_ms\":1554}"
#define PLAYING                                                                                    \
    "\"status\":\"playing\",\"reason\":null,\"resigned\":null,\"places\":null,"                    \
    "\"position\":\"" LAST "\",\"finished_at\":null}"

static void expect_reply(struct reply *reply, const char *type, const char *expected)
{
    cr_assert_not_null(reply->body);
    cr_expect_eq(reply->status, 200);
    cr_expect_str_eq(reply->content_type, type);
    cr_expect_str_eq(reply->body, expected);
    cr_expect_eq(reply->length, strlen(reply->body));
    reply_clear(reply);
}

Test(records, one_document_has_everything)
{
    struct reply reply = {0};
    struct record *record = a_record();
    (void)reply_record_json(&request, &reply, record);
    expect_reply(&reply, "application/json",
                 "{" HEAD ",\"moves\":[{" MOVE_1 ",{" MOVE_2 "]," PLAYING);
    record_free(record);
}

Test(records, lines_have_a_type_and_the_same_members)
{
    struct reply reply = {0};
    struct record *record = a_record();
    (void)reply_record_lines(&request, &reply, record);
    expect_reply(&reply, "application/x-ndjson",
                 "{\"type\":\"game\"," HEAD "}\n"
                 "{\"type\":\"move\"," MOVE_1 "\n"
                 "{\"type\":\"move\"," MOVE_2 "\n"
                 "{\"type\":\"status\"," PLAYING "\n");
    record_free(record);
}

Test(records, an_ended_game_has_its_end_in_them)
{
    struct reply reply = {0};
    struct record *record = a_record();
    end(record);
    (void)reply_record_json(&request, &reply, record);
    cr_expect_not_null(strstr(reply.body, "\"replay_of\":\"" REPLAYED "\""));
    cr_expect_not_null(strstr(reply.body,
                              "],\"status\":\"finished\",\"reason\":\"resign\",\"resigned\":\"w\","
                              "\"places\":[1,2],\"position\":\"" LAST "\","
                              "\"finished_at\":\"2026-09-21T14:14:59.123Z\"}"));
    reply_clear(&reply);
    record_free(record);
}

/* --- the board -------------------------------------------------------------------------------- */

static void expect_board(const struct record *record, uint32_t ply, const char *position,
                         const char *expected)
{
    struct game_line line = {.rules = record->rules, .options = record->options, .ply = ply};
    struct text_error error;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    cr_assert(out != NULL &&
              record->rules->parse_position(position, strlen(position), &record->options,
                                            &line.position, &error));
    record_print_board(out, record, &line);
    (void)fclose(out);
    cr_expect_str_eq(text, expected, "%s", text);
    free(text);
}

Test(records, a_position_is_drawn_as_its_squares_are_named)
{
    struct record *record = a_record();
    expect_board(record, 2, "ppp1p4/9/7P1/9/4P4/9/9/9/PPPP4p b - 3",
                 "hasami " GAME "\n"
                 "after ply 2 of 2: w 6a5a, takes 5d 6d\n"
                 "\n"
                 " 9 8 7 6 5 4 3 2 1\n"
                 " p p p . p . . . .  a\n"
                 " . . . . . . . . .  b\n"
                 " . . . . . . . P .  c\n"
                 " . . . . . . . . .  d\n"
                 " . . . . P . . . .  e\n"
                 " . . . . . . . . .  f\n"
                 " . . . . . . . . .  g\n"
                 " . . . . . . . . .  h\n"
                 " P P P P . . . . p  i\n"
                 "\n"
                 "b: 6 pieces, 4 captured\n"
                 "w: 5 pieces, 3 captured\n"
                 "position: ppp1p4/9/7P1/9/4P4/9/9/9/PPPP4p b - 3\n"
                 "to move: b\n");
    record_free(record);
}

#define FULL                                                                                       \
    "\n 9 8 7 6 5 4 3 2 1\n p p p p p p p p p  a\n . . . . . . . . .  b\n . . . . . . . . .  c\n"  \
    " . . . . . . . . .  d\n . . . . . . . . .  e\n . . . . . . . . .  f\n . . . . . . . . .  g\n" \
    " . . . . . . . . .  h\n P P P P P P P P P  i\n\nb: 9 pieces, 0 captured\n"                    \
    "w: 9 pieces, 0 captured\nposition: " START "\n"

Test(records, the_drawing_says_where_in_the_game_it_is)
{
    struct record *record = a_record();
    expect_board(record, 0, START,
                 "hasami " GAME "\nbefore the first of 2 plies\n" FULL "to move: b\n");
    expect_board(record, 1, START,
                 "hasami " GAME "\nafter ply 1 of 2: b 5i5e\n" FULL "to move: b\n");
    end(record);
    expect_board(record, 2, START,
                 "hasami " GAME "\nafter ply 2 of 2: w 6a5a, takes 5d 6d\n" FULL "end: resign\n");
    record_free(record);
}
