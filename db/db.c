#include "db.h"

#include "driver.h"

static const struct sql_set *const all_sets[] = {
    &sql_control,    &sql_schema,    &sql_server,       &sql_players,    &sql_devices,
    &sql_games,      &sql_game_rows, &sql_tickets,      &sql_ratings,    &sql_rankings,
    &sql_chain,      &sql_receipts,  &sql_player_names, &sql_game_lists, &sql_ranking_pages,
    &sql_results,    &sql_history,   &sql_revision,     &sql_tally,      &sql_copy,
    &sql_operators,  &sql_origins,   &sql_clocks,       &sql_personal,   &sql_tables,
    &sql_table_rows, &sql_rematches,
};

size_t sql_sets(const struct sql_set *const **sets)
{
    *sets = all_sets;
    return sizeof all_sets / sizeof all_sets[0];
}

const char *db_status_text(enum db_status status)
{
    switch (status) {
    case DB_OK: return "no error";
    case DB_NONE: return "there is no such thing";
    case DB_CONFLICT: return "refused by the schema";
    case DB_BUSY: return "locked by another program";
    case DB_FULL: return "no space is left";
    case DB_READONLY: return "cannot be written";
    case DB_TIMEOUT: return "took too long";
    case DB_STOPPING: return "the service is stopping";
    case DB_IO: return "the disk failed";
    case DB_IN_DOUBT: return "the disk failed in storing it; it may be stored or not";
    case DB_FSYNC: return "the disk did not confirm a write";
    case DB_CORRUPT: return "the file is damaged";
    case DB_MOVED: return "the file was moved or deleted";
    case DB_FOREIGN: return "not a Banzuke database";
    case DB_NEWER: return "made by a newer build";
    case DB_OLDER: return "made by an older build; `banzuke migrate` brings it up to date";
    case DB_LOCKED: return "another banzuke serves this file";
    case DB_DENIED: return "cannot be opened or created";
    case DB_ERROR: return "an error in banzuke itself";
    }
    return "unknown";
}
