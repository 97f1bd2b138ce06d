#include "api/config.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 6 };

/* Parses up to ARGUMENTS_MAX arguments; the list ends with NULL. */
static int parse(struct config *config, const char *const *arguments)
{
    char copies[ARGUMENTS_MAX + 1][256] = {"serve"};
    char *argv[ARGUMENTS_MAX + 2] = {copies[0]};
    int argc = 1;
    for (; arguments != NULL && *arguments != NULL; arguments++) {
        cr_assert(argc <= ARGUMENTS_MAX && strlen(*arguments) < sizeof copies[0]);
        memcpy(copies[argc], *arguments, strlen(*arguments) + 1);
        argv[argc] = copies[argc];
        argc++;
    }
    bool help = false;
    int code = config_parse(argc, argv, config, &help);
    cr_expect_not(help);
    return code;
}

static int parse_one(struct config *config, const char *argument)
{
    return parse(config, (const char *const[]){argument, NULL});
}

Test(config, nothing_said_means_the_defaults)
{
    struct config config;
    cr_assert_eq(parse(&config, NULL), 0);
    cr_expect_str_eq(config.db_path, "banzuke.db");
    cr_expect_str_eq(config.key_path, "banzuke.db.key");
    cr_expect_str_eq(config.listen_address, "127.0.0.1");
    cr_expect_eq(config.listen_port, 8080);
    cr_expect_eq(config.turn_seconds[0], 30);
    cr_expect_eq(config.turn_seconds[1], 60);
    cr_expect_eq(config.turn_seconds[2], 0);
    cr_expect_eq(config.repeat_limit, 5);
    cr_expect_eq(config.absence_seconds, 120);
    cr_expect_eq(config.absence_level, 5);
    cr_expect_eq(config.cpu_delay_ms, 500);
    cr_expect_str_eq(config.cors, "*");
    cr_expect_eq(config.log, LOG_REQUESTS_ALL);
    cr_expect_geq(config.threads, 2);
}

Test(config, options_take_their_value_apart_or_joined)
{
    struct config config;
    static const char *const arguments[] = {"--db",      "x.db", "--listen=[::1]:0",
                                            "--threads", "3",    NULL};
    cr_assert_eq(parse(&config, arguments), 0);
    cr_expect_str_eq(config.db_path, "x.db");
    cr_expect_str_eq(config.key_path, "x.db.key");
    cr_expect_str_eq(config.listen_address, "::1");
    cr_expect_eq(config.listen_port, 0);
    cr_expect_eq(config.threads, 3);
}

Test(config, variables_count_and_options_count_more)
{
    struct config config;
    setenv("BANZUKE_REPEAT_LIMIT", "7", 1);
    setenv("BANZUKE_LOG", "off", 1);
    setenv("BANZUKE_CORS", "https://a.example", 1);
    setenv("BANZUKE_KEY_FILE", "k", 1);
    cr_assert_eq(parse_one(&config, "--log=errors"), 0);
    cr_expect_eq(config.repeat_limit, 7);
    cr_expect_str_eq(config.cors, "https://a.example");
    cr_expect_eq(config.log, LOG_REQUESTS_ERRORS);
    cr_expect_str_eq(config.key_path, "k");
}

Test(config, turn_times_are_sorted_and_the_zero_is_for_tables)
{
    struct config config;
    cr_assert_eq(parse_one(&config, "--turn-seconds=60,5,0,3600,30"), 0);
    static const uint16_t expected[CONFIG_TURN_SECONDS_MAX] = {5, 30, 60, 3600};
    cr_expect_arr_eq(config.turn_seconds, expected, sizeof expected);
}

Test(config, malformed_options_are_a_usage_error, .init = cr_redirect_stderr)
{
    static const char *const arguments[] = {
        "--nothing=1",
        "db",
        "-d",
        "--",
        "--db",
        "--db=",
        "--db=x=y",
        "--listen=8080",
        "--listen=localhost:",
        "--listen=localhost:1",
        "--listen=1.2.3:1",
        "--listen=1.2.3.4:65536",
        "--listen=1.2.3.4:-1",
        "--listen=::1:80",
        "--listen=[1.2.3.4]:80",
        "--turn-seconds=",
        "--turn-seconds=0",
        "--turn-seconds=30,",
        "--turn-seconds=30,30",
        "--turn-seconds=0,0,30",
        "--turn-seconds=3601",
        "--turn-seconds=1,2,3,4,5",
        "--turn-seconds=30 60",
        "--repeat-limit=0",
        "--repeat-limit=1001",
        "--repeat-limit=+5",
        "--repeat-limit=5x",
        "--absence-seconds=0",
        "--absence-seconds=86401",
        "--absence-level=0",
        "--absence-level=9",
        "--cpu-delay-ms=-1",
        "--cpu-delay-ms=60001",
        "--threads=0",
        "--threads=65",
        "--threads=99999999999999999999",
        "--cors=",
        "--cors=https://a.example/",
        "--cors=https://a.example,*",
        "--log=all",
        "--log=",
        "--rate-limit=",
        "--rate-limit=yes",
        "--registrations-per-hour=0",
        "--registrations-per-hour=100001",
        "--registrations-per-hour=-1",
        "--trusted-proxy=",
        "--trusted-proxy=none",
        "--trusted-proxy=10.0.0.0/33",
        "--trusted-proxy=10.0.0/8",
        "--trusted-proxy=::1/129",
        "--trusted-proxy=::1,",
        "--trusted-proxy=,::1",
        "--trusted-proxy=::1, 10.0.0.0/8",
        "--trusted-proxy=proxy.example",
    };
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        struct config config;
        int expected = strcmp(arguments[i], "--db=x=y") == 0 ? 0 : EXIT_USAGE;
        cr_expect_eq(parse_one(&config, arguments[i]), expected, "%s", arguments[i]);
    }
}

