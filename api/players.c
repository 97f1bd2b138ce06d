#include "match/players.h"

#include "cursor.h"
#include "ids.h"
#include "json_write.h"
#include "match/names.h"
#include "problem.h"
#include "routes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* --- GET /v1/players/{id} --------------------------------------------------------------------- */

enum handled handle_profile(struct request *request, struct reply *reply)
{
    struct player_id id;
    struct profile_view view;
    if (!request_query_none(request, reply)) {
        return HANDLED;
    }
    if (!path_id(request, 0, 'p', &id.id)) {
        return reply_problem(request, reply, PROBLEM_NOT_FOUND, NULL);
    }
    enum match_status status = match_profile(request->match, &id, &view);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    reply_header(reply, "Cache-Control", "no-cache");
    return reply_profile(request, reply, &view);
}

/* --- GET /v1/players -------------------------------------------------------------------------- */

struct name_search {
    int64_t limit;
    char prefix[DB_FOLDED_TEXT];
    bool has_place;
    struct name_place after;
    char list[CURSOR_LIST_TEXT];
    struct db_player players[LIMIT_PAGE + 1];
};

static bool read_prefix(struct request *request, struct reply *reply, struct name_search *search)
{
    const char *name = request_query(request, "name");
    if (name != NULL && name_fold(name, strlen(name), search->prefix)) {
        return true;
    }
    (void)reply_problem(
        request, reply, PROBLEM_INVALID_PARAMETER,
        &(struct problem_details){.pointer = "name",
                                  .reason = name == NULL ? "required" : "not-1-to-24-characters"});
    return false;
}

/* A place as the key of a cursor: the id, whose length is always the same, then the name. */
static size_t place_key(const struct name_place *place, unsigned char key[CURSOR_KEY_MAX])
{
    size_t id_length = strlen(place->id.id.text);
    size_t name_length = strlen(place->folded);
    assert(id_length == DB_ID_TEXT - 1 && name_length < DB_FOLDED_TEXT);
    memcpy(key, place->id.id.text, id_length);
    memcpy(key + id_length, place->folded, name_length);
    return id_length + name_length;
}

static void key_place(const unsigned char *key, size_t count, struct name_place *place)
{
    size_t id_length = DB_ID_TEXT - 1;
    assert(count > id_length && count < id_length + DB_FOLDED_TEXT); /* the MAC says it is ours */
    memcpy(place->id.id.text, key, id_length);
    place->id.id.text[id_length] = '\0';
    memcpy(place->folded, key + id_length, count - id_length);
    place->folded[count - id_length] = '\0';
}

static bool read_search(struct request *request, struct reply *reply, struct name_search *search)
{
    static const char *const parameters[] = {"name", "limit", "cursor", NULL};
    unsigned char key[CURSOR_KEY_MAX];
    size_t count = 0;
    search->limit = LIMIT_PAGE_DEFAULT;
    if (!request_query_only(request, reply, parameters) || !read_prefix(request, reply, search) ||
        !request_query_integer(request, reply, "limit", 1, LIMIT_PAGE, &search->limit)) {
        return false;
    }
    int length = snprintf(search->list, sizeof search->list, "players/%s", search->prefix);
    assert(length > 0 && (size_t)length < sizeof search->list);
    if (!request_cursor_key(request, reply, search->list, key, &count)) {
        return false;
    }
    search->has_place = count > 0;
    if (search->has_place) {
        key_place(key, count, &search->after);
    }
    return true;
}

static void next_place(const struct request *request, const struct name_search *search,
                       const struct db_player *last, char next[CURSOR_LONG_TEXT])
{
    struct name_place place;
    unsigned char key[CURSOR_KEY_MAX];
    name_place_of(last, &place);
    cursor_format_key(match_secrets(request->match), search->list, key, place_key(&place, key),
                      next);
}

enum handled handle_players(struct request *request, struct reply *reply)
{
    char next[CURSOR_LONG_TEXT] = "";
    size_t count = 0;
    struct name_search *search = request_alloc(request, sizeof *search);
    if (search == NULL) {
        return reply_problem(request, reply, PROBLEM_INTERNAL, NULL);
    }
    if (!read_search(request, reply, search)) {
        return HANDLED;
    }
    size_t limit = (size_t)search->limit;
    enum match_status status =
        match_players(request->match, search->prefix, search->has_place ? &search->after : NULL,
                      search->players, limit + 1, &count);
    if (status != MATCH_OK) {
        return reply_problem(request, reply, problem_of(status), NULL);
    }
    if (count > limit) {
        count = limit;
        next_place(request, search, &search->players[count - 1], next);
    }
    reply_header(reply, "Cache-Control", "no-cache");
    return reply_players(request, reply, search->players, count, next);
}
