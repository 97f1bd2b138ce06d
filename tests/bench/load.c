/*
 * Load on a server that runs already, one kind at a time; prints one line of figures. See `usage`.
 *
 * Threads: one. Ownership: nothing outlives main.
 */

#include "support/load.h"
#include "support/games.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: load [OPTION]... moves | post-constant | snapshot | get PATH...\n"
    "  moves          every connection plays all seats of games of its own; each answer must be\n"
    "                 201. Players and games are made before the time runs.\n"
    "  post-constant  requests like those of moves, to a server that does not read them\n"
    "  snapshot       GET of games that have been played on for a while\n"
    "  get PATH...    GET of these, in turn; a # in one stands for a random number to N (-n), and\n"
    "                 ## for the same with 26 digits\n"
    "  -P PORT        of 127.0.0.1\n"
    "  -S PID         of the server: how much processor time it takes for a request, in us\n"
    "  -c N           connections (64)\n"
    "  -s SECONDS     measured (5), after -w SECONDS of warming up (0.5)\n"
    "  -G POOL        that the games are of (hasami)\n"
    "  -p PLIES       that are played of a game before the next one begins (200)\n"
    "  -g GAMES       a connection, at most 32 (as many as may be needed)\n"
    "  -n N           (1)\n"
    "Only right answers are requests that count; the others are printed as errors.\n";

enum {
    CONNECTIONS = 64,
    SECONDS = 5,
    PLIES = 200,
    GAMES_EACH_MAX = 32,        /* a player may not have more running ones */
    MOVES_A_SECOND_MAX = 40000, /* what games are prepared for */
    SNAPSHOT_GAMES = 8,
    SNAPSHOT_PLIES = 40,
    LINE_SEED = 7,
    PATH_TEXT = 256,
    ID_DIGITS = 26,
};
#define WARM_UP_SECONDS 0.5

struct settings {
    struct load_options load;
    long server; /* 0: not said */
    unsigned plies;
    unsigned games; /* a connection; 0: as many as may be needed */
    uint64_t numbers;
    const char *pool;
    const char *mode;
    char *const *paths;
    size_t path_count;
};

/* A connection of `moves`: its players, the games they sit at, and where they are in them. */
struct table {
    struct games_player players[GAMES_SEATS_MAX];
    struct games_game games[GAMES_EACH_MAX];
    unsigned game;
    unsigned ply;
};

struct bench {
    const struct settings *settings;
    struct games_line line;
    struct table *tables;
    unsigned game_count; /* a table */
    unsigned turn;       /* of `get` */
    uint64_t random;
};

static bool parse(int count, char **arguments, struct settings *settings);
static bool run(const struct settings *settings, struct load_result *result, double *cpu_us);

int main(int count, char **arguments)
{
    struct settings settings;
    struct load_result result;
    double cpu_us = 0;
    if (!parse(count, arguments, &settings)) {
        (void)fputs(usage, stderr);
        return 64;
    }
    if (!run(&settings, &result, &cpu_us)) {
        return EXIT_FAILURE;
    }
    printf("mode=%s connections=%u seconds=%.2f requests=%llu rps=%.0f p50_ms=%.2f p99_ms=%.2f "
           "max_ms=%.2f cpu_us=%.1f errors=%llu dry=%u\n",
           settings.mode, settings.load.connections, result.seconds,
           (unsigned long long)result.requests, (double)result.requests / result.seconds,
           result.p50_ms, result.p99_ms, result.max_ms, cpu_us, (unsigned long long)result.errors,
           result.dry);
    if (result.problem[0] != '\0') {
        (void)fprintf(stderr, "load: first error: %s\n", result.problem);
    }
    return EXIT_SUCCESS;
}

/* --- options -----------------------------------------------------------------------------------
 */

static void parse_option(int option, struct settings *settings)
{
    const double value = strtod(optarg, NULL);
    switch (option) {
    case 'P': settings->load.port = (uint16_t)value; break;
    case 'S': settings->server = (long)value; break;
    case 'c': settings->load.connections = (unsigned)value; break;
    case 's': settings->load.seconds = value; break;
    case 'w': settings->load.warm_up_seconds = value; break;
    case 'G': settings->pool = optarg; break;
    case 'p': settings->plies = (unsigned)value; break;
    case 'g': settings->games = (unsigned)value; break;
    case 'n': settings->numbers = (uint64_t)value; break;
    default: settings->mode = NULL; break;
    }
}

