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
    "\"status\":\"playing\",\"reason\":null,\"resigned\":null,\"eliminations\":[],\"places\":"     \
    "null,"                                                                                        \
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
                              "\"eliminations\":[],\"places\":[1,2],\"position\":\"" LAST "\","
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
    line.elimination_count = record->elimination_count;
    memcpy(line.eliminations, record->eliminations, sizeof line.eliminations);
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

/* --- four-player shogi ------------------------------------------------------------------------ */

/* West was mated by South, who has its gold; North by nobody, whose pieces nobody has. */
#define FALLEN "3Xn5/9/2+Pn-6/3GwsSs4/Xw4Rn-3/9/9/4Ps3Ke/4Ks4 2RP/-/-/S e w>s,n>* - 2"

static struct record *four(void)
{
    static const char *const seats[] = {"s", "w", "n", "e"};
    struct record *record = calloc(1, sizeof *record + 2 * sizeof record->moves[0]);
    cr_assert_not_null(record);
    record->rules = rules_find("yonin");
    struct text_error error;
    cr_assert(options_parse(record->rules, "ending=last_survivor", &record->options, &error));
    SET(record->game.id.id.text, GAME);
    SET(record->game.game, "yonin");
    SET(record->game.position, FALLEN);
    SET(record->start, "start");
    SET(record->game.status, "playing");
    record->seat_count = 4;
    for (size_t i = 0; i < 4; i++) {
        SET(record->seats[i].seat, seats[i]);
    }
    record->seats[2].player_no = 1;
    SET(record->seats[2].player_id.id.text, PLAYER_A);
    record->move_count = 2;
    set_move(record, 1, "P*5e", "");
    set_move(record, 2, "1h1g", "");
    SET(record->moves[0].seat, "s");
    SET(record->moves[1].seat, "e");
    record->elimination_count = 2;
    record->eliminations[0] = (struct line_elimination){
        .ply = 1, .elimination = {1, 0}
    };
    record->eliminations[1] = (struct line_elimination){
        .ply = 2, .elimination = {2, RULES_SEAT_NONE}
    };
    return record;
}

Test(records, the_text_has_four_seats_and_says_who_was_mated_when_and_by_whom)
{
    expect_text(four(), "banzuke-record: 1\n"
                        "id: " GAME "\n"
                        "game: yonin\n"
                        "options: format=individual ending=last_survivor orphaned_pieces=to_mater"
                        " move_limit=0\n"
                        "turn_seconds: 0\n"
                        "seat s: cpu\n"
                        "seat w: cpu\n"
                        "seat n: " PLAYER_A "\n"
                        "seat e: cpu\n"
                        "start: start\n"
                        "\n"
                        "# ply seat move  by     at                        think_ms captured\n"
                        "    1 s    P*5e  player 2026-09-21T14:13:21.123Z       777\n"
                        "    2 e    1h1g  player 2026-09-21T14:13:22.123Z      1554\n"
                        "\n"
                        "status: playing\n"
                        "eliminated w: ply 1 by s\n"
                        "eliminated n: ply 2 by nobody\n"
                        "position: " FALLEN "\n");
}

Test(records, every_form_has_the_mates)
{
    static const char mates[] = "\"eliminations\":[{\"ply\":1,\"seat\":\"w\",\"credited\":\"s\"},"
                                "{\"ply\":2,\"seat\":\"n\",\"credited\":null}],\"places\":null,";
    struct reply reply = {0};
    struct record *record = four();
    (void)reply_record_json(&request, &reply, record);
    cr_expect_not_null(strstr(reply.body, mates), "%s", reply.body);
    reply_clear(&reply);
    (void)reply_record_lines(&request, &reply, record);
    cr_expect_not_null(strstr(reply.body, mates), "%s", reply.body);
    reply_clear(&reply);
    record_free(record);
}

Test(records, a_drawing_shows_where_pieces_face_and_whose_they_are)
{
    struct record *record = four();
    expect_board(record, 2, FALLEN,
                 "yonin " GAME "\n"
                 "after ply 2 of 2: e 1h1g\n"
                 "\n"
                 " 9    8    7    6    5    4    3    2    1\n"
                 " .    .    .    Xv   .    .    .    .    .     a\n"
                 " .    .    .    .    .    .    .    .    .     b\n"
                 " .    .    +Pv- .    .    .    .    .    .     c\n"
                 " .    .    .    G>s  S^   .    .    .    .     d\n"
                 " X>   .    .    .    .    Rv-  .    .    .     e\n"
                 " .    .    .    .    .    .    .    .    .     f\n"
                 " .    .    .    .    .    .    .    .    .     g\n"
                 " .    .    .    .    P^   .    .    .    K<    h\n"
                 " .    .    .    .    K^   .    .    .    .     i\n"
                 "\n"
                 "^ faces rank a (s), > file 1 (w), v rank i (n), < file 9 (e)\n"
                 "a letter behind it: another owner; -: nobody's; +: promoted; X: a mated king\n"
                 "\n"
                 "s: 8 pieces, 3 in hand (2 R, 1 P), mates: 1\n"
                 "w: 0 pieces, 0 in hand, out at ply 1 by s\n"
                 "n: 0 pieces, 0 in hand, out at ply 2 by nobody\n"
                 "e: 2 pieces, 1 in hand (1 S)\n"
                 "position: " FALLEN "\n"
                 "to move: e\n");
    record_free(record);
}

Test(records, a_drawing_says_who_is_in_check)
{
    static const char check[] = "4Kn4/9/9/9/Kw3Rs3Ke/9/9/9/4Ks4 -/-/-/- w - w<s,n<s,e<s 1";
    struct record *record = four();
    struct game_line line = {.rules = record->rules, .options = record->options, .ply = 1};
    struct text_error error;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    cr_assert(out != NULL && record->rules->parse_position(check, strlen(check), &record->options,
                                                           &line.position, &error),
              "%s", error.text);
    record_print_board(out, record, &line);
    (void)fclose(out);
    cr_expect_not_null(strstr(text, "\ns: 2 pieces, 0 in hand\nw: 1 piece, 0 in hand, in check\n"),
                       "%s", text);
    free(text);
    record_free(record);
}
