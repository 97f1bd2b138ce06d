#include "operator_line.h"

#include "config.h"
#include "match/operate.h"
#include "utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    enum operate_deed deed;
    char prefix; /* of the identifier it takes */
} commands[] = {
    {"void-game", OPERATE_VOID_GAME, 'g'},
    {"ban",       OPERATE_BAN,       'p'},
    {"unban",     OPERATE_UNBAN,     'p'},
    {"rename",    OPERATE_RENAME,    'p'},
};

__attribute__((format(printf, 3, 4))) static int say(char answer[OPERATOR_ANSWER_SIZE], int code,
                                                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(answer, OPERATOR_ANSWER_SIZE, format, arguments);
    va_end(arguments);
    return code;
}

/* --- lines ---------------------------------------------------------------------------------------
 */

/* One line of plain text, short enough to be stored. */
static bool is_reason(const char *text)
{
    size_t length = strlen(text);
    size_t characters = 0;
    uint32_t code = 0;
    while (length > 0) {
        size_t bytes = utf8_next(text, length, &code);
        if (bytes == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0)) {
            return false;
        }
        text += bytes;
        length -= bytes;
        characters++;
    }
    return characters <= DB_NOTE_CHARACTERS;
}

bool operator_line_format(const char *command, const char *id, const char *reason,
                          char line[OPERATOR_LINE_SIZE])
{
    if (!is_reason(reason)) {
        return false;
    }
    int length = snprintf(line, OPERATOR_LINE_SIZE, "%s %s%s%s", command, id,
                          reason[0] == '\0' ? "" : " ", reason);
    return length > 0 && length < OPERATOR_LINE_SIZE;
}

/* 0, or the exit code with the answer. */
static int parse(const char *line, struct match_operate *command, char answer[OPERATOR_ANSWER_SIZE])
{
    size_t word = strcspn(line, " ");
    size_t which = 0;
    while (
        which < sizeof commands / sizeof commands[0] &&
        (strlen(commands[which].word) != word || strncmp(commands[which].word, line, word) != 0)) {
        which++;
    }
    if (which == sizeof commands / sizeof commands[0]) {
        return say(answer, EXIT_USAGE, "no such command");
    }
    const char *id = line + word + (line[word] == ' ');
    size_t length = strcspn(id, " ");
    command->deed = commands[which].deed;
    if (!secrets_id_parse(id, length, commands[which].prefix, &command->id)) {
        return say(answer, EXIT_USAGE, "%.*s is not the id of a %s (%c_ and 26 characters)",
                   (int)(length > 40 ? 40 : length), id,
                   commands[which].prefix == 'g' ? "game" : "player", commands[which].prefix);
    }
    const char *reason = id + length + (id[length] == ' ');
    if (!is_reason(reason)) {
        return say(answer, EXIT_USAGE, "a reason is one line of at most %d characters",
                   DB_NOTE_CHARACTERS);
    }
    (void)snprintf(command->note, sizeof command->note, "%s", reason);
    return 0;
}

/* --- answers -------------------------------------------------------------------------------------
 */

static int say_refusal(const struct match_operate *command, char answer[OPERATOR_ANSWER_SIZE])
{
    static const char *const why[] = {
        [OPERATE_NO_GAME] = "there is no such game",
        [OPERATE_GAME_RUNNING] = "the game is not finished",
        [OPERATE_NOT_RATED] = "the game was not rated, so that there is nothing to take back",
        [OPERATE_ALREADY_VOID] = "the game is void already",
        [OPERATE_NO_PLAYER] = "there is no such player",
        [OPERATE_ERASED] = "the player was erased",
        [OPERATE_ALREADY_BANNED] = "the player is banned already",
        [OPERATE_NOT_BANNED] = "the player is not banned",
    };
    return say(answer, EXIT_DATA, "%s: %s", command->id.text, why[command->refusal]);
}

static int say_storage(enum match_status status, char answer[OPERATOR_ANSWER_SIZE])
{
    static const struct {
        enum match_status status;
        int code;
        const char *text;
    } failures[] = {
        {MATCH_STORAGE_BUSY,     EXIT_OTHER_INSTANCE, "the file is locked by another program" },
        {MATCH_SHUTTING_DOWN,    EXIT_OTHER_INSTANCE, "the service is stopping"               },
        {MATCH_STORAGE_FULL,     EXIT_CANNOT_CREATE,  "no space is left"                      },
        {MATCH_STORAGE_READONLY, EXIT_CANNOT_CREATE,  "the file cannot be written"            },
        {MATCH_IN_DOUBT,         EXIT_STORAGE_IO,     "the disk failed; it may be done or not"},
        {MATCH_INTEGRITY,        EXIT_DATA,           "the file is damaged"                   },
    };
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        if (failures[i].status == status) {
            return say(answer, failures[i].code, "%s", failures[i].text);
        }
    }
    return say(answer, EXIT_INTERNAL, "an error in banzuke itself");
}

static int say_void(const struct match_operate *command, char answer[OPERATOR_ANSWER_SIZE])
{
    int length = snprintf(answer, OPERATOR_ANSWER_SIZE, "%s is void:", command->id.text);
    for (size_t i = 0; i < command->change_count; i++) {
        const struct operate_change *change = &command->changes[i];
        length += snprintf(answer + length, OPERATOR_ANSWER_SIZE - (size_t)length,
                           "%s %s %.3f -> %.3f", i == 0 ? "" : ",", change->player_id.id.text,
                           (double)change->before_milli / 1000, (double)change->after_milli / 1000);
        assert(length < OPERATOR_ANSWER_SIZE);
    }
    return 0;
}

static int say_done(const struct match_operate *command, char answer[OPERATOR_ANSWER_SIZE])
{
    switch (command->deed) {
    case OPERATE_VOID_GAME: return say_void(command, answer);
    case OPERATE_BAN:
        return say(answer, 0, "%s is banned%s; running games, which go on: %zu", command->id.text,
                   command->ticket_no != 0 ? ", and out of the queue" : "", command->playing);
    case OPERATE_UNBAN: return say(answer, 0, "%s is no longer banned", command->id.text);
    case OPERATE_RENAME:
        return say(answer, 0, "%s is now called %s", command->id.text, command->name);
    }
    return say_storage(MATCH_INTERNAL, answer);
}

int operator_line_run(struct match *match, const char *line, char answer[OPERATOR_ANSWER_SIZE])
{
    assert(match != NULL && line != NULL);
    struct match_operate *command = calloc(1, sizeof *command);
    if (command == NULL) {
        return say(answer, EXIT_INTERNAL, "no memory");
    }
    int code = parse(line, command, answer);
    if (code == 0) {
        enum match_status status = match_operate(match, command);
        if (status != MATCH_OK) {
            code = say_storage(status, answer);
        } else {
            code = command->refusal == OPERATE_DONE ? say_done(command, answer)
                                                    : say_refusal(command, answer);
        }
    }
    free(command);
    return code;
}
