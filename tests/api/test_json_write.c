/* The shapes of answers, to the byte: every field is there, in its order, and numbers as they are
 * meant. */

#include "api/json_write.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define PLAYER_A "p_00000000000000000000000001"
#define PLAYER_B "p_00000000000000000000000002"
#define GAME     "g_00000000000000000000000003"
#define NOW      1790000000123
#define NOW_TEXT "\"2026-09-21T14:13:20.123Z\""
#define START    "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1"

#define SET(field, text) ((void)snprintf((field), sizeof(field), "%s", (text)))

static const struct request request;

/* A game of four with pieces in hand, for shapes that the games there are do not have yet. */
static const struct game_rules four = {
    .key = "four", .seat_letters = "swne", .seat_count = 4, .hand_letters = "RGSP"};

static void expect_body(struct reply *reply, unsigned status, const char *expected)
{
    cr_assert_not_null(reply->body);
    cr_expect_eq(reply->status, status);
    cr_expect_str_eq(reply->content_type, "application/json");
    cr_expect_str_eq(reply->body, expected);
    cr_expect_eq(reply->length, strlen(reply->body));
    reply_clear(reply);
}

/* The part of the body from the member `key` on, to its end. */
static void expect_part(const struct reply *reply, const char *expected)
{
    cr_assert_not_null(reply->body);
    cr_expect_not_null(strstr(reply->body, expected), "%s\nin %s", expected, reply->body);
}

static struct move_answer an_answer(void)
{
    struct move_answer answer = {
        .rules = rules_find("hasami"), .seq = 33, .turn_seconds = 60, .seat_count = 2};
    answer.move = (struct db_move){.ply = 31, .at_ms = NOW, .think_ms = 4321};
    SET(answer.move.seat, "b");
    SET(answer.move.move, "5i5e");
    SET(answer.move.captured, "5c 5d");
    SET(answer.status, "playing");
    SET(answer.position, START);
    SET(answer.turn, "w");
    answer.facts[0] = (struct seat_facts){.alive = true, .pieces = 9, .captured = 2};
    answer.facts[1] = (struct seat_facts){.alive = true, .pieces = 7};
    return answer;
}

static void set_rating(struct rating_view *rating, const char *seat, int64_t before, int64_t delta)
{
    SET(rating->seat, seat);
    SET(rating->player_id.id.text, seat[0] == 'b' ? PLAYER_A : PLAYER_B);
    rating->before_milli = before;
    rating->delta_milli = delta;
    rating->after_milli = before + delta;
}

static struct result_view a_result(void)
{
    struct result_view result = {
        .ended = true, .has_ranks = true, .ranks = {1, 2}
    };
    SET(result.reason, "capture");
    SET(result.rating_status, "applied");
    result.rating_count = 2;
    set_rating(&result.ratings[0], "b", 1500000, 7766);
    set_rating(&result.ratings[1], "w", 1234567, -234);
    return result;
}

#define RESULT                                                                                     \
    "{\"reason\":\"capture\",\"draw\":false,\"ranks\":[1,2],\"rating_status\":\"applied\","        \
    "\"ratings\":[{\"seat\":\"b\",\"player_id\":\"" PLAYER_A "\",\"before\":1500,"                 \
    "\"after\":1507.766,\"delta\":7.766},{\"seat\":\"w\",\"player_id\":\"" PLAYER_B "\","          \
    "\"before\":1234.567,\"after\":1234.333,\"delta\":-0.234}]}"

static struct game_view a_view(void)
{
    struct game_view view = {.rules = rules_find("hasami"), .seat_count = 2, .now_ms = NOW};
    options_default(view.rules, &view.options);
    options_bound(view.rules, &view.options);
    SET(view.game.id.id.text, GAME);
    SET(view.game.game, "hasami");
    SET(view.game.pool, "hasami");
    SET(view.game.status, "playing");
    SET(view.game.position, START);
    SET(view.game.turn, "b");
    view.game.rated = true;
    view.game.seq = 1;
    view.game.turn_seconds = 60;
    view.game.created_at_ms = NOW;
    for (size_t i = 0; i < 2; i++) {
        struct seat_view *seat = &view.seats[i];
        SET(seat->row.seat, i == 0 ? "b" : "w");
        SET(seat->row.player_id.id.text, i == 0 ? PLAYER_A : PLAYER_B);
        seat->row.player_no = (int64_t)i + 1;
        seat->row.has_rating = true;
        seat->row.rating_milli = i == 0 ? 1507766 : 1500000;
        seat->facts = (struct seat_facts){.alive = true, .pieces = 9};
    }
    view.seats[0].row.has_name = true;
    SET(view.seats[0].row.name, "Am\"ber");
    view.seats[0].present = true;
    return view;
}