static bool parse(int count, char **arguments, struct settings *settings)
{
    int option;
    *settings = (struct settings){
        .load = {.connections = CONNECTIONS,
                 .seconds = SECONDS,
                 .warm_up_seconds = WARM_UP_SECONDS},
        .plies = PLIES,
        .numbers = 1,
        .pool = "hasami",
        .mode = "",
    };
    while ((option = getopt(count, arguments, "P:S:c:s:w:G:p:g:n:")) != -1) {
        parse_option(option, settings);
    }
    if (settings->mode == NULL || optind == count) {
        return false;
    }
    settings->mode = arguments[optind];
    settings->paths = arguments + optind + 1;
    settings->path_count = (size_t)(count - optind - 1);
    return settings->load.port != 0 && settings->load.connections > 0 &&
           settings->load.connections <= LOAD_CONNECTIONS_MAX && settings->load.seconds > 0 &&
           settings->plies > 0 && settings->plies <= GAMES_PLIES_MAX &&
           settings->games <= GAMES_EACH_MAX && settings->numbers > 0 &&
           games_seats(settings->pool) > 0;
}

/* --- moves ---------------------------------------------------------------------------------------
 */

static size_t next_move(void *context, unsigned connection, char request[LOAD_REQUEST_MAX])
{
    struct bench *bench = context;
    struct table *table = &bench->tables[connection];
    if (table->ply == bench->line.plies) {
        table->game++;
        table->ply = 0;
    }
    if (table->game >= bench->game_count) {
        return 0;
    }
    const struct games_game *game = &table->games[table->game];
    const uint8_t seat = bench->line.seats[table->ply];
    const struct games_player *player = &table->players[game->players[seat]];
    const char *move = bench->line.moves[table->ply++];
    return games_move_request(player, game->id, table->ply, move, request, LOAD_REQUEST_MAX);
}

static bool is_created(void *context, unsigned connection, int status, const char *answer)
{
    (void)context;
    (void)connection;
    (void)answer;
    return status == 201;
}

static bool is_ok(void *context, unsigned connection, int status, const char *answer)
{
    (void)context;
    (void)connection;
    (void)answer;
    return status == 200;
}

/* Enough for the fastest server that is thought of. */
static unsigned games_needed(const struct settings *settings, size_t plies)
{
    const double moves = (settings->load.seconds + settings->load.warm_up_seconds) *
                         MOVES_A_SECOND_MAX / settings->load.connections;
    const double games = moves / (double)plies + 2;
    if (settings->games != 0) {
        return settings->games;
    }
    return games > GAMES_EACH_MAX ? GAMES_EACH_MAX : (unsigned)games;
}

static bool set_up_tables(struct bench *bench, unsigned count)
{
    const char *pool = bench->settings->pool;
    bool good = true;
    const int fd = load_connect(bench->settings->load.port);
    if (fd < 0) {
        perror("load: connect");
        return false;
    }
    for (unsigned i = 0; good && i < count; i++) {
        struct table *table = &bench->tables[i];
        for (unsigned j = 0; good && j < games_seats(pool); j++) {
            good = games_register(fd, &table->players[j]);
        }
        for (unsigned j = 0; good && j < bench->game_count; j++) {
            good = games_match(fd, pool, table->players, &table->games[j]);
        }
    }
    close(fd);
    return good;
}

/* --- what needs no game --------------------------------------------------------------------------
 */

/* Tables of nobody: the same bytes, but for what they say. */
static void fake_tables(struct bench *bench)
{
    for (unsigned i = 0; i < bench->settings->load.connections; i++) {
        struct table *table = &bench->tables[i];
        for (unsigned j = 0; j < GAMES_SEATS_MAX; j++) {
            (void)snprintf(table->players[j].token, sizeof table->players[j].token, "bzd_%064u",
                           i * GAMES_SEATS_MAX + j);
        }
        for (unsigned j = 0; j < bench->game_count; j++) {
            (void)snprintf(table->games[j].id, sizeof table->games[j].id, "g_%026u", i + j);
        }
    }
}

/* Nothing is played there, so the games never run out. */
static size_t next_fake(void *context, unsigned connection, char request[LOAD_REQUEST_MAX])
{
    struct bench *bench = context;
    struct table *table = &bench->tables[connection];
    if (table->game + 1 == bench->game_count && table->ply == bench->line.plies) {
        table->game = 0;
        table->ply = 0;
    }
    return next_move(context, connection, request);
}