Test(config, the_numbers_that_limit_can_be_as_small_and_as_large_as_they_say)
{
    struct config config;
    cr_assert_eq(parse(&config, NULL), 0);
    cr_expect_eq(config.registrations_per_hour, 30);
    cr_expect(config.rate_limit);
    cr_assert_eq(parse_one(&config, "--registrations-per-hour=1"), 0);
    cr_expect_eq(config.registrations_per_hour, 1);
    cr_assert_eq(parse_one(&config, "--registrations-per-hour=100000"), 0);
    cr_expect_eq(config.registrations_per_hour, 100000);
    cr_assert_eq(parse_one(&config, "--rate-limit=off"), 0);
    cr_expect_not(config.rate_limit);
}

Test(config, proxies_come_one_by_one_or_as_a_list)
{
    struct config config;
    static const char *const arguments[] = {"--trusted-proxy", "10.0.0.0/8,::1", "--trusted-proxy",
                                            "192.0.2.1", NULL};
    cr_assert_eq(parse(&config, arguments), 0);
    cr_assert_eq(config.trusted_proxy_count, 3);
    cr_expect_eq(config.trusted_proxies[0].bits, 96 + 8);
    cr_expect_eq(config.trusted_proxies[1].bits, 128);
    cr_expect_eq(config.trusted_proxies[2].base.bytes[15], 1);
}

Test(config, proxies_of_the_command_line_replace_those_of_the_environment)
{
    struct config config;
    setenv("BANZUKE_TRUSTED_PROXY", "10.0.0.0/8,::1", 1);
    cr_assert_eq(parse(&config, NULL), 0);
    cr_expect_eq(config.trusted_proxy_count, 2);
    cr_assert_eq(parse_one(&config, "--trusted-proxy=192.0.2.0/24"), 0);
    cr_assert_eq(config.trusted_proxy_count, 1);
    cr_expect_eq(config.trusted_proxies[0].bits, 96 + 24);
}

Test(config, there_are_as_many_proxies_as_there_is_room_for, .init = cr_redirect_stderr)
{
    struct config config;
    static const char proxy[] = "::1,";
    char list[256] = "--trusted-proxy=";
    char *at = list + strlen(list);
    for (unsigned i = 0; i <= CONFIG_TRUSTED_PROXIES_MAX; i++) {
        memcpy(at + i * strlen(proxy), proxy, sizeof proxy);
    }
    char *end = at + (CONFIG_TRUSTED_PROXIES_MAX + 1) * strlen(proxy) - 1;
    *end = '\0';
    cr_expect_eq(parse_one(&config, list), EXIT_USAGE);
    end[-(ptrdiff_t)strlen(proxy)] = '\0';
    cr_assert_eq(parse_one(&config, list), 0);
    cr_expect_eq(config.trusted_proxy_count, CONFIG_TRUSTED_PROXIES_MAX);
}

Test(config, a_malformed_variable_is_a_configuration_error, .init = cr_redirect_stderr)
{
    struct config config;
    setenv("BANZUKE_THREADS", "many", 1);
    cr_expect_eq(parse(&config, NULL), EXIT_CONFIG);
}

Test(config, a_complaint_is_one_line_without_control_bytes, .init = cr_redirect_stderr)
{
    struct config config;
    cr_expect_eq(parse_one(&config, "--log=\x1b[31m\nbanzuke: all is well"), EXIT_USAGE);
    (void)fflush(stderr);
    FILE *redirected = cr_get_redirected_stderr();
    char line[512];
    cr_assert(fgets(line, sizeof line, redirected) != NULL);
    cr_expect(strchr(line, '\n') == line + strlen(line) - 1);
    cr_expect(strchr(line, '\x1b') == NULL);
}

Test(config, a_file_name_that_leaves_no_room_for_the_key_is_refused, .init = cr_redirect_stderr)
{
    struct config config;
    char name[CONFIG_PATH_MAX];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    setenv("BANZUKE_DB", name, 1);
    cr_expect_eq(parse(&config, NULL), EXIT_USAGE);
}
