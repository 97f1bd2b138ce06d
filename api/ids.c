#include "ids.h"

#include <assert.h>
#include <string.h>

bool path_id(const struct request *request, size_t index, char prefix, struct public_id *id)
{
    assert(index < REQUEST_PARAMS_MAX && request->params[index] != NULL);
    const char *text = request->params[index];
    return secrets_id_parse(text, strlen(text), prefix, id);
}

bool request_query_id(struct request *request, struct reply *reply, const char *name, char prefix,
                      struct public_id *id, bool *present)
{
    const char *text = request_query(request, name);
    *present = text != NULL;
    if (text == NULL || secrets_id_parse(text, strlen(text), prefix, id)) {
        return true;
    }
    return request_query_refuse(request, reply, name, "not-an-id");
}

bool request_query_word(struct request *request, struct reply *reply, const char *name,
                        const char *const *words, const char **word)
{
    const char *text = request_query(request, name);
    *word = NULL;
    if (text == NULL) {
        return true;
    }
    for (; *words != NULL; words++) {
        if (strcmp(*words, text) == 0) {
            *word = *words;
            return true;
        }
    }
    return request_query_refuse(request, reply, name, "unknown");
}

bool request_query_game(struct request *request, struct reply *reply, const char **game)
{
    const char *text = request_query(request, "game");
    const struct game_rules *rules = text == NULL ? NULL : rules_find(text);
    *game = rules == NULL ? NULL : rules->key;
    return text == NULL || rules != NULL || request_query_refuse(request, reply, "game", "unknown");
}

bool request_query_pool(struct request *request, struct reply *reply, const char **pool)
{
    const struct pool_rules *rules = NULL;
    const char *text = request_query(request, "pool");
    bool known = text != NULL && rules_find_pool(text, &rules) != NULL;
    *pool = known ? rules->key : NULL;
    return text == NULL || known || request_query_refuse(request, reply, "pool", "unknown");
}
