#include "tests/support/process.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* README.md beside the program: what it shows of `make demo` is what that prints. */

enum { TEXT_SIZE = 32768, LINE_SIZE = 1024 };

/* --- what may differ -----------------------------------------------------------------------------
 */

/* How long the id of a game or player, the port, or the name of one of four is, who are seated by
 * lot; 0: it is none of them. */
static size_t chance(const char *text)
{
    static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz";
    static const char *const names[] = {"Emiko", "Fumio", "Goran", "Hanna"};
    if ((text[0] == 'g' || text[0] == 'p') && text[1] == '_' && strspn(text + 2, letters) == 26) {
        return 2 + 26;
    }
    if (strncmp(text, "127.0.0.1:", 10) == 0) {
        return 10 + strspn(text + 10, "0123456789");
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(text, names[i], strlen(names[i])) == 0) {
            return strlen(names[i]);
        }
    }
    return 0;
}

/* Adds the line with stars for what may differ, unless it is empty. */
static void add_line(char text[TEXT_SIZE], const char *line)
{
    size_t used = strlen(text);
    size_t length = strcspn(line, "\n");
    cr_assert_lt(used + length + 2, TEXT_SIZE);
    for (size_t i = 0; i < length;) {
        size_t differs = chance(line + i);
        if (differs > 0) {
            text[used++] = '*';
            i += differs;
        } else {
            text[used++] = line[i++];
        }
    }
    if (length > 0) {
        text[used++] = '\n';
    }
    text[used] = '\0';
}

/* --- the two -------------------------------------------------------------------------------------
 */

/* What is indented between this heading and the next one. */
static void read_shown(const char *heading, char text[TEXT_SIZE])
{
    char line[LINE_SIZE];
    bool inside = false;
    FILE *file = fopen("README.md", "re");
    cr_assert_not_null(file);
    text[0] = '\0';
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "## ", 3) == 0) {
            inside = strncmp(line, heading, strlen(heading)) == 0;
        }
        if (inside && strncmp(line, "    ", 4) == 0) {
            add_line(text, line + 4);
        }
    }
    (void)fclose(file);
}

static void read_printed(char text[TEXT_SIZE])
{
    char command[512];
    char line[LINE_SIZE];
    const char *banzuke = getenv("BANZUKE");
    cr_assert_not_null(banzuke);
    (void)snprintf(command, sizeof command, "sh tests/demo.sh '%s' 2>&1", banzuke);
    FILE *pipe = popen(command, "re");
    cr_assert_not_null(pipe);
    text[0] = '\0';
    while (fgets(line, sizeof line, pipe) != NULL) {
        add_line(text, line);
    }
    cr_assert_eq(pclose(pipe), 0, "%s", text);
}

Test(scenario_readme, what_it_shows_of_the_demo_is_what_the_demo_prints)
{
    static char shown[TEXT_SIZE];
    static char printed[TEXT_SIZE];
    read_shown("## What `make demo` prints", shown);
    read_printed(printed);
    cr_assert_not_null(strstr(printed, "\"eliminations\":"), "%s", printed);
    cr_assert_str_eq(shown, printed, "README.md:\n%s\nprinted:\n%s", shown, printed);
}
