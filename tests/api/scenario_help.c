#include "engine/rules.h"
#include "tests/support/process.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the program says of itself, and the man page beside it. */

enum { TEXT_SIZE = 32768, COMMANDS_MAX = 32, COMMANDS_LEAST = 10 };

static char manual[TEXT_SIZE];

static void read_manual(void)
{
    FILE *file = fopen("api/banzuke.1", "re");
    cr_assert_not_null(file);
    size_t got = fread(manual, 1, sizeof manual - 1, file);
    cr_assert_lt(got, sizeof manual - 1);
    manual[got] = '\0';
    (void)fclose(file);
}

/* The names of all commands, from `banzuke --help`. */
static size_t list_commands(struct process *folder, char names[COMMANDS_MAX][16])
{
    char output[TEXT_SIZE];
    size_t count = 0;
    cr_assert_eq(process_run(folder, "--help", output, sizeof output), 0);
    for (char *line = strtok(output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[2] != '-') {
            cr_assert_lt(count, COMMANDS_MAX);
            (void)snprintf(names[count++], 16, "%.*s", (int)strcspn(line + 2, " "), line + 2);
        }
    }
    cr_assert_geq(count, COMMANDS_LEAST);
    return count;
}

static void expect_in_manual(const char *before, const char *word, const char *command)
{
    char wanted[96];
    (void)snprintf(wanted, sizeof wanted, "%s%s", before, word);
    cr_expect_not_null(strstr(manual, wanted), "%s of %s is not in the man page", wanted, command);
}

/* Every word of the text that begins like this, up to what cannot be in one. */
static void expect_words(const char *text, const char *begins, const char *letters,
                         const char *before, const char *command)
{
    for (const char *at = strstr(text, begins); at != NULL; at = strstr(at + 1, begins)) {
        char word[64];
        const char *rest = at + (strcmp(begins, "--") == 0 ? 2 : 0);
        (void)snprintf(word, sizeof word, "%.*s", (int)strspn(rest, letters), rest);
        if (word[0] != '\0') {
            expect_in_manual(before, word, command);
        }
    }
}

static void expect_help(struct process *folder, const char *name)
{
    char output[TEXT_SIZE];
    char line[32];
    char usage[64];
    (void)snprintf(line, sizeof line, "%s --help", name);
    cr_expect_eq(process_run(folder, line, output, sizeof output), 0, "%s", line);
    (void)snprintf(usage, sizeof usage, "usage: banzuke %s", name);
    cr_expect_eq(strncmp(output, usage, strlen(usage)), 0, "%s: %s", line, output);
    expect_in_manual("", name, "banzuke");
    expect_words(output, "--", "abcdefghijklmnopqrstuvwxyz-", "Fl Fl ", name);
    expect_words(output, "BANZUKE_", "ABCDEFGHIJKLMNOPQRSTUVWXYZ_", ".Ev ", name);
}

Test(scenario_help, every_command_has_help_and_every_option_is_in_the_man_page)
{
    char names[COMMANDS_MAX][16];
    struct process *folder = process_folder();
    read_manual();
    size_t count = list_commands(folder, names);
    for (size_t i = 0; i < count; i++) {
        expect_help(folder, names[i]);
    }
    process_free(folder);
}

/* A number is shown with its range, words with bars between them. */
static void expect_rule(const char *help, const struct option_rules *rule)
{
    char wanted[128];
    int used = snprintf(wanted, sizeof wanted, "%s=", rule->key);
    expect_in_manual("Cm ", rule->key, "perft");
    if (rule->words == NULL) {
        (void)snprintf(wanted + used, sizeof wanted - (size_t)used, "0..%u", rule->max);
    }
    for (size_t i = 0; rule->words != NULL && rule->words[i] != NULL; i++) {
        used += snprintf(wanted + used, sizeof wanted - (size_t)used, "%s%s", i == 0 ? "" : "|",
                         rule->words[i]);
        expect_in_manual(i == 0 ? "Cm " : ", ", rule->words[i], "perft");
    }
    cr_expect_not_null(strstr(help, wanted), "%s is not in %s", wanted, help);
}

Test(scenario_help, every_option_of_every_game_is_in_the_help_and_the_man_page)
{
    char output[TEXT_SIZE];
    struct process *folder = process_folder();
    read_manual();
    cr_assert_eq(process_run(folder, "perft --help", output, sizeof output), 0);
    for (size_t i = 0; i < rules_count(); i++) {
        const struct game_rules *rules = rules_at(i);
        cr_expect_not_null(strstr(output, rules->key), "%s", rules->key);
        expect_in_manual("Cm ", rules->key, "perft");
        for (size_t j = 0; j < rules->option_count; j++) {
            expect_rule(output, &rules->options[j]);
        }
    }
    process_free(folder);
}

Test(scenario_help, what_is_no_command_is_answered_with_the_list)
{
    char output[TEXT_SIZE];
    struct process *folder = process_folder();
    cr_expect_eq(process_run(folder, "", output, sizeof output), 64);
    cr_expect_not_null(strstr(output, "usage: banzuke COMMAND"), "%s", output);
    cr_expect_eq(process_run(folder, "conquer", output, sizeof output), 64);
    cr_expect_eq(process_run(folder, "--version", output, sizeof output), 0);
    process_free(folder);
}
