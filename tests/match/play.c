#include "play.h"

#include "match/verify.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct match_options play_options(void)
{
    return (struct match_options){
        .readers = 4,
        .turn_seconds = {30, 60},
        .repeat_limit = 5,
        .cpu_delay_ms = PLAY_DELAY_MS,
        .cpu_workers = 1,
        .absence_ms = PLAY_ABSENCE_MS,
        .absence_level = PLAY_LEVEL,
    };
}

void play_leave_stage(struct stage *stage)
{
    stage_stop(stage);
    play_verify();
    stage_leave(stage);
}

static void enqueue(struct stage *stage, const char *pool, uint16_t turn_seconds, int64_t player_no)
{
    struct match_enqueue command = {
        .op = stage_op(stage),
        .player_no = player_no,
        .turn_seconds = turn_seconds,
        .at_ms = atomic_load(&stage->now_ms),
    };
    (void)snprintf(command.pool, sizeof command.pool, "%s", pool);
    cr_assert_eq(stage_finish(stage, &command.op, match_enqueue_begin(stage->match, &command)),
                 MATCH_OK);
}

struct play play_between(struct stage *stage, const char *pool, uint16_t turn_seconds,
                         const int64_t *players, size_t count)
{
    static struct me_view view;
    struct play play = {.stage = stage};
    for (size_t i = 0; i < count; i++) {
        enqueue(stage, pool, turn_seconds, players[i]);
    }
    cr_assert_eq(match_me(stage->match, players[0], &view), MATCH_OK);
    cr_assert_geq(view.game_count, 1);
    play.id = view.games[0].game.id;
    play.game_no = view.games[0].game.game_no;
    for (size_t i = 0; i < view.games[0].seat_count; i++) {
        play.players[i] = view.games[0].seats[i].row.player_no;
    }
    return play;
}

struct play play_new(struct stage *stage, const char *pool, uint16_t turn_seconds)
{
    const struct pool_rules *found = NULL;
    const struct game_rules *rules = rules_find_pool(pool, &found);
    int64_t players[DB_SEATS_MAX] = {0};
    cr_assert_not_null(rules);
    for (size_t i = 0; i < rules->seat_count; i++) {
        players[i] = stage_player(stage);
    }
    return play_between(stage, pool, turn_seconds, players, rules->seat_count);
}

struct game_view play_view(const struct play *play)
{
    struct game_view view;
    cr_assert_eq(match_game(play->stage->match, &play->id, play->players[0], &view, NULL),
                 MATCH_OK);
    return view;
}

int play_turn(const struct play *play)
{
    struct game_view view = play_view(play);
    return view.game.turn[0] == '\0' ? RULES_SEAT_NONE : rules_seat(view.rules, view.game.turn[0]);
}

enum match_status play_move_text(const struct play *play, int seat, uint32_t ply, const char *text,
                                 int64_t at_ms)
{
    struct match_move command = {
        .op = stage_op(play->stage),
        .game_id = play->id,
        .player_no = play->players[seat],
        .ply = ply,
        .at_ms = at_ms,
    };
    (void)snprintf(command.text, sizeof command.text, "%s", text);
    return stage_finish(play->stage, &command.op, match_move_begin(play->stage->match, &command));
}

enum match_status play_move(const struct play *play, int64_t at_ms)
{
    static struct legal_view legal;
    cr_assert_eq(match_legal_moves(play->stage->match, &play->id, play->players[0], NULL, &legal),
                 MATCH_OK);
    cr_assert_gt(legal.count, 0);
    return play_move_text(play, play_turn(play), legal.ply + 1, legal.moves[0], at_ms);
}

static enum match_status hand_over(const struct play *play, int seat,
                                   enum match_status (*begin)(struct match *, struct match_seat *))
{
    struct match_seat command = {
        .op = stage_op(play->stage),
        .game_id = play->id,
        .player_no = play->players[seat],
        .at_ms = atomic_load(&play->stage->now_ms),
    };
    return stage_finish(play->stage, &command.op, begin(play->stage->match, &command));
}