Test(json_write, the_answer_to_a_move_has_every_field)
{
    struct reply reply = {0};
    struct move_answer answer = an_answer();
    (void)reply_move(&request, &reply, 201, &answer);
    expect_body(
        &reply, 201,
        "{\"move\":{\"ply\":31,\"seat\":\"b\",\"move\":\"5i5e\",\"captured\":[\"5c\",\"5d\"],"
        "\"by\":\"player\",\"at\":" NOW_TEXT ",\"think_ms\":4321},\"eliminations\":[],"
        "\"seq\":33,\"game\":{\"status\":\"playing\",\"ply\":31,\"next_ply\":32,"
        "\"turn\":\"w\",\"turn_reason\":\"order\",\"position\":\"" START "\","
        "\"clock\":{\"turn_seconds\":60,\"deadline_at\":null,\"remaining_ms\":null},"
        "\"seats\":[{\"seat\":\"b\",\"alive\":true,\"in_check\":false,\"pieces\":9,"
        "\"captured\":2,\"mates\":0,\"hand\":{}},{\"seat\":\"w\",\"alive\":true,"
        "\"in_check\":false,\"pieces\":7,\"captured\":0,\"mates\":0,\"hand\":{}}],"
        "\"server_now\":" NOW_TEXT ",\"result\":null}}");
}

Test(json_write, the_last_move_says_that_nobody_is_on_turn)
{
    struct reply reply = {0};
    struct move_answer answer = an_answer();
    SET(answer.status, "finished");
    SET(answer.turn, "");
    answer.result = a_result();
    (void)reply_move(&request, &reply, 200, &answer);
    cr_expect_eq(reply.status, 200);
    expect_part(&reply, "\"status\":\"finished\",\"ply\":31,\"next_ply\":null,\"turn\":null,"
                        "\"turn_reason\":null,");
    expect_part(&reply, "\"result\":" RESULT "}}");
    reply_clear(&reply);
}

Test(json_write, checks_hands_and_eliminations_of_four_seats_are_told)
{
    struct reply reply = {0};
    struct move_answer answer = an_answer();
    answer.rules = &four;
    answer.seat_count = 4;
    answer.check = true;
    answer.move.by_cpu = true;
    SET(answer.move.captured, "");
    answer.elimination_count = 2;
    answer.eliminations[0] = (struct elimination){.seat = 1, .credited = 0};
    answer.eliminations[1] = (struct elimination){.seat = 3, .credited = RULES_SEAT_NONE};
    answer.facts[2].hand[0] = 1;
    answer.facts[2].hand[3] = 4;
    (void)reply_move(&request, &reply, 201, &answer);
    expect_part(&reply, "\"captured\":[],\"by\":\"cpu\"");
    expect_part(&reply, "\"eliminations\":[{\"ply\":31,\"seat\":\"w\",\"credited\":\"s\"},"
                        "{\"ply\":31,\"seat\":\"e\",\"credited\":null}],");
    expect_part(&reply, "\"turn_reason\":\"check\"");
    expect_part(&reply, "\"hand\":{\"R\":1,\"P\":4}},{\"seat\":\"e\"");
    reply_clear(&reply);
}

