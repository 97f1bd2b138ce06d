#include "config.h"

#include "listen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    THREADS_MAX = 64,
    REPEAT_LIMIT_MAX = 1000,
    ABSENCE_MAX = 86400,
    LEVEL_MAX = 8,
    CPU_DELAY_MAX = 60000,
    REGISTRATIONS_MAX = 100000,
};

struct option_row {
    const char *name; /* without the dashes */
    const char *variable;
    const char *metavar;
    const char *standard; /* the default, for --help */
    const char *expects;
    bool (*parse)(struct config *config, const char *text);
};

static bool parse_db(struct config *config, const char *text);
static bool parse_key_file(struct config *config, const char *text);
static bool parse_listen(struct config *config, const char *text);
static bool parse_turn_seconds(struct config *config, const char *text);
static bool parse_repeat_limit(struct config *config, const char *text);
static bool parse_absence_seconds(struct config *config, const char *text);
static bool parse_absence_level(struct config *config, const char *text);
static bool parse_cpu_delay(struct config *config, const char *text);
static bool parse_cors(struct config *config, const char *text);
static bool parse_registrations(struct config *config, const char *text);
static bool parse_rate_limit(struct config *config, const char *text);
static bool parse_trusted_proxy(struct config *config, const char *text);
static bool parse_threads(struct config *config, const char *text);
static bool parse_log(struct config *config, const char *text);

/* clang-format off */
static const struct option_row options[] = {
    {"db", "BANZUKE_DB", "FILE", "banzuke.db",
     "a file name", parse_db},
    {"listen", "BANZUKE_LISTEN", "ADDR:PORT", "127.0.0.1:8080",
     "an address and a port, such as 127.0.0.1:8080 or [::1]:0 (0: any free port)", parse_listen},
    {"key-file", "BANZUKE_KEY_FILE", "FILE", "<db>.key",
     "a file name; the file is made (0600) together with a new database", parse_key_file},
    {"turn-seconds", "BANZUKE_TURN_SECONDS", "LIST", "0,30,60",
     "up to four times of 1 to 3600 seconds a turn, and 0 for tables without a clock",
     parse_turn_seconds},
    {"repeat-limit", "BANZUKE_REPEAT_LIMIT", "N", "5",
     "the rated games of one set of players in a pool in 24 hours, 1 to 1000", parse_repeat_limit},
    {"absence-seconds", "BANZUKE_ABSENCE_SECONDS", "N", "120",
     "after how long without a sign of life the CPU plays where there is no turn time, 1 to 86400",
     parse_absence_seconds},
    {"absence-level", "BANZUKE_ABSENCE_LEVEL", "N", "5",
     "the CPU level that plays for those who are not there, 1 to 8 (all play alike as yet)",
     parse_absence_level},
    {"cpu-delay-ms", "BANZUKE_CPU_DELAY_MS", "N", "500",
     "how soon after the ply before it a move of the CPU may come, 0 to 60000 ms", parse_cpu_delay},
    {"cors", "BANZUKE_CORS", "ORIGINS", "*",
     "* (pages of all origins), or a list such as https://a.example,http://localhost:5173",
     parse_cors},
    {"registrations-per-hour", "BANZUKE_REGISTRATIONS_PER_HOUR", "N", "30",
     "the new players that may come from one address in an hour, 1 to 100000", parse_registrations},
    {"rate-limit", "BANZUKE_RATE_LIMIT", "WHAT", "on",
     "on, or off (devices and addresses may ask as much as they like)", parse_rate_limit},
    {"trusted-proxy", "BANZUKE_TRUSTED_PROXY", "CIDR,...", "none",
     "addresses or blocks of proxies that say the client in X-Forwarded-For, repeatable, up to 32",
     parse_trusted_proxy},
    {"threads", "BANZUKE_THREADS", "N", "the cores, at least 2",
     "a number of HTTP threads, 1 to 64", parse_threads},
    {"log", "BANZUKE_LOG", "WHAT", "requests",
     "requests (a line each), errors (those that fail with 5xx) or off", parse_log},
};
/* clang-format on */

