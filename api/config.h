#ifndef API_CONFIG_H
#define API_CONFIG_H

/*
 * What `banzuke serve` was told: defaults, then BANZUKE_... variables, then options. Parsed once in
 * main, constant from then on.
 */

#include "address.h"
#include "cors.h"
#include "log.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CONFIG_PATH_MAX = 4096,
    CONFIG_TURN_SECONDS_MAX = 4,
    CONFIG_TURN_SECONDS_LONGEST = 3600,
    CONFIG_TRUSTED_PROXIES_MAX = 32,
};

struct config {
    char db_path[CONFIG_PATH_MAX];
    char key_path[CONFIG_PATH_MAX]; /* default: <db>.key */
    char listen_address[64];
    uint16_t listen_port;                           /* 0: any free one (it is logged) */
    uint16_t turn_seconds[CONFIG_TURN_SECONDS_MAX]; /* ascending; for tickets without the 0 */
    bool untimed;                                   /* the 0 is there: for tables */
    uint32_t repeat_limit;
    uint32_t absence_seconds;
    uint8_t absence_level;
    uint32_t cpu_delay_ms;
    char cors[CORS_TEXT];            /* pages that may read answers: `*`, or a list of origins */
    uint32_t registrations_per_hour; /* of an address */
    bool rate_limit;                 /* false: no budgets of devices and addresses */
    struct address_block trusted_proxies[CONFIG_TRUSTED_PROXIES_MAX];
    size_t trusted_proxy_count;
    enum log_level log;
    unsigned threads; /* HTTP threads; default: the cores, at least 2 */
};

enum {
    EXIT_USAGE = 64,
    EXIT_DATA = 65,
    EXIT_INTERNAL = 70,
    EXIT_CANNOT_CREATE = 73,
    EXIT_STORAGE_IO = 74,
    EXIT_OTHER_INSTANCE = 75,
    EXIT_CONFIG = 78,
};

/* 0, or the exit code after one line on stderr. *help: --help was printed instead. */
int config_parse(int argc, char **argv, struct config *config, bool *help);

/* Whether tickets may ask for so many seconds a turn. */
bool config_offers(const struct config *config, int64_t turn_seconds);
/* What a ticket gets that does not say: 60 s, else the longest there is. */
uint16_t config_turn_seconds(const struct config *config);
/* The same of tables: they may do without a turn time where 0 is offered, and do if they do not
 * say.
 */
bool config_offers_table(const struct config *config, int64_t turn_seconds);
uint16_t config_table_seconds(const struct config *config);

#endif