enum match_status play_leave(const struct play *play, int seat)
{
    return hand_over(play, seat, match_leave_begin);
}

enum match_status play_return(const struct play *play, int seat)
{
    return hand_over(play, seat, match_return_begin);
}

void play_advance(const struct play *play, int64_t ms)
{
    atomic_fetch_add(&play->stage->now_ms, ms);
}

/* --- waiting -------------------------------------------------------------------------------------
 */

enum { PATIENCE_S = 30 };

static void wake(void *context)
{
    (void)sem_post(context);
}

/* False: nothing more comes. */
static bool wait_for_news(sem_t *news)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    return sem_timedwait(news, &until) == 0;
}

struct game_view play_await(const struct play *play, uint32_t seq)
{
    for (;;) {
        sem_t news;
        (void)sem_init(&news, 0, 0);
        struct event_waiter waiter = {.topic = EVENT_GAME,
                                      .number = play->game_no,
                                      .deadline_ms = INT64_MAX,
                                      .wake = wake,
                                      .context = &news};
        events_add(play->stage->match->events, &waiter);
        struct game_view view = play_view(play);
        bool there = view.game.seq >= seq || view.game.turn[0] == '\0';
        bool came = there || wait_for_news(&news);
        (void)events_remove(play->stage->match->events, &waiter);
        (void)sem_destroy(&news);
        cr_assert(came, "the game stays at seq %u", view.game.seq);
        if (there) {
            return view;
        }
    }
}

/* --- what is stored ------------------------------------------------------------------------------
 */

enum { STORY_TEXT = 1 << 16, ROWS = 2048 };

struct story {
    size_t used;
    char text[STORY_TEXT];
};

__attribute__((format(printf, 2, 3))) static void tell(struct story *story, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int wrote = vsnprintf(story->text + story->used, STORY_TEXT - story->used, format, arguments);
    va_end(arguments);
    cr_assert(wrote > 0 && (size_t)wrote < STORY_TEXT - story->used);
    story->used += (size_t)wrote;
}

static void tell_event(struct story *story, const struct db_event *event)
{
    tell(story, "%s%s", story->used == 0 ? "" : ", ", event->type);
    if (event->seat[0] != '\0') {
        tell(story, " %s", event->seat);
    }
    if (event->reason[0] != '\0') {
        tell(story, " %s", event->reason);
    }
}

static void tell_move(struct story *story, const struct db_move *move, int64_t since_ms)
{
    tell(story, "%smove %s %s@%lld", story->used == 0 ? "" : ", ", move->seat,
         move->by_cpu ? "cpu" : "player", (long long)(move->at_ms - since_ms));
}

const char *play_story(const struct play *play)
{
    static struct story story;
    static struct db_move moves[ROWS];
    static struct db_event events[ROWS];
    size_t move_count = 0;
    size_t event_count = 0;
    struct db_game game;
    struct db *db = reader_take(play->stage->match);
    cr_assert_eq(db_game_load(db, play->game_no, &game), DB_OK);
    cr_assert_eq(db_moves(db, play->game_no, 0, moves, ROWS, &move_count), DB_OK);
    cr_assert_eq(db_events(db, play->game_no, 0, events, ROWS, &event_count), DB_OK);
    reader_give(play->stage->match, db);
    story.used = 0;
    story.text[0] = '\0';
    for (size_t i = 0, j = 0; i < move_count || j < event_count;) {
        if (j == event_count || (i < move_count && moves[i].seq < events[j].seq)) {
            tell_move(&story, &moves[i++], game.created_at_ms);
        } else {
            tell_event(&story, &events[j++]);
        }
    }
    return story.text;
}

static void fail_with(void *context, const char *line)
{
    (void)context;
    cr_expect_fail("%s", line);
}

void play_verify(void)
{
    struct verify_options options = {.db_path = store_path(), .no_key = true, .all = true};
    struct verify_report report;
    cr_assert_eq(verify_run(&options, fail_with, NULL, &report), DB_OK, "%s", report.first);
    cr_expect_eq(report.differences, 0);
}
