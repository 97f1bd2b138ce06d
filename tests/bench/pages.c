/*
 * Is the last page of a long list as cheap as the first? On a server of a file that `fill` has
 * made: the feed of results, and the games of player 1, who sits in all of them. A page deep in
 * those is only found by a walk through all pages before, as a client does it. Prints rows of the
 * table of run.sh.
 *
 * Threads: one. Ownership: nothing outlives main.
 */

#include "support/games.h"
#include "support/load.h"
#include "support/players.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CONNECTIONS = 16,
    ROUNDS = 5,
    PAGE = 50,
    WALK_PAGE = 100,
    CURSOR_TEXT_MAX = 256,
    PATH_TEXT = 512,
};
#define ROUND_SECONDS   1.0
#define WARM_UP_SECONDS 0.3
#define RATIO_MAX       1.5

static const char usage[] = "usage: pages PORT GAMES\n";

struct end {
    char path[PATH_TEXT];
    double rates[ROUNDS];
};

struct list {
    const char *figure;
    struct end first;
    struct end last;
};

static bool walk(uint16_t port, struct list *list, int64_t games);
static bool compare_ends(uint16_t port, struct list *list);

int main(int count, char **arguments)
{
    static struct list results = {.figure = "/v1/results"};
    static struct list played = {.figure = "games of a player"};
    const uint16_t port = (uint16_t)(count == 3 ? strtoul(arguments[1], NULL, 10) : 0);
    const int64_t games = count == 3 ? strtoll(arguments[2], NULL, 10) : 0;
    if (port == 0 || games < (int64_t)2 * WALK_PAGE || games % WALK_PAGE != 0) {
        (void)fputs(usage, stderr);
        return 64;
    }
    (void)snprintf(results.first.path, sizeof results.first.path, "/v1/results?limit=%d", PAGE);
    (void)snprintf(results.last.path, sizeof results.last.path,
                   "/v1/results?limit=%d&after=%" PRId64, PAGE, games - PAGE);
    return compare_ends(port, &results) && walk(port, &played, games) && compare_ends(port, &played)
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}

/* --- to the last page ----------------------------------------------------------------------------
 */

static size_t format_get(const char *path, char request[LOAD_REQUEST_MAX])
{
    const int length =
        snprintf(request, LOAD_REQUEST_MAX, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path);
    assert(length > 0 && length < LOAD_REQUEST_MAX);
    return (size_t)length;
}

static void format_page(int limit, const char *cursor, char path[PATH_TEXT])
{
    char player[PLAYERS_ID_TEXT];
    players_id(1, player);
    const int length = snprintf(path, PATH_TEXT, "/v1/players/%s/games?limit=%d%s%s", player, limit,
                                cursor[0] == '\0' ? "" : "&cursor=", cursor);
    assert(length > 0 && length < PATH_TEXT);
}

/* One page of the walk: the cursor of the next one goes in its place; "": there is none. */
static bool step(int fd, char cursor[CURSOR_TEXT_MAX])
{
    static char answer[LOAD_ANSWER_MAX];
    char request[LOAD_REQUEST_MAX];
    char path[PATH_TEXT];
    format_page(WALK_PAGE, cursor, path);
    const size_t length = format_get(path, request);
    if (load_ask(fd, request, length, answer) != 200) {
        (void)fprintf(stderr, "pages: %s: %s\n", path, answer);
        return false;
    }
    if (!games_text(load_body(answer), "next_cursor", cursor, CURSOR_TEXT_MAX)) {
        cursor[0] = '\0';
    }
    return true;
}

/* The last page is the first half of what the last step of the walk has found. */
static bool walk(uint16_t port, struct list *list, int64_t games)
{
    char cursor[CURSOR_TEXT_MAX] = "";
    char last[CURSOR_TEXT_MAX] = "";
    int64_t pages = 0;
    const double start = load_now();
    const int fd = load_connect(port);
    bool good = fd >= 0;
    do {
        memcpy(last, cursor, sizeof last);
        good = good && step(fd, cursor);
        pages++;
    } while (good && cursor[0] != '\0');
    if (fd >= 0) {
        close(fd);
    }
    format_page(PAGE, "", list->first.path);
    format_page(PAGE, last, list->last.path);
    (void)fprintf(stderr, "pages: %" PRId64 " pages in %.1f s\n", pages, load_now() - start);
    return good && pages == games / WALK_PAGE;
}

/* --- both ends in turn ---------------------------------------------------------------------------
 */

static size_t next_page(void *context, unsigned connection, char request[LOAD_REQUEST_MAX])
{
    const struct end *end = context;
    (void)connection;
    return format_get(end->path, request);
}

/* A page that is not full would be cheap for another reason. */
static bool is_full(void *context, unsigned connection, int status, const char *answer)
{
    int items = 0;
    (void)context;
    (void)connection;
    for (const char *at = answer; (at = strstr(at, "\"win_condition\"")) != NULL; at++) {
        items++;
    }
    return status == 200 && items == PAGE;
}

static bool measure(uint16_t port, struct end *end, int round)
{
    const struct load_script script = {next_page, is_full, end};
    const struct load_options options = {.port = port,
                                         .connections = CONNECTIONS,
                                         .seconds = ROUND_SECONDS,
                                         .warm_up_seconds = WARM_UP_SECONDS};
    struct load_result result;
    const bool good = load_run(&script, &options, &result);
    if (result.problem[0] != '\0') {
        (void)fprintf(stderr, "pages: %s: %s\n", end->path, result.problem);
    }
    end->rates[round] = (double)result.requests / result.seconds;
    return good && result.errors == 0;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(struct end *end)
{
    qsort(end->rates, ROUNDS, sizeof end->rates[0], compare);
    return end->rates[ROUNDS / 2];
}

static bool compare_ends(uint16_t port, struct list *list)
{
    bool good = true;
    for (int round = 0; good && round < ROUNDS; round++) {
        good = measure(port, &list->first, round) && measure(port, &list->last, round);
    }
    if (good) {
        const double first = median(&list->first);
        const double last = median(&list->last);
        printf("%s, last page : first, per s|%.0f|%.0f|%.2f|<= %.1f|%s\n", list->figure, last,
               first, first / last, RATIO_MAX, first <= last * RATIO_MAX ? "met" : "MISSED");
    }
    return good;
}