static size_t format_get(const char *path, char request[LOAD_REQUEST_MAX])
{
    const int length =
        snprintf(request, LOAD_REQUEST_MAX, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    assert(length > 0 && length < LOAD_REQUEST_MAX);
    return (size_t)length;
}

/* Knuth's constants; the upper bits are the better ones. */
static uint64_t draw(struct bench *bench)
{
    bench->random = bench->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (bench->random >> 33) % bench->settings->numbers + 1;
}

static size_t next_path(void *context, unsigned connection, char request[LOAD_REQUEST_MAX])
{
    struct bench *bench = context;
    const char *pattern = bench->settings->paths[bench->turn++ % bench->settings->path_count];
    const char *mark = strchr(pattern, '#');
    char path[PATH_TEXT];
    (void)connection;
    if (mark == NULL) {
        return format_get(pattern, request);
    }
    const bool wide = mark[1] == '#';
    const int length = snprintf(path, sizeof path, "%.*s%0*" PRIu64 "%s", (int)(mark - pattern),
                                pattern, wide ? ID_DIGITS : 1, draw(bench), mark + (wide ? 2 : 1));
    assert(length > 0 && length < PATH_TEXT);
    return format_get(path, request);
}

static size_t next_snapshot(void *context, unsigned connection, char request[LOAD_REQUEST_MAX])
{
    struct bench *bench = context;
    char path[64];
    (void)snprintf(path, sizeof path, "/v1/games/%s",
                   bench->tables[connection % SNAPSHOT_GAMES].games[0].id);
    return format_get(path, request);
}

static bool play_on(struct bench *bench)
{
    char request[LOAD_REQUEST_MAX];
    char answer[LOAD_ANSWER_MAX] = "";
    bool good = true;
    const int fd = load_connect(bench->settings->load.port);
    for (unsigned i = 0; fd >= 0 && good && i < SNAPSHOT_GAMES * SNAPSHOT_PLIES; i++) {
        const size_t length = next_move(bench, i % SNAPSHOT_GAMES, request);
        good = load_ask(fd, request, length, answer) == 201;
    }
    if (!good) {
        (void)fprintf(stderr, "load: a move: %s\n", answer);
    }
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0 && good;
}

/* --- a run ---------------------------------------------------------------------------------------
 */

static bool prepare(struct bench *bench, struct load_script *script)
{
    const char *mode = bench->settings->mode;
    script->context = bench;
    script->check = is_ok;
    if (strcmp(mode, "moves") == 0) {
        script->next = next_move;
        script->check = is_created;
        return set_up_tables(bench, bench->settings->load.connections);
    }
    if (strcmp(mode, "post-constant") == 0) {
        script->next = next_fake;
        script->check = is_created;
        fake_tables(bench);
        return true;
    }
    if (strcmp(mode, "snapshot") == 0) {
        script->next = next_snapshot;
        bench->game_count = 1;
        return set_up_tables(bench, SNAPSHOT_GAMES) && play_on(bench);
    }
    if (strcmp(mode, "get") == 0 && bench->settings->path_count > 0) {
        script->next = next_path;
        return true;
    }
    (void)fputs(usage, stderr);
    return false;
}

/* What the server has used so far; 0 where it is not known. */
static double cpu_seconds(long pid)
{
    char path[64];
    unsigned long user = 0;
    unsigned long system = 0;
    char line[1024] = "";
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = pid == 0 ? NULL : fopen(path, "re");
    if (file == NULL) {
        return 0;
    }
    const char *at = fgets(line, sizeof line, file);
    (void)fclose(file);
    /* The fourteenth and fifteenth word; the second, in brackets, may hold blanks. */
    at = at == NULL ? NULL : strrchr(at, ')');
    for (int word = 2; at != NULL && word < 14; word++) {
        at = strchr(at + 1, ' ');
    }
    if (at != NULL) {
        char *rest = NULL;
        user = strtoul(at, &rest, 10);
        system = strtoul(rest, NULL, 10);
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static bool run(const struct settings *settings, struct load_result *result, double *cpu_us)
{
    struct load_script script;
    bool good = false;
    const size_t tables =
        settings->load.connections < SNAPSHOT_GAMES ? SNAPSHOT_GAMES : settings->load.connections;
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL) {
        return false;
    }
    bench->settings = settings;
    games_line_make(&bench->line, settings->pool, settings->plies, LINE_SEED);
    assert(bench->line.plies > SNAPSHOT_PLIES || bench->line.plies == settings->plies);
    bench->game_count = games_needed(settings, bench->line.plies);
    bench->tables = calloc(tables, sizeof *bench->tables);
    if (bench->tables != NULL && prepare(bench, &script)) {
        const double before = cpu_seconds(settings->server);
        good = load_run(&script, &settings->load, result);
        if (result->answered > 0) {
            *cpu_us = (cpu_seconds(settings->server) - before) * 1e6 / (double)result->answered;
        }
        if (!good) {
            (void)fprintf(stderr, "load: %s\n", result->problem);
        }
    }
    free(bench->tables);
    free(bench);
    return good;
}
