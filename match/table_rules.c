#include "table_parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The rules of a table: what somebody wants is merged into what there is, and must then make sense
 * as a whole. */

void table_defaults(const struct game_rules *rules, struct db_table *row,
                    struct game_options *options)
{
    *row = (struct db_table){.show_legal_moves = true, .rotate_first = true};
    (void)snprintf(row->game, sizeof row->game, "%s", rules->key);
    (void)snprintf(row->status, sizeof row->status, "open");
    options_default(rules, options);
}

static enum match_status refuse(struct table_fault *fault, enum match_status status,
                                const char *field, const char *reason)
{
    fault->field = field;
    fault->reason = reason;
    return status;
}

/* --- options of the game -------------------------------------------------------------------------
 */

static const struct option_rules *find_option(const struct game_rules *rules, const char *key)
{
    for (size_t i = 0; i < rules->option_count; i++) {
        if (strcmp(rules->options[i].key, key) == 0) {
            return &rules->options[i];
        }
    }
    return NULL;
}

static enum match_status merge_option(struct table_group *group, const struct table_option *wanted,
                                      struct table_fault *fault)
{
    struct text_error error;
    const struct option_rules *option = find_option(group->rules, wanted->key);
    memcpy(fault->option, wanted->key, sizeof fault->option);
    if (option == NULL) {
        return refuse(fault, MATCH_UNKNOWN_FIELD, "options", "unknown");
    }
    bool takes_number = option->words == NULL;
    if (takes_number != wanted->is_number) {
        return refuse(fault, MATCH_INVALID_FIELD, "options",
                      takes_number ? "not-an-integer" : "not-a-string");
    }
    if (!options_set(group->rules, &group->options, wanted->key, wanted->value, &error)) {
        return refuse(fault, MATCH_INVALID_FIELD, "options",
                      takes_number ? "out-of-range" : "not-offered");
    }
    fault->option[0] = '\0';
    return MATCH_OK;
}

static enum match_status merge_options(struct table_group *group, const struct table_wish *wish,
                                       struct table_fault *fault)
{
    for (size_t i = 0; i < wish->options.count; i++) {
        enum match_status status = merge_option(group, &wish->options.at[i], fault);
        if (status != MATCH_OK) {
            return status;
        }
    }
    options_bound(group->rules, &group->options);
    static_assert(sizeof group->row.options >= RULES_OPTIONS_TEXT_MAX, "options have room");
    options_format(group->rules, &group->options, group->row.options);
    return MATCH_OK;
}

/* --- the rest ------------------------------------------------------------------------------------
 */

static void merge_terms(struct db_table *row, const struct table_wish *wish)
{
    if (wish->has_turn_seconds) {
        row->turn_seconds = (uint16_t)wish->turn_seconds;
    }
    row->is_public = wish->has_public ? wish->is_public : row->is_public;
    row->rotate_first = wish->has_rotate_first ? wish->rotate_first : row->rotate_first;
    row->rated = wish->has_rated ? wish->rated : row->rated;
    if (wish->has_show_legal_moves) {
        row->show_legal_moves = wish->show_legal_moves;
    }
}

static bool has_cpu_seat(const struct table_group *group)
{
    for (size_t i = 0; i < group->rules->seat_count; i++) {
        if (group->taken[i] && group->seats[i].player_no == 0) {
            return true;
        }
    }
    return false;
}

/* What a rated table needs. Where the wish is not the one to be rated, it is another of its members
 * that is in the way. */
static enum match_status check_rated(const struct table_group *group, const struct table_wish *wish,
                                     struct table_fault *fault)
{
    const struct db_table *row = &group->row;
    if (!row->rated) {
        return MATCH_OK;
    }
    if (row->turn_seconds == 0) {
        return refuse(fault, MATCH_RATED_NEEDS_CLOCK, wish->has_rated ? "rated" : "turn_seconds",
                      "rated-needs-clock");
    }
    if (!row->is_public) {
        return refuse(fault, MATCH_INVALID_FIELD, wish->has_rated ? "rated" : "public",
                      "rated-needs-public");
    }
    if (options_pool(group->rules, &group->options) == NULL) {
        return refuse(fault, MATCH_INVALID_FIELD, wish->has_rated ? "rated" : "options",
                      "rated-needs-default-rules");
    }
    return has_cpu_seat(group)
               ? refuse(fault, MATCH_INVALID_FIELD, "rated", "rated-needs-people-only")
               : MATCH_OK;
}

enum match_status table_merge(struct table_group *group, const struct table_wish *wish,
                              struct table_fault *fault)
{
    enum match_status status = merge_options(group, wish, fault);
    if (status != MATCH_OK) {
        return status;
    }
    merge_terms(&group->row, wish);
    return check_rated(group, wish, fault);
}

bool table_rules_equal(const struct db_table *a, const struct db_table *b)
{
    return strcmp(a->options, b->options) == 0 && a->turn_seconds == b->turn_seconds &&
           a->is_public == b->is_public && a->rated == b->rated &&
           a->rotate_first == b->rotate_first && a->show_legal_moves == b->show_legal_moves;
}