enum { OPTIONS = sizeof options / sizeof options[0] };

static void set_defaults(struct config *config)
{
    memset(config, 0, sizeof *config);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    config->threads = cores < 2 ? 2 : cores > THREADS_MAX ? THREADS_MAX : (unsigned)cores;
    for (size_t i = 0; i < OPTIONS; i++) {
        bool computed = options[i].parse == parse_threads || options[i].parse == parse_key_file ||
                        options[i].parse == parse_trusted_proxy;
        bool good = computed || options[i].parse(config, options[i].standard);
        assert(good);
    }
}

static void print_help(void)
{
    (void)puts("usage: banzuke serve [OPTION]...\n\n"
               "Serves matchmaking, games and rankings over HTTP. Every option can be an\n"
               "environment variable as well; options win.\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option_row *row = &options[i];
        (void)printf("  --%s %s  (%s, default %s)\n        %s\n", row->name, row->metavar,
                     row->variable, row->standard, row->expects);
    }
    (void)puts(
        "  --help\n\n"
        "SIGTERM and SIGINT end the service in order, a second one or ten seconds at once.\n"
        "SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2 and SIGXFSZ are ignored. The log goes to stderr.\n\n"
        "Exit codes: 0 in order, 64 usage, 65 data (damaged, foreign or newer file),\n"
        "70 internal or a write that the disk did not confirm, 73 cannot create or\n"
        "read-only, 74 input/output error or file moved, 75 another instance serves the\n"
        "file, 78 configuration or environment (a port in use, a key that does not fit).");
}

struct shown {
    char text[81];
};

/* Foreign text in one line of ours: cut off, without control bytes. */
static struct shown show(const char *text)
{
    struct shown shown;
    size_t length = strnlen(text, sizeof shown.text - 1);
    for (size_t i = 0; i < length; i++) {
        bool control = (unsigned char)text[i] < 0x20 || text[i] == 0x7f;
        shown.text[i] = text[i];
        if (control) {
            shown.text[i] = '?';
        }
    }
    shown.text[length] = '\0';
    return shown;
}

static void complain(const char *what, const char *text, const struct option_row *row)
{
    (void)fprintf(stderr, "banzuke: %s: \"%s\" will not do: it takes %s\n", what, show(text).text,
                  row->expects);
}

static int parse_environment(struct config *config)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        const char *text = getenv(options[i].variable);
        if (text != NULL && !options[i].parse(config, text)) {
            complain(options[i].variable, text, &options[i]);
            return EXIT_CONFIG;
        }
    }
    return 0;
}

static const struct option_row *find_option(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

/* Takes the option at argv[*at] and, where it stands apart, its value. */
static int parse_option(int argc, char **argv, int *at, struct config *config)
{
    const char *text = argv[*at];
    size_t length = strcspn(text, "=");
    const struct option_row *row = NULL;
    if (length > 2 && strncmp(text, "--", 2) == 0) {
        row = find_option(text + 2, length - 2);
    }
    if (row == NULL) {
        (void)fprintf(stderr, "banzuke: \"%s\" is no option of serve; --help lists them\n",
                      show(text).text);
        return EXIT_USAGE;
    }
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (value == NULL && *at + 1 < argc) {
        *at += 1;
        value = argv[*at];
    }
    if (value == NULL || !row->parse(config, value)) {
        char what[32];
        (void)snprintf(what, sizeof what, "--%s", row->name);
        complain(what, value == NULL ? "" : value, row);
        return EXIT_USAGE;
    }
    return 0;
}

/* The default name of the key file, which hangs on the database's. */
static int complete(struct config *config)
{
    if (config->key_path[0] != '\0') {
        return 0;
    }
    int length = snprintf(config->key_path, sizeof config->key_path, "%s.key", config->db_path);
    if (length < 0 || (size_t)length >= sizeof config->key_path) {
        (void)fputs("banzuke: --db: the file name is too long\n", stderr);
        return EXIT_USAGE;
    }
    return 0;
}

/* Options win over the environment: a list of theirs takes the place of its list. */
static void drop_inherited(struct config *config, size_t inherited)
{
    if (config->trusted_proxy_count > inherited) {
        config->trusted_proxy_count -= inherited;
        memmove(config->trusted_proxies, config->trusted_proxies + inherited,
                config->trusted_proxy_count * sizeof config->trusted_proxies[0]);
    }
}

int config_parse(int argc, char **argv, struct config *config, bool *help)
{
    assert(argc >= 1 && argv != NULL && config != NULL && help != NULL);
    *help = false;
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--help") == 0) {
            print_help();
            *help = true;
            return 0;
        }
    }
    set_defaults(config);
    int code = parse_environment(config);
    size_t inherited = config->trusted_proxy_count;
    for (int at = 1; at < argc && code == 0; at++) {
        code = parse_option(argc, argv, &at, config);
    }
    drop_inherited(config, inherited);
    return code == 0 ? complete(config) : code;
}

