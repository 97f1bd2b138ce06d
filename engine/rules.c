#include "rules.h"

#include <assert.h>
#include <string.h>

static const struct game_rules *const games[] = {&hasami_rules, &yonin_rules};

enum { GAMES = sizeof games / sizeof games[0] };

size_t rules_count(void)
{
    return GAMES;
}

const struct game_rules *rules_at(size_t index)
{
    assert(index < GAMES);
    return games[index];
}

const struct game_rules *rules_find(const char *key)
{
    assert(key != NULL);
    for (size_t i = 0; i < GAMES; i++) {
        if (strcmp(games[i]->key, key) == 0) {
            return games[i];
        }
    }
    return NULL;
}

const struct game_rules *rules_find_pool(const char *key, const struct pool_rules **pool)
{
    assert(key != NULL && pool != NULL);
    for (size_t i = 0; i < GAMES; i++) {
        for (size_t j = 0; j < games[i]->pool_count; j++) {
            if (strcmp(games[i]->pools[j].key, key) == 0) {
                *pool = &games[i]->pools[j];
                return games[i];
            }
        }
    }
    return NULL;
}

int rules_seat(const struct game_rules *rules, char letter)
{
    assert(rules != NULL);
    const char *found = letter == '\0' ? NULL : strchr(rules->seat_letters, letter);

    return found == NULL ? RULES_SEAT_NONE : (int)(found - rules->seat_letters);
}
