#include "rematch.h"

#include "db/rematches.h"
#include "game_make.h"
#include "personal.h"

#include <assert.h>
#include <string.h>

static struct match_rematch *rematch_of_job(struct db_job *job)
{
    static_assert(offsetof(struct match_rematch, op) == 0, "a command is its op");
    return (struct match_rematch *)op_of_job(job);
}

/* An ended game with what was asked of it, as a job works on it. */
struct asking {
    struct db_game game;
    size_t seat_count;
    struct db_seat seats[DB_SEATS_MAX];
    int seat; /* the player's */
    size_t count;
    struct db_rematch_ask asks[DB_SEATS_MAX];
    bool made;
    struct db_game rematch;
};

static int64_t first_asked_ms(const struct asking *asking)
{
    int64_t first = asking->asks[0].asked_at_ms;
    for (size_t i = 1; i < asking->count; i++) {
        first = asking->asks[i].asked_at_ms < first ? asking->asks[i].asked_at_ms : first;
    }
    return first;
}

/* What was asked is good for nothing any more. */
static bool has_expired(const struct asking *asking, int64_t at_ms)
{
    return !asking->made && asking->count > 0 && at_ms - first_asked_ms(asking) >= LIMIT_REMATCH_MS;
}

static bool has_asked(const struct asking *asking)
{
    for (size_t i = 0; i < asking->count; i++) {
        if (asking->asks[i].seat_no == asking->seat) {
            return true;
        }
    }
    return false;
}

static void view_fill_asking(const struct asking *asking, struct rematch_view *view)
{
    *view = (struct rematch_view){.asked_count = asking->count, .has_game = asking->made};
    for (size_t i = 0; i < asking->count; i++) {
        assert(asking->asks[i].seat_no < asking->seat_count);
        memcpy(view->asked[i], asking->seats[asking->asks[i].seat_no].seat, sizeof view->asked[i]);
    }
    if (asking->count > 0) {
        view->expires_at_ms = first_asked_ms(asking) + LIMIT_REMATCH_MS;
    }
    if (asking->made) {
        view->game_id = asking->rematch.id;
    }
}

/* --- what stands against it ----------------------------------------------------------------------
 */

static bool has_empty_seat(const struct asking *asking)
{
    for (size_t i = 0; i < asking->seat_count; i++) {
        if (owner_is_gone(&asking->seats[i])) {
            return true;
        }
    }
    return false;
}

static enum match_status check(struct match_rematch *command, struct db *db,
                               const struct asking *asking)
{
    if (asking->seat == RULES_SEAT_NONE) {
        return game_refuses(command->op.match, db, &asking->game, command->player_no);
    }
    if (strcmp(asking->game.status, "playing") == 0) {
        return command->takes_back ? MATCH_OK : MATCH_GAME_RUNNING;
    }
    if (command->takes_back) {
        return MATCH_OK;
    }
    if (asking->game.table_no != 0) {
        command->refusal = REMATCH_OF_TABLE;
        return MATCH_GAME_OVER;
    }
    /* Whoever has asked and then gone does not play; to those who stay it is said at once. */
    return !asking->made && has_empty_seat(asking) ? MATCH_SEAT_EMPTY : MATCH_OK;
}

/* All that belongs to the game. */
static enum db_status load_asks(struct db *db, struct asking *asking)
{
    int64_t game_no = asking->game.game_no;
    enum db_status status = db_seats(db, game_no, asking->seats, &asking->seat_count);
    if (status == DB_OK) {
        status = db_rematch_asks(db, game_no, asking->asks, &asking->count);
    }
    if (status != DB_OK) {
        return status;
    }
    status = db_game_rematch(db, game_no, &asking->rematch);
    asking->made = status == DB_OK;
    return status == DB_NONE ? DB_OK : status;
}