bool config_offers(const struct config *config, int64_t turn_seconds)
{
    for (size_t i = 0; i < CONFIG_TURN_SECONDS_MAX; i++) {
        if (turn_seconds != 0 && config->turn_seconds[i] == turn_seconds) {
            return true;
        }
    }
    return false;
}

uint16_t config_turn_seconds(const struct config *config)
{
    enum { PREFERRED = 60 };
    uint16_t longest = 0;
    for (size_t i = 0; i < CONFIG_TURN_SECONDS_MAX; i++) {
        if (config->turn_seconds[i] > longest) {
            longest = config->turn_seconds[i];
        }
    }
    return config_offers(config, PREFERRED) ? PREFERRED : longest;
}

bool config_offers_table(const struct config *config, int64_t turn_seconds)
{
    return turn_seconds == 0 ? config->untimed : config_offers(config, turn_seconds);
}

uint16_t config_table_seconds(const struct config *config)
{
    return config->untimed ? 0 : config_turn_seconds(config);
}

/* --- values -------------------------------------------------------------------------------- */

/* Digits only, up to the byte `stop` or the end, which *text then points to. */
static bool parse_number(const char **text, char stop, unsigned max, unsigned *number)
{
    const char *at = *text;
    unsigned sum = 0;
    while (*at >= '0' && *at <= '9' && sum <= max) {
        sum = sum * 10 + (unsigned)(*at - '0');
        at++;
    }
    bool good = at > *text && sum <= max && (*at == '\0' || *at == stop);
    *text = at;
    *number = sum;
    return good;
}

static bool parse_whole(const char *text, unsigned min, unsigned max, unsigned *number)
{
    unsigned value;
    if (!parse_number(&text, '\0', max, &value) || value < min) {
        return false;
    }
    *number = value;
    return true;
}

static bool parse_path(const char *text, char path[CONFIG_PATH_MAX])
{
    size_t length = strlen(text);
    if (length == 0 || length >= CONFIG_PATH_MAX) {
        return false;
    }
    memcpy(path, text, length + 1);
    return true;
}

static bool parse_db(struct config *config, const char *text)
{
    return parse_path(text, config->db_path);
}

static bool parse_key_file(struct config *config, const char *text)
{
    return parse_path(text, config->key_path);
}

static bool parse_listen(struct config *config, const char *text)
{
    enum { PORT_MAX = 65535 };
    const char *colon = strrchr(text, ':');
    unsigned port;
    if (colon == NULL || !parse_whole(colon + 1, 0, PORT_MAX, &port)) {
        return false;
    }
    const char *from = text;
    const char *to = colon;
    bool bracketed = to - from > 2 && *from == '[' && to[-1] == ']';
    if (bracketed) {
        from++;
        to--;
    }
    char address[sizeof config->listen_address];
    size_t length = (size_t)(to - from);
    if (length >= sizeof address) {
        return false;
    }
    memcpy(address, from, length);
    address[length] = '\0';
    /* Brackets belong to IPv6, and only to it: elsewhere the port could not be told apart. */
    bool ipv6 = strchr(address, ':') != NULL;
    if (ipv6 != bracketed || !listen_address_valid(address)) {
        return false;
    }
    memcpy(config->listen_address, address, length + 1);
    config->listen_port = (uint16_t)port;
    return true;
}