Test(json_write, a_snapshot_has_every_field)
{
    struct reply reply = {0};
    struct game_view view = a_view();
    (void)reply_game(&request, &reply, &view, NULL);
    expect_body(&reply, 200,
                "{\"id\":\"" GAME "\",\"game\":\"hasami\",\"pool\":\"hasami\",\"rated\":true,"
                "\"unrated_reason\":null,\"options\":{\"win_condition\":\"capture_5\","
                "\"move_limit\":2000},\"status\":\"playing\",\"position\":\"" START "\",\"ply\":0,"
                "\"next_ply\":1,\"turn\":\"b\",\"turn_reason\":\"order\",\"seq\":1,"
                "\"seats\":[{\"seat\":\"b\",\"player\":{\"id\":\"" PLAYER_A "\","
                "\"name\":\"Am\\\"ber\",\"rating\":1507.766},\"control\":\"player\","
                "\"present\":true,\"cpu_level\":null,\"alive\":true,\"in_check\":false,"
                "\"pieces\":9,\"captured\":0,\"mates\":0,\"hand\":{}},"
                "{\"seat\":\"w\",\"player\":{\"id\":\"" PLAYER_B "\",\"name\":null,"
                "\"rating\":1500},\"control\":\"player\",\"present\":false,\"cpu_level\":null,"
                "\"alive\":true,\"in_check\":false,\"pieces\":9,\"captured\":0,\"mates\":0,"
                "\"hand\":{}}],\"eliminations\":[],\"clock\":{\"turn_seconds\":60,"
                "\"deadline_at\":null,\"remaining_ms\":null},\"server_now\":" NOW_TEXT ","
                "\"result\":null,\"replay_of\":null,\"replayed_by\":null,\"rematch_of\":null,"
                "\"rematched_by\":null,\"table_id\":null,\"created_at\":" NOW_TEXT ","
                "\"finished_at\":null}");
}

Test(json_write, a_finished_game_shows_its_result_and_its_replay)
{
    struct reply reply = {0};
    struct game_view view = a_view();
    SET(view.game.status, "finished");
    SET(view.game.turn, "");
    SET(view.game.pool, "");
    SET(view.game.unrated_reason, "repeat_limit");
    view.game.rated = false;
    view.game.finished_at_ms = NOW;
    view.result = a_result();
    view.has_replayed_by = true;
    SET(view.replayed_by.id.text, GAME);
    (void)reply_game(&request, &reply, &view, NULL);
    expect_part(&reply, "\"pool\":null,\"rated\":false,\"unrated_reason\":\"repeat_limit\"");
    expect_part(&reply, "\"next_ply\":null,\"turn\":null,\"turn_reason\":null");
    expect_part(&reply, "\"result\":" RESULT ",\"replay_of\":null,\"replayed_by\":\"" GAME "\"");
    expect_part(&reply, "\"finished_at\":" NOW_TEXT "}");
    reply_clear(&reply);
}

Test(json_write, an_aborted_game_has_no_ranks_and_no_ratings)
{
    struct reply reply = {0};
    struct game_view view = a_view();
    view.result = (struct result_view){.ended = true};
    SET(view.result.reason, "no_show");
    SET(view.result.rating_status, "unrated");
    (void)reply_game(&request, &reply, &view, NULL);
    expect_part(&reply, "\"result\":{\"reason\":\"no_show\",\"draw\":false,\"ranks\":null,"
                        "\"rating_status\":\"unrated\",\"ratings\":[]}");
    reply_clear(&reply);
}

Test(json_write, a_seat_without_a_rating_or_without_a_person_says_so)
{
    struct reply reply = {0};
    struct game_view view = a_view();
    view.seats[0].row.has_rating = false;
    view.seats[1].row.player_no = 0;
    view.seats[1].row.cpu = true;
    (void)reply_game(&request, &reply, &view, NULL);
    expect_part(&reply, "\"name\":\"Am\\\"ber\",\"rating\":null}");
    expect_part(&reply, "\"seat\":\"w\",\"player\":null,\"control\":\"cpu\"");
    reply_clear(&reply);
}

Test(json_write, legal_moves_come_last_in_a_snapshot_that_asks_for_them)
{
    struct reply reply = {0};
    struct game_view view = a_view();
    struct legal_view legal = {.count = 2, .turn = "b"};
    SET(legal.moves[0], "1i1b");
    SET(legal.moves[1], "9i9h");
    (void)reply_game(&request, &reply, &view, &legal);
    expect_part(&reply, "\"finished_at\":null,\"legal_moves\":[\"1i1b\",\"9i9h\"]}");
    reply_clear(&reply);
    (void)reply_legal_moves(&request, &reply, &legal);
    expect_body(&reply, 200, "{\"ply\":0,\"turn\":\"b\",\"moves\":[\"1i1b\",\"9i9h\"]}");
}