static enum db_status load(struct db *db, const struct match_rematch *command,
                           struct asking *asking)
{
    enum db_status status = db_game_find(db, &command->game_id, &asking->game);
    if (status == DB_OK) {
        status = load_asks(db, asking);
    }
    if (status == DB_OK) {
        asking->seat = seat_of_player(asking->seats, asking->seat_count, command->player_no);
    }
    return status;
}

/* --- the new game --------------------------------------------------------------------------------
 */

/* Everybody has asked: the CPU has no seat of its own in a game of the queue. */
static bool all_asked(const struct asking *asking)
{
    return asking->count == asking->seat_count;
}

static enum db_status add_event(struct db *db, const struct asking *asking, int64_t at_ms)
{
    struct db_event event = {
        .type = "rematch",
        .at_ms = at_ms,
        .linked_game_no = asking->rematch.game_no,
    };
    return db_event_append(db, &asking->game, &event);
}

static enum db_status make(struct db *db, struct match_rematch *command, struct asking *asking,
                           int64_t at_ms)
{
    enum db_status status = game_make_rematch(command->op.match, db, &asking->game, asking->seats,
                                              at_ms, &asking->rematch);
    if (status == DB_OK) {
        status = add_event(db, asking, at_ms);
    }
    asking->made = status == DB_OK;
    command->made_of = asking->game.game_no;
    return status;
}

/* --- asking --------------------------------------------------------------------------------------
 */

static enum db_status forget_expired(struct db *db, struct asking *asking, int64_t at_ms)
{
    if (!has_expired(asking, at_ms)) {
        return DB_OK;
    }
    asking->count = 0;
    return db_rematch_forget(db, asking->game.game_no);
}

/* Everybody who sat there hears that something has changed, and reads what (match_rematch_read). */
static enum db_status tell(struct db *db, struct match_rematch *command,
                           const struct asking *asking, int64_t at_ms)
{
    command->has_news = true;
    return personal_add_all(db, asking->seats, asking->seat_count, "rematch", asking->game.game_no,
                            at_ms);
}

/* An asking is told while there is something left of what a day allows. What follows from the last
 * of those is not, so that whoever was told of it looks, and hears how things stand. */
static enum db_status count_ask(struct db *db, const struct asking *asking, int64_t at_ms,
                                bool *told)
{
    static_assert(LIMIT_REMATCH_TOLD == 4, "rematch_news and openapi.yaml say so too");
    struct db_rematch_news news = {.seat_no = (uint8_t)asking->seat};
    enum db_status status = db_rematch_news(db, asking->game.game_no, &news);
    if (status != DB_OK && status != DB_NONE) {
        return status;
    }
    if (status == DB_NONE || at_ms - news.since_ms >= LIMIT_PERSONAL_MS) {
        news.asks = 0;
        news.since_ms = at_ms;
    }
    *told = news.asks < LIMIT_REMATCH_TOLD;
    if (!*told) {
        return DB_OK;
    }
    news.asks++;
    return db_rematch_news_store(db, asking->game.game_no, &news);
}

static enum db_status tell_ask(struct db *db, struct match_rematch *command,
                               const struct asking *asking, int64_t at_ms)
{
    bool told = false;
    enum db_status status = count_ask(db, asking, at_ms, &told);
    /* That all have agreed is told in any case: it happens once. */
    told = told || all_asked(asking);
    return status == DB_OK && told ? tell(db, command, asking, at_ms) : status;
}

static enum db_status tell_take_back(struct db *db, struct match_rematch *command,
                                     const struct asking *asking)
{
    struct db_rematch_news news = {.seat_no = (uint8_t)asking->seat};
    enum db_status status = db_rematch_news(db, asking->game.game_no, &news);
    if (status != DB_OK) {
        return status == DB_NONE ? DB_CORRUPT : status;
    }
    bool told = news.asks < LIMIT_REMATCH_TOLD;
    return told ? tell(db, command, asking, command->at_ms) : DB_OK;
}

