/*
 * Open streams on a server that runs already, and moves in the games that they watch; prints one
 * line of figures. See `usage`.
 *
 * Threads: one. Ownership: nothing outlives main.
 */

#include "support/games.h"
#include "support/load.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static const char usage[] =
    "usage: streams -P PORT [OPTION]...\n"
    "  Opens streams that watch games, makes moves in these by turns at a steady pace, and "
    "measures\n"
    "  how long after a move was sent, and after it was answered, each stream has it.\n"
    "  -P PORT     of 127.0.0.1\n"
    "  -S PID      of the server: its resident memory while the streams are open\n"
    "  -n STREAMS  (4000)\n"
    "  -w EACH     streams that watch one game (40)\n"
    "  -r RATE     moves a second in all (100)\n"
    "  -s SECONDS  (5)\n"
    "  -d SECONDS  to wait between the opening and the first move (0)\n"
    "  -o          the first stream of a game is its opponents': with their tokens\n";

static const char POOL[] = "hasami";

enum {
    STREAMS = 4000,
    EACH = 40,
    RATE = 100,
    SECONDS = 5,
    GAMES_OF_PAIR = 32, /* a player may not have more running ones */
    PLIES_MAX = 1900,
    LINE_SEED = 7,
    EVENTS_MAX = 256,
    READ_MAX = 64 * 1024,
    KEPT_MAX = 32, /* bytes of a frame that came in two parts */
    LATENCY_MAX_US = 2000000,
    SETTLE_MS = 1000,
    OTHER_FILES = 64,
};

struct settings {
    unsigned port;
    long server; /* 0: not said */
    unsigned streams;
    unsigned each;
    double rate;
    double seconds;
    double delay;
    bool own;
};

struct game {
    struct games_player players[2];
    struct games_game game;
    unsigned ply;
    double *sent_at; /* by ply */
    double *answered_at;
};

struct watcher {
    int fd;
    unsigned game;
    unsigned ply; /* the last one that came */
    size_t kept;
    char tail[KEPT_MAX];
};

struct counts {
    uint64_t count;
    uint32_t *us;
};

struct bench {
    const struct settings *settings;
    struct games_line line;
    unsigned game_count;
    struct game *games;
    struct watcher *watchers;
    int epoll;
    struct counts sent;     /* from when a move was sent */
    struct counts answered; /* from when it was answered; 0: it came before that */
    uint64_t gaps;
    double measured_from;
};

static bool run(const struct settings *settings);

