#include "match/rematch.h"

#include "ear.h"
#include "match/seats.h"
#include "match/service.h"
#include "play.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>

/* Who is woken when a rematch is asked for: all who sat in the game, whenever that changes. */

enum { PEOPLE = 3 }; /* the last of them sat elsewhere */

static struct stage stage;
static int64_t people[PEOPLE];
static struct ear ears[PEOPLE];

static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
    stage_serve(&stage,
                (struct match_options){.readers = 2, .turn_seconds = {60}, .repeat_limit = 5});
    for (size_t i = 0; i < PEOPLE; i++) {
        people[i] = stage_player(&stage);
    }
}

static void leave(void)
{
    stage_stop(&stage);
    play_verify();
    stage_leave(&stage);
}

TestSuite(rematch, .init = enter, .fini = leave);

static void listen(void)
{
    for (size_t i = 0; i < PEOPLE; i++) {
        ear_listen(&stage, &ears[i], people[i]);
    }
}

static void expect_told(bool told, const char *of)
{
    for (size_t i = 0; i < PEOPLE; i++) {
        ear_expect(&stage, &ears[i], people[i], told && i < 2, of);
    }
}

/* A game between the first two, which the first has given up. */
static struct play ended(void)
{
    struct play play = play_between(&stage, "hasami", 60, people, 2);
    struct match_seat command = {
        .op = stage_op(&stage),
        .game_id = play.id,
        .player_no = people[0],
        .at_ms = stage_now_ms(&stage),
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_resign_begin(stage.match, &command)),
                 MATCH_OK);
    return play;
}

/* Player `who` asks, or takes it back. */
static void ask(const struct play *play, size_t who, bool takes_back)
{
    struct match_rematch command = {
        .op = stage_op(&stage),
        .game_id = play->id,
        .player_no = people[who],
        .at_ms = stage_now_ms(&stage),
        .takes_back = takes_back,
    };
    cr_assert_eq(stage_finish(&stage, &command.op, match_rematch_begin(stage.match, &command)),
                 MATCH_OK);
}

Test(rematch, all_who_sat_there_are_woken_when_somebody_newly_asks_or_takes_it_back)
{
    static const struct {
        size_t who;
        bool takes_back;
        bool told;
        const char *what;
    } deeds[] = {
        {0, false, true,  "asking"                        },
        {0, false, false, "asking again"                  },
        {1, true,  false, "taking back what was not asked"},
        {0, true,  true,  "taking it back"                },
        {0, true,  false, "taking it back again"          },
        {1, false, true,  "another one's asking"          },
        {0, false, true,  "the last one's asking"         },
        {0, false, false, "asking when the game is there" },
        {0, true,  false, "taking back what was agreed on"},
    };
    struct play play = ended();
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        listen();
        ask(&play, deeds[i].who, deeds[i].takes_back);
        /* All were told before the answer to whatever comes after it. */
        (void)stage_player(&stage);
        expect_told(deeds[i].told, deeds[i].what);
    }
}

Test(rematch, the_end_of_the_minute_wakes_nobody_nor_does_taking_back_what_has_expired)
{
    struct play play = ended();
    ask(&play, 0, false);
    listen();
    atomic_fetch_add(&stage.now_ms, LIMIT_REMATCH_MS);
    ask(&play, 0, true);
    (void)stage_player(&stage);
    expect_told(false, "expiry");
    listen();
    ask(&play, 0, false);
    (void)stage_player(&stage);
    expect_told(true, "asking anew");
}

/* --- how often -----------------------------------------------------------------------------------
 */

static int64_t told_seq(size_t who)
{
    int64_t seq = 0;
    cr_assert_eq(match_personal_seq(stage.match, people[who], &seq), MATCH_OK);
    return seq;
}

static void toggle(const struct play *play, size_t who, int times)
{
    for (int i = 0; i < times; i++) {
        ask(play, who, false);
        ask(play, who, true);
    }
}

Test(rematch, who_asks_and_takes_it_back_without_end_is_told_seven_times_a_day)
{
    enum { TIMES = 100, TOLD = 2 * LIMIT_REMATCH_TOLD - 1 };
    struct play play = ended();
    int64_t before = told_seq(1);
    for (int minutes = 0; minutes < 3; minutes++) {
        toggle(&play, 0, TIMES);
        cr_expect_eq(told_seq(1), before + TOLD, "after %d minutes", minutes);
        cr_expect_eq(told_seq(0), told_seq(1));
        atomic_fetch_add(&stage.now_ms, LIMIT_REMATCH_MS);
    }
    atomic_fetch_add(&stage.now_ms, LIMIT_PERSONAL_MS);
    toggle(&play, 0, TIMES);
    cr_expect_eq(told_seq(1), before + 2 * (int64_t)TOLD, "a day later");
}

Test(rematch, asking_again_whenever_the_minute_is_over_is_told_four_times_a_day)
{
    struct play play = ended();
    int64_t before = told_seq(1);
    for (int i = 1; i <= 3 * LIMIT_REMATCH_TOLD; i++) {
        ask(&play, 0, false);
        int told = i < LIMIT_REMATCH_TOLD ? i : LIMIT_REMATCH_TOLD;
        cr_expect_eq(told_seq(1), before + told, "asking %d", i);
        atomic_fetch_add(&stage.now_ms, LIMIT_REMATCH_MS);
    }
}

Test(rematch, after_many_askings_of_one_the_other_is_told_of_and_all_that_it_begins)
{
    struct play play = ended();
    toggle(&play, 0, LIMIT_REMATCH_TOLD);
    listen();
    ask(&play, 0, false);
    (void)stage_player(&stage);
    expect_told(false, "an asking too many");
    ask(&play, 0, true);
    listen();
    ask(&play, 1, false);
    (void)stage_player(&stage);
    expect_told(true, "the other's first asking");
    listen();
    ask(&play, 0, false);
    (void)stage_player(&stage);
    expect_told(true, "the asking that makes the game");
    struct rematch_view view;
    cr_assert_eq(match_rematch_read(stage.match, play.game_no, &view), MATCH_OK);
    cr_expect(view.has_game);
}

Test(rematch, a_restart_does_not_forget_how_often_was_told)
{
    struct play play = ended();
    toggle(&play, 0, LIMIT_REMATCH_TOLD);
    int64_t before = told_seq(1);
    stage_stop(&stage);
    stage_serve(&stage,
                (struct match_options){.readers = 2, .turn_seconds = {60}, .repeat_limit = 5});
    toggle(&play, 0, LIMIT_REMATCH_TOLD);
    cr_expect_eq(told_seq(1), before);
}