/* In order of seats, as they are stored. */
static void note_ask(struct asking *asking, int64_t at_ms)
{
    size_t at = asking->count++;
    for (; at > 0 && asking->asks[at - 1].seat_no > asking->seat; at--) {
        asking->asks[at] = asking->asks[at - 1];
    }
    asking->asks[at] = (struct db_rematch_ask){(uint8_t)asking->seat, at_ms};
}

static enum db_status ask(struct db *db, struct match_rematch *command, struct asking *asking)
{
    /* Asked after the end, whatever thread read the clock. */
    int64_t ended_ms = asking->game.finished_at_ms;
    int64_t at_ms = command->at_ms < ended_ms ? ended_ms : command->at_ms;
    enum db_status status = forget_expired(db, asking, at_ms);
    if (status != DB_OK || asking->made || has_asked(asking)) {
        return status;
    }
    note_ask(asking, at_ms);
    for (size_t i = 0; status == DB_OK && all_asked(asking) && i < asking->seat_count; i++) {
        status = one_more_game(&command->op, db, asking->seats[i].player_no);
    }
    if (status != DB_OK || command->op.status != MATCH_OK) {
        return status;
    }
    struct db_rematch_ask own = {(uint8_t)asking->seat, at_ms};
    status = db_rematch_ask(db, asking->game.game_no, &own);
    if (status == DB_OK) {
        status = tell_ask(db, command, asking, at_ms);
    }
    return status == DB_OK && all_asked(asking) ? make(db, command, asking, at_ms) : status;
}

/* What has expired does not come to life again because the first of it was taken back. */
static enum db_status take_back(struct db *db, struct match_rematch *command, struct asking *asking)
{
    enum db_status status = forget_expired(db, asking, command->at_ms);
    if (status != DB_OK || asking->made || !has_asked(asking)) {
        return status;
    }
    status = db_rematch_take_back(db, asking->game.game_no, (uint8_t)asking->seat);
    return status == DB_OK ? tell_take_back(db, command, asking) : status;
}

static enum db_status rematch_run(struct db_job *job, struct db *db)
{
    struct match_rematch *command = rematch_of_job(job);
    struct asking asking;
    command->made_of = 0;
    command->has_news = false;
    command->refusal = REMATCH_NONE;
    enum db_status status = load(db, command, &asking);
    if (status != DB_OK) {
        return status;
    }
    for (size_t i = 0; i < DB_SEATS_MAX; i++) {
        command->people[i] = i < asking.seat_count ? asking.seats[i].player_no : 0;
    }
    command->op.status = check(command, db, &asking);
    if (command->op.status != MATCH_OK) {
        return DB_OK;
    }
    status = command->takes_back ? take_back(db, command, &asking) : ask(db, command, &asking);
    view_fill_asking(&asking, &command->view);
    return status;
}

static void rematch_done(struct db_job *job, enum db_status status)
{
    struct match_rematch *command = rematch_of_job(job);
    if (status == DB_OK && command->op.status == MATCH_OK) {
        if (command->made_of != 0) {
            game_publish(command->op.match, command->made_of);
        }
        for (size_t i = 0; command->has_news && i < DB_SEATS_MAX; i++) {
            personal_publish(command->op.match, command->people[i]);
        }
    }
    op_finish(&command->op, status);
}

enum match_status match_rematch_begin(struct match *match, struct match_rematch *command)
{
    return op_submit(match, &command->op, rematch_run, rematch_done);
}

/* --- reading -------------------------------------------------------------------------------------
 */

enum match_status match_rematch_read(struct match *match, int64_t game_no,
                                     struct rematch_view *view)
{
    struct asking asking = {.seat = RULES_SEAT_NONE}; /* nobody asks */
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = db_game_load(db, game_no, &asking.game);
        if (status == DB_OK) {
            status = load_asks(db, &asking);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    if (status == DB_OK) {
        bool over = has_expired(&asking, match_now_ms(match));
        if (over || (!asking.made && has_empty_seat(&asking))) {
            asking.count = 0;
        }
        view_fill_asking(&asking, view);
    }
    return match_status_of(status);
}