int main(int count, char **arguments)
{
    struct settings settings = {.streams = STREAMS, .each = EACH, .rate = RATE, .seconds = SECONDS};
    int option;
    while ((option = getopt(count, arguments, "P:S:n:w:r:s:d:o")) != -1) {
        const double value = optarg == NULL ? 0 : strtod(optarg, NULL);
        switch (option) {
        case 'P': settings.port = (unsigned)value; break;
        case 'S': settings.server = (long)value; break;
        case 'n': settings.streams = (unsigned)value; break;
        case 'w': settings.each = (unsigned)value; break;
        case 'r': settings.rate = value; break;
        case 's': settings.seconds = value; break;
        case 'd': settings.delay = value; break;
        case 'o': settings.own = true; break;
        default: settings.port = 0; break;
        }
    }
    if (settings.port == 0 || settings.each == 0 || settings.streams < settings.each ||
        settings.rate <= 0) {
        (void)fputs(usage, stderr);
        return 64;
    }
    return run(&settings) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- figures -------------------------------------------------------------------------------------
 */

static void count_in(struct counts *counts, double seconds)
{
    const double us = seconds * 1e6;
    const size_t at = us < 0 ? 0 : us >= LATENCY_MAX_US ? LATENCY_MAX_US - 1 : (size_t)us;
    counts->us[at]++;
    counts->count++;
}

static double share_ms(const struct counts *counts, double share)
{
    uint64_t wanted = (uint64_t)((double)counts->count * share);
    size_t at = 0;
    for (uint64_t seen = counts->us[0]; seen <= wanted && at + 1 < LATENCY_MAX_US;) {
        seen += counts->us[++at];
    }
    return (double)at / 1e3;
}

static long resident_kib(long pid)
{
    char path[64];
    char line[128];
    long kib = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *file = pid == 0 ? NULL : fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) {
            kib = strtol(line + 6, NULL, 10);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return kib;
}

/* --- streams -------------------------------------------------------------------------------------
 */

static bool open_stream(struct bench *bench, unsigned number)
{
    char request[LOAD_REQUEST_MAX];
    struct watcher *watcher = &bench->watchers[number];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
    watcher->game = number / bench->settings->each;
    const struct game *game = &bench->games[watcher->game];
    const bool own = bench->settings->own && number % bench->settings->each < 2;
    const int length = snprintf(
        request, sizeof request, "GET /v1/games/%s/events HTTP/1.1\r\nHost: b\r\n%s%s%s\r\n",
        game->game.id, own ? "Authorization: Bearer " : "",
        own ? game->players[number % bench->settings->each].token : "", own ? "\r\n" : "");
    watcher->fd = load_connect((uint16_t)bench->settings->port);
    return watcher->fd >= 0 && send(watcher->fd, request, (size_t)length, 0) == length &&
           epoll_ctl(bench->epoll, EPOLL_CTL_ADD, watcher->fd, &event) == 0;
}

static void have_move(struct bench *bench, struct watcher *watcher, unsigned ply, double now)
{
    const struct game *game = &bench->games[watcher->game];
    if (ply > game->ply || ply != watcher->ply + 1) {
        bench->gaps++;
    }
    watcher->ply = ply;
    if (ply <= game->ply && game->sent_at[ply] >= bench->measured_from) {
        const double answered = game->answered_at[ply];
        count_in(&bench->sent, now - game->sent_at[ply]);
        count_in(&bench->answered, answered == 0 ? 0 : now - answered);
    }
}

/* Finds the moves in what has come; a mark may lie across two reads. */
static bool read_stream(struct bench *bench, struct watcher *watcher, double now)
{
    static const char mark[] = "\"data\":{\"move\":{\"ply\":";
    static_assert(sizeof mark + 6 < KEPT_MAX, "a mark and its number are kept");
    static char text[KEPT_MAX + READ_MAX + 1];
    memcpy(text, watcher->tail, watcher->kept);
    const ssize_t got = recv(watcher->fd, text + watcher->kept, READ_MAX, MSG_DONTWAIT);
    if (got <= 0) {
        return got < 0 && errno == EAGAIN;
    }
    const size_t length = watcher->kept + (size_t)got;
    text[length] = '\0';
    const char *next = text;
    for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
        char *end = NULL;
        const unsigned ply = (unsigned)strtoul(at + sizeof mark - 1, &end, 10);
        if (*end != ',') {
            break; /* the number goes on in the next part */
        }
        have_move(bench, watcher, ply, now);
        next = at = end;
    }
    const size_t left = length - (size_t)(next - text);
    watcher->kept = left < KEPT_MAX ? left : KEPT_MAX - 1;
    memcpy(watcher->tail, text + length - watcher->kept, watcher->kept);
    return true;
}

/* False: a stream was lost. */
static bool read_until(struct bench *bench, double until, int besides)
{
    struct epoll_event events[EVENTS_MAX];
    double left = until - load_now();
    while (left > 0) {
        const int count = epoll_wait(bench->epoll, events, EVENTS_MAX, (int)(left * 1e3 + 0.999));
        const double now = load_now();
        bool other = false;
        for (int i = 0; i < count; i++) {
            if (events[i].data.u32 == UINT32_MAX) {
                other = true;
            } else if (!read_stream(bench, &bench->watchers[events[i].data.u32], now)) {
                (void)fputs("streams: a stream was lost, or there was no room for it\n", stderr);
                return false;
            }
        }
        if (other && besides >= 0) {
            return true;
        }
        left = until - now;
    }
    return true;
}

/* --- moves ---------------------------------------------------------------------------------------
 */

/* The answer to a move is read as it comes, among the streams. */
static bool make_move(struct bench *bench, int fd, struct game *game)
{
    static char answer[LOAD_ANSWER_MAX];
    char request[LOAD_REQUEST_MAX];
    const char *move = bench->line.moves[game->ply];
    uint8_t seat = bench->line.seats[game->ply];
    const struct games_player *player = &game->players[game->game.players[seat]];
    game->ply++;
    const size_t length =
        games_move_request(player, game->game.id, game->ply, move, request, sizeof request);
    game->sent_at[game->ply] = load_now();
    if (send(fd, request, length, 0) != (ssize_t)length) {
        return false;
    }
    size_t received = 0;
    do {
        if (!read_until(bench, load_now() + 10, fd)) {
            return false;
        }
        const ssize_t got = recv(fd, answer + received, sizeof answer - received - 1, MSG_DONTWAIT);
        received += got > 0 ? (size_t)got : 0;
        answer[received] = '\0';
    } while (load_answer_length(answer, received) == 0);
    game->answered_at[game->ply] = load_now();
    if (strncmp(answer, "HTTP/1.1 201", 12) != 0) {
        (void)fprintf(stderr, "streams: a move: %s\n", answer);
        return false;
    }
    return true;
}