Test(json_write, lists_have_items_and_a_cursor_or_null)
{
    struct reply reply = {0};
    struct move_answer answer = an_answer();
    (void)reply_moves(&request, &reply, &answer.move, 1, "abc");
    expect_body(&reply, 200,
                "{\"items\":[{\"ply\":31,\"seat\":\"b\",\"move\":\"5i5e\",\"captured\":[\"5c\","
                "\"5d\"],\"by\":\"player\",\"at\":" NOW_TEXT ",\"think_ms\":4321}],"
                "\"next_cursor\":\"abc\"}");
    (void)reply_games(&request, &reply, NULL, 0, "");
    expect_body(&reply, 200, "{\"items\":[],\"next_cursor\":null}");
}

static struct ticket_view a_ticket(void)
{
    struct ticket_view ticket = {.expires_at_ms = NOW};
    SET(ticket.row.id.id.text, "q_00000000000000000000000004");
    SET(ticket.row.pool, "hasami");
    SET(ticket.row.status, "waiting");
    ticket.row.turn_seconds = 30;
    ticket.row.rating_milli = 1492250;
    ticket.row.created_at_ms = NOW;
    return ticket;
}

#define TICKET                                                                                     \
    "{\"id\":\"q_00000000000000000000000004\",\"pool\":\"hasami\",\"turn_seconds\":30,"            \
    "\"partner\":null,\"status\":\"waiting\",\"game_id\":null,\"seat\":null,\"rating\":1492.25,"   \
    "\"window\":null,\"estimate_seconds\":null,\"created_at\":" NOW_TEXT                           \
    ",\"expires_at\":" NOW_TEXT "}"

Test(json_write, a_ticket_has_every_field)
{
    struct reply reply = {0};
    struct ticket_view ticket = a_ticket();
    (void)reply_ticket(&request, &reply, 201, &ticket);
    expect_body(&reply, 201, TICKET);
}

Test(json_write, a_registration_shows_the_token)
{
    struct reply reply = {0};
    struct match_register command = {
        .player = {.has_name = true, .created_at_ms = NOW}
    };
    SET(command.player.id.id.text, PLAYER_A);
    SET(command.player.name, "Amber Heron 417");
    SET(command.device.id.id.text, "d_00000000000000000000000005");
    SET(command.token, "bzd_x");
    (void)reply_registration(&request, &reply, &command.player, &command.device, command.token);
    expect_body(&reply, 201,
                "{\"player\":{\"id\":\"" PLAYER_A "\",\"name\":\"Amber Heron 417\","
                "\"created_at\":" NOW_TEXT "},\"device\":{\"id\":\"d_00000000000000000000000005\"},"
                "\"token\":\"bzd_x\"}");
}

Test(json_write, ones_own_view_has_every_pool_with_or_without_a_rank)
{
    static struct me_view view;
    struct reply reply = {0};
    view.player = (struct db_player){.has_name = true, .created_at_ms = NOW};
    SET(view.player.id.id.text, PLAYER_A);
    SET(view.player.name, "Heron");
    view.pool_count = 2;
    SET(view.pools[0].pool, "hasami");
    view.pools[0].rank = 3;
    view.pools[0].rating = (struct db_rating){
        .rating_milli = 1615001, .games = 12, .wins = 9, .draws = 1, .losses = 2};
    SET(view.pools[1].pool, "other");
    view.pools[1].provisional = true;
    view.pools[1].rating.rating_milli = 1500000;
    view.has_ticket = true;
    view.ticket = a_ticket();
    (void)reply_me(&request, &reply, &view);
    expect_body(&reply, 200,
                "{\"player\":{\"id\":\"" PLAYER_A "\",\"name\":\"Heron\",\"created_at\":" NOW_TEXT
                "},\"ratings\":{\"hasami\":{\"rating\":1615.001,\"games\":12,\"wins\":9,"
                "\"draws\":1,\"losses\":2,\"provisional\":false,\"rank\":3},"
                "\"other\":{\"rating\":1500,\"games\":0,\"wins\":0,\"draws\":0,\"losses\":0,"
                "\"provisional\":true,\"rank\":null}},\"open_games\":[],\"ticket\":" TICKET "}");
}

