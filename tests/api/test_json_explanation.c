/* The shape of an explanation, to the byte. */

#include "api/json_write.h"
#include "match/explanation.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PLAYER_A "p_00000000000000000000000001"
#define PLAYER_B "p_00000000000000000000000002"
#define GAME     "g_00000000000000000000000003"
#define SENTENCE "won against \\u0001 (1812.3): 40 x (1 - 0.09) = +36.2"

#define SET(field, text) ((void)snprintf((field), sizeof(field), "%s", (text)))

static const struct request request;
static struct explanation_view view;

static void set_view(void)
{
    view = (struct explanation_view){.at_stake = true};
    view.game.seat_count = 2;
    view.game.game.rated = true;
    SET(view.game.game.id.id.text, GAME);
    SET(view.game.game.pool, "hasami");
    for (size_t i = 0; i < 2; i++) {
        SET(view.game.seats[i].row.seat, i == 0 ? "b" : "w");
        SET(view.game.seats[i].row.player_id.id.text, i == 0 ? PLAYER_A : PLAYER_B);
        view.game.seats[i].row.player_no = (int64_t)i + 1;
    }
    struct explained_seat *seat = &view.seats[0];
    seat->before_milli = 1411500;
    seat->k = 40;
    seat->provisional = true;
    seat->against_count = 1;
    seat->against[0] =
        (struct explained_side){.seat_no = 1, .rating_milli = 1812345, .expected_micro = 90500};
    seat->outcome_count = 3;
    seat->outcomes[0] = (struct explained_outcome){
        {1, 2},
        36380
    };
    seat->outcomes[1] = (struct explained_outcome){
        {1, 1},
        16380
    };
    seat->outcomes[2] = (struct explained_outcome){
        {2, 1},
        -3620
    };
}

static void expect_begin(const char *expected)
{
    struct reply reply = {0};
    (void)reply_explanation(&request, &reply, &view);
    cr_assert_not_null(reply.body);
    cr_expect_eq(reply.status, 200);
    cr_expect_eq(strncmp(reply.body, expected, strlen(expected)), 0, "%s\n%s", reply.body,
                 expected);
    reply_clear(&reply);
}

Test(json_explanation, a_running_game_has_the_outcomes_and_nulls_for_the_end)
{
    set_view();
    expect_begin("{\"game_id\":\"" GAME "\",\"pool\":\"hasami\",\"rated\":true,"
                 "\"unrated_reason\":null,\"rating_status\":null,\"seats\":[{\"seat\":\"b\","
                 "\"player_id\":\"" PLAYER_A "\",\"before\":1411.5,\"k\":40,\"provisional\":true,"
                 "\"after\":null,\"delta\":null,\"floor_applied\":null,\"cpu_capped\":null,"
                 "\"against\":[{\"seat\":\"w\",\"rating\":1812.345,\"expected\":0.090500,"
                 "\"score\":null,\"points\":null,\"sentence\":null}],"
                 "\"outcomes\":[{\"places\":[1,2],\"delta\":36.38},{\"places\":[1,1],"
                 "\"delta\":16.38},{\"places\":[2,1],\"delta\":-3.62}]},{\"seat\":\"w\",");
}

Test(json_explanation, an_ended_game_has_every_number_and_a_sentence)
{
    set_view();
    view.ended = true;
    SET(view.game.result.rating_status, "applied");
    struct explained_seat *seat = &view.seats[0];
    seat->after_milli = 1411500;
    seat->cpu_capped = true;
    seat->against[0].score_halves = 2;
    seat->against[0].points_milli = 36380;
    SET(seat->against[0].sentence, "won against \001 (1812.3): 40 x (1 - 0.09) = +36.2");
    expect_begin("{\"game_id\":\"" GAME "\",\"pool\":\"hasami\",\"rated\":true,"
                 "\"unrated_reason\":null,\"rating_status\":\"applied\",\"seats\":[{"
                 "\"seat\":\"b\",\"player_id\":\"" PLAYER_A "\",\"before\":1411.5,\"k\":40,"
                 "\"provisional\":true,\"after\":1411.5,\"delta\":0,\"floor_applied\":false,"
                 "\"cpu_capped\":true,\"against\":[{\"seat\":\"w\",\"rating\":1812.345,"
                 "\"expected\":0.090500,\"score\":1,\"points\":36.38,\"sentence\":\"" SENTENCE
                 "\"}],\"outcomes\":null},{\"seat\":\"w\",");
}

Test(json_explanation, a_game_that_changes_no_rating_has_no_numbers)
{
    set_view();
    view.at_stake = false;
    view.game.game.rated = false;
    view.game.game.pool[0] = '\0';
    SET(view.game.game.unrated_reason, "cpu_seat");
    view.game.seats[0].row.player_no = 0;
    memset(view.seats, 0, sizeof view.seats);
    expect_begin("{\"game_id\":\"" GAME "\",\"pool\":null,\"rated\":false,"
                 "\"unrated_reason\":\"cpu_seat\",\"rating_status\":null,\"seats\":[{"
                 "\"seat\":\"b\",\"player_id\":null,\"before\":null,\"k\":null,"
                 "\"provisional\":null,\"after\":null,\"delta\":null,\"floor_applied\":null,"
                 "\"cpu_capped\":null,\"against\":[],\"outcomes\":null},{\"seat\":\"w\",");
}
