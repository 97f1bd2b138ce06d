#ifndef API_JSON_WRITE_H
#define API_JSON_WRITE_H

/*
 * Replies as JSON, one function a resource (json_write_*.c). Handlers call these and never see how
 * a document is made.
 *
 * Threads: pure but for the reply, which is the caller's. All return HANDLED, so that a handler can
 * return them; without memory the reply is the problem `internal`.
 */

#include "match/devices.h"
#include "match/history.h"
#include "match/players.h"
#include "match/results.h"
#include "match/tables.h"
#include "request.h"

/* 201: player, device and the token, which is shown this once. */
enum handled reply_registration(const struct request *request, struct reply *reply,
                                const struct db_player *player, const struct db_device *device,
                                const char *token);
enum handled reply_token(const struct request *request, struct reply *reply, const char *token);
enum handled reply_link_code(const struct request *request, struct reply *reply,
                             const struct match_link *command);
/* `next` (or "") is the cursor of the next page; likewise below. */
enum handled reply_devices(const struct request *request, struct reply *reply,
                           const struct db_device *devices, size_t count, const char *next);
enum handled reply_me(const struct request *request, struct reply *reply,
                      const struct me_view *view);

enum handled reply_profile(const struct request *request, struct reply *reply,
                           const struct profile_view *view);
enum handled reply_players(const struct request *request, struct reply *reply,
                           const struct db_player *players, size_t count, const char *next);

enum handled reply_ticket(const struct request *request, struct reply *reply, unsigned status,
                          const struct ticket_view *view);

enum handled reply_table(const struct request *request, struct reply *reply, unsigned status,
                         const struct table_view *view);
enum handled reply_tables(const struct request *request, struct reply *reply,
                          const struct table_view *views, size_t count, const char *next);

/* A snapshot; `legal` (or NULL) adds `legal_moves`. */
enum handled reply_game(const struct request *request, struct reply *reply,
                        const struct game_view *view, const struct legal_view *legal);
/* The same of a game that was made just now: 201. */
enum handled reply_new_game(const struct request *request, struct reply *reply,
                            const struct game_view *view);
enum handled reply_games(const struct request *request, struct reply *reply,
                         const struct game_view *views, size_t count, const char *next);
enum handled reply_move(const struct request *request, struct reply *reply, unsigned status,
                        const struct move_answer *answer);
enum handled reply_moves(const struct request *request, struct reply *reply,
                         const struct db_move *moves, size_t count, const char *next);
enum handled reply_legal_moves(const struct request *request, struct reply *reply,
                               const struct legal_view *view);

/* Who has asked for a rematch; the struct is match/rematch.h's. */
struct rematch_view;
enum handled reply_rematch(const struct request *request, struct reply *reply,
                           const struct rematch_view *view);

/* Why ratings change; the struct is match/explanation.h's. */
struct explanation_view;
enum handled reply_explanation(const struct request *request, struct reply *reply,
                               const struct explanation_view *view);

/* A game's record (match/record.h) as one document, or as a line for every part of it. */
struct record;
enum handled reply_record_json(const struct request *request, struct reply *reply,
                               const struct record *record);
enum handled reply_record_lines(const struct request *request, struct reply *reply,
                                const struct record *record);

/* The games with all that can be chosen in them, and the rules of rating, in the language of the
 * request and with the numbers of its config. */
enum handled reply_rulesets(const struct request *request, struct reply *reply);
enum handled reply_rating_rules(const struct request *request, struct reply *reply);

/* What `banzuke engine` answers to the body, where it is one of the questions allowed here; else
 * what is wrong with it (json_validate.c). */
enum handled reply_validation(struct request *request, struct reply *reply);
/* Days, or changes one by one. */
enum handled reply_history(const struct request *request, struct reply *reply,
                           const struct history_page *page, bool by_day, const char *next);
/* The same as CSV (csv_write_history.c), whose first line has the names of the members. */
enum handled reply_history_csv(const struct request *request, struct reply *reply,
                               const struct history_page *page, bool by_day);

enum handled reply_results(const struct request *request, struct reply *reply,
                           const struct results_page *page);

struct ranking_reply {
    const char *pool;
    size_t seats; /* of the pool's game */
    const struct ranking_page *page;
    size_t count; /* how many of its rows */
    const char *next;
};
enum handled reply_ranking(const struct request *request, struct reply *reply,
                           const struct ranking_reply *ranking);
enum handled reply_standing(const struct request *request, struct reply *reply, size_t seats,
                            const struct standing_view *view);

#endif