static struct db_ranking_row a_row(void)
{
    struct db_ranking_row row = {.rank = 1, .has_name = true};
    row.rating = (struct db_rating){
        .list = DB_RANKED,
        .rating_milli = 1688125,
        .games = 4,
        .wins = 3,
        .losses = 1,
        .places = {3, 0, 1, 0},
        .last_game_at_ms = NOW
    };
    SET(row.player_id.id.text, PLAYER_A);
    SET(row.name, "Heron");
    return row;
}

#define ROW_BEGIN                                                                                  \
    "{\"rank\":1,\"player\":{\"id\":\"" PLAYER_A "\",\"name\":\"Heron\"},\"rating\":1688.125,"     \
    "\"games\":4,\"wins\":3,\"draws\":0,\"losses\":1,"
#define ROW_END "\"provisional\":false,\"last_game_at\":" NOW_TEXT "}"

Test(json_write, places_are_told_of_games_with_more_than_two_seats)
{
    static struct ranking_page page;
    struct reply reply = {0};
    page = (struct ranking_page){.total = 7, .as_of_ms = NOW, .count = 2};
    page.rows[0] = a_row();
    struct ranking_reply ranking = {
        .pool = "hasami", .seats = 2, .page = &page, .count = 1, .next = ""};
    (void)reply_ranking(&request, &reply, &ranking);
    expect_body(&reply, 200,
                "{\"pool\":\"hasami\",\"total\":7,\"as_of\":" NOW_TEXT
                ",\"items\":[" ROW_BEGIN ROW_END "],\"next_cursor\":null}");
    ranking.seats = 4;
    ranking.next = "abc";
    (void)reply_ranking(&request, &reply, &ranking);
    expect_part(&reply, "\"items\":[" ROW_BEGIN "\"places\":[3,0,1,0]," ROW_END "],"
                        "\"next_cursor\":\"abc\"}");
    reply_clear(&reply);
}

Test(json_write, a_standing_has_a_percentile_with_one_decimal)
{
    static struct standing_view view;
    struct reply reply = {0};
    SET(view.pool.pool, "hasami");
    SET(view.player.id.id.text, PLAYER_A);
    view.player.has_name = true;
    SET(view.player.name, "Heron");
    view.pool.rating = a_row().rating;
    view.has_rank = true;
    view.rank = 1;
    view.percentile = 200.0 / 3.0;
    view.around_count = 1;
    view.around[0] = a_row();
    (void)reply_standing(&request, &reply, 2, &view);
    expect_body(&reply, 200,
                "{\"pool\":\"hasami\",\"rank\":1,\"percentile\":66.7,\"player\":{\"id\":\"" PLAYER_A
                "\",\"name\":\"Heron\"},\"rating\":1688.125,\"games\":4,\"wins\":3,\"draws\":0,"
                "\"losses\":1,\"provisional\":false,\"around\":[" ROW_BEGIN ROW_END "]}");
}

Test(json_write, a_standing_without_a_rank_has_nulls_and_no_neighbours)
{
    static struct standing_view view;
    struct reply reply = {0};
    SET(view.pool.pool, "hasami");
    SET(view.player.id.id.text, PLAYER_A);
    view.pool.provisional = true;
    view.pool.rating.rating_milli = 1500000;
    (void)reply_standing(&request, &reply, 2, &view);
    expect_body(
        &reply, 200,
        "{\"pool\":\"hasami\",\"rank\":null,\"percentile\":null,\"player\":{\"id\":\"" PLAYER_A
        "\",\"name\":null},\"rating\":1500,\"games\":0,\"wins\":0,\"draws\":0,\"losses\":0,"
        "\"provisional\":true,\"around\":[]}");
}