/* Keeps the list ascending. False: full, or the value is there already. */
static bool insert_seconds(uint16_t list[CONFIG_TURN_SECONDS_MAX], size_t *count, uint16_t seconds)
{
    if (*count == CONFIG_TURN_SECONDS_MAX) {
        return false;
    }
    size_t place = *count;
    while (place > 0 && list[place - 1] > seconds) {
        list[place] = list[place - 1];
        place--;
    }
    list[place] = seconds;
    *count += 1;
    return place == 0 || list[place - 1] != seconds;
}

static bool parse_turn_seconds(struct config *config, const char *text)
{
    uint16_t list[CONFIG_TURN_SECONDS_MAX] = {0};
    size_t count = 0;
    bool zero = false;
    for (;;) {
        unsigned seconds;
        if (!parse_number(&text, ',', CONFIG_TURN_SECONDS_LONGEST, &seconds)) {
            return false;
        }
        if (seconds == 0) {
            if (zero) {
                return false;
            }
            zero = true;
        } else if (!insert_seconds(list, &count, (uint16_t)seconds)) {
            return false;
        }
        if (*text == '\0') {
            break;
        }
        text++;
    }
    memcpy(config->turn_seconds, list, sizeof config->turn_seconds);
    config->untimed = zero;
    return count > 0;
}

static bool parse_repeat_limit(struct config *config, const char *text)
{
    unsigned limit;
    if (!parse_whole(text, 1, REPEAT_LIMIT_MAX, &limit)) {
        return false;
    }
    config->repeat_limit = limit;
    return true;
}

static bool parse_absence_seconds(struct config *config, const char *text)
{
    unsigned seconds;
    if (!parse_whole(text, 1, ABSENCE_MAX, &seconds)) {
        return false;
    }
    config->absence_seconds = seconds;
    return true;
}

static bool parse_absence_level(struct config *config, const char *text)
{
    unsigned level;
    if (!parse_whole(text, 1, LEVEL_MAX, &level)) {
        return false;
    }
    config->absence_level = (uint8_t)level;
    return true;
}

static bool parse_cpu_delay(struct config *config, const char *text)
{
    unsigned delay;
    if (!parse_whole(text, 0, CPU_DELAY_MAX, &delay)) {
        return false;
    }
    config->cpu_delay_ms = delay;
    return true;
}

static bool parse_cors(struct config *config, const char *text)
{
    if (!cors_is_valid(text)) {
        return false;
    }
    memcpy(config->cors, text, strlen(text) + 1);
    return true;
}

static bool parse_registrations(struct config *config, const char *text)
{
    unsigned number;
    if (!parse_whole(text, 1, REGISTRATIONS_MAX, &number)) {
        return false;
    }
    config->registrations_per_hour = number;
    return true;
}

static bool parse_rate_limit(struct config *config, const char *text)
{
    config->rate_limit = strcmp(text, "on") == 0;
    return config->rate_limit || strcmp(text, "off") == 0;
}

/* Adds to what is there. */
static bool parse_trusted_proxy(struct config *config, const char *text)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        if (config->trusted_proxy_count == CONFIG_TRUSTED_PROXIES_MAX ||
            !address_block_parse(text, length,
                                 &config->trusted_proxies[config->trusted_proxy_count])) {
            return false;
        }
        config->trusted_proxy_count++;
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

static bool parse_threads(struct config *config, const char *text)
{
    return parse_whole(text, 1, THREADS_MAX, &config->threads);
}

static bool parse_log(struct config *config, const char *text)
{
    static const struct {
        const char *word;
        enum log_level level;
    } words[] = {
        {"requests", LOG_REQUESTS_ALL   },
        {"errors",   LOG_REQUESTS_ERRORS},
        {"off",      LOG_REQUESTS_OFF   },
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i].word) == 0) {
            config->log = words[i].level;
            return true;
        }
    }
    return false;
}