static bool make_moves(struct bench *bench)
{
    const struct settings *settings = bench->settings;
    const int fd = load_connect((uint16_t)settings->port);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = UINT32_MAX};
    bool good = fd >= 0 && epoll_ctl(bench->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
    const double begin = load_now();
    const uint64_t moves = (uint64_t)(settings->rate * settings->seconds);
    bench->measured_from = begin;
    for (uint64_t i = 0; good && i < moves; i++) {
        struct game *game = &bench->games[i % bench->game_count];
        good = read_until(bench, begin + (double)i / settings->rate, -1) &&
               game->ply < bench->line.plies && make_move(bench, fd, game);
    }
    good = good && read_until(bench, load_now() + SETTLE_MS / 1e3, -1);
    if (fd >= 0) {
        close(fd);
    }
    return good;
}

/* --- a run ---------------------------------------------------------------------------------------
 */

static bool make_games(struct bench *bench)
{
    bool good = true;
    const int fd = load_connect((uint16_t)bench->settings->port);
    struct games_player players[2];
    for (unsigned i = 0; fd >= 0 && good && i < bench->game_count; i++) {
        struct game *game = &bench->games[i];
        if (i % GAMES_OF_PAIR == 0) {
            good = games_register(fd, &players[0]) && games_register(fd, &players[1]);
        }
        memcpy(game->players, players, sizeof players);
        game->sent_at = calloc(PLIES_MAX + 1, sizeof *game->sent_at);
        game->answered_at = calloc(PLIES_MAX + 1, sizeof *game->answered_at);
        good = good && game->sent_at != NULL && game->answered_at != NULL &&
               games_match(fd, POOL, game->players, &game->game);
    }
    if (fd >= 0) {
        close(fd);
    }
    return fd >= 0 && good;
}

static bool open_streams(struct bench *bench)
{
    bool good = true;
    for (unsigned i = 0; good && i < bench->settings->streams; i++) {
        good = open_stream(bench, i);
        if (i % EVENTS_MAX == 0) {
            good = good && read_until(bench, load_now() + 0.001, -1);
        }
    }
    if (!good) {
        perror("streams: a stream");
    }
    return good && read_until(bench, load_now() + SETTLE_MS / 1e3 + bench->settings->delay, -1);
}

static void print_figures(const struct bench *bench)
{
    const struct settings *settings = bench->settings;
    uint64_t expected = (uint64_t)(settings->rate * settings->seconds) * settings->each;
    printf("mode=streams streams=%u delivered=%llu missed=%lld gaps=%llu p50_ms=%.2f p99_ms=%.2f "
           "after_p50_ms=%.2f after_p99_ms=%.2f rss_kib=%ld\n",
           settings->streams, (unsigned long long)bench->sent.count,
           (long long)(expected - bench->sent.count), (unsigned long long)bench->gaps,
           share_ms(&bench->sent, 0.5), share_ms(&bench->sent, 0.99),
           share_ms(&bench->answered, 0.5), share_ms(&bench->answered, 0.99),
           resident_kib(settings->server));
}

static void allow_files(unsigned streams)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < streams + OTHER_FILES) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void release(struct bench *bench)
{
    for (unsigned i = 0; bench->games != NULL && i < bench->game_count; i++) {
        free(bench->games[i].sent_at);
        free(bench->games[i].answered_at);
    }
    free(bench->games);
    free(bench->watchers);
    free(bench->sent.us);
    free(bench->answered.us);
    free(bench);
}

static bool run(const struct settings *settings)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL) {
        return false;
    }
    bench->settings = settings;
    bench->game_count = (settings->streams + settings->each - 1) / settings->each;
    bench->games = calloc(bench->game_count, sizeof *bench->games);
    bench->watchers = calloc(settings->streams, sizeof *bench->watchers);
    bench->sent.us = calloc(LATENCY_MAX_US, sizeof *bench->sent.us);
    bench->answered.us = calloc(LATENCY_MAX_US, sizeof *bench->answered.us);
    bench->epoll = epoll_create1(EPOLL_CLOEXEC);
    games_line_make(&bench->line, POOL, PLIES_MAX, LINE_SEED);
    allow_files(settings->streams);
    bool good = bench->games != NULL && bench->watchers != NULL && bench->sent.us != NULL &&
                bench->answered.us != NULL && bench->epoll >= 0 && make_games(bench) &&
                open_streams(bench) && make_moves(bench);
    if (good) {
        print_figures(bench);
    }
    release(bench);
    return good;
}
