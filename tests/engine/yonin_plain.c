#include "yonin_plain.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char seats[] = "swne";

/* --- reading and writing --------------------------------------------------------------------- */

static const char *read_cells(struct plain *plain, const char *c)
{
    size_t square = 0;

    while (*c != ' ') {
        if (*c == '/') {
            c++;
        } else if (*c >= '1' && *c <= '9') {
            square += (size_t)(*c++ - '0');
        } else {
            const size_t named = *c == '+' ? 3 : 2;
            const size_t length = named + (c[named] != '\0' && strchr("swne-", c[named]) != NULL);

            cr_assert(square < RULES_SQUARES && length < PLAIN_CELL_MAX);
            memcpy(plain->cells[square++], c, length);
            c += length;
        }
    }
    cr_assert_eq(square, RULES_SQUARES);
    return c + 1;
}

static const char *read_field(const char *c, char end, char field[PLAIN_FIELD_MAX])
{
    size_t length = 0;

    while (*c != end) {
        cr_assert(*c != '\0' && length + 1 < PLAIN_FIELD_MAX);
        field[length++] = *c++;
    }
    field[length] = '\0';
    return c + 1;
}

struct plain plain_of(const struct position *position)
{
    struct plain plain;
    char text[RULES_POSITION_TEXT_MAX];
    char turn[PLAIN_FIELD_MAX];

    memset(&plain, 0, sizeof plain);
    (void)yonin()->format_position(position, text);
    const char *c = read_cells(&plain, text);
    for (size_t i = 0; i < 4; i++) {
        c = read_field(c, i < 3 ? '/' : ' ', plain.hands[i]);
    }
    c = read_field(c, ' ', turn);
    plain.turn = turn[0];
    c = read_field(c, ' ', plain.mates);
    c = read_field(c, ' ', plain.givers);
    plain.ply = strtoul(c, NULL, 10);
    return plain;
}

void plain_text(const struct plain *plain, char text[RULES_POSITION_TEXT_MAX])
{
    size_t length = 0;

    for (size_t square = 0; square < RULES_SQUARES; square++) {
        if (square > 0 && square % 9 == 0) {
            text[length++] = '/';
        }
        if (plain->cells[square][0] != '\0') {
            memcpy(text + length, plain->cells[square], strlen(plain->cells[square]));
            length += strlen(plain->cells[square]);
        } else if (square % 9 > 0 && text[length - 1] >= '1' && text[length - 1] <= '8') {
            text[length - 1]++;
        } else {
            text[length++] = '1';
        }
    }
    (void)snprintf(text + length, RULES_POSITION_TEXT_MAX - length, " %s/%s/%s/%s %c %s %s %lu",
                   plain->hands[0], plain->hands[1], plain->hands[2], plain->hands[3], plain->turn,
                   plain->mates, plain->givers, plain->ply);
}

unsigned plain_count(const struct plain *plain, char letter)
{
    unsigned count = 0;

    for (size_t square = 0; square < RULES_SQUARES; square++) {
        const char *cell = plain->cells[square];

        count += cell[cell[0] == '+'] == letter;
    }
    for (size_t seat = 0; seat < 4; seat++) {
        const char *found = strchr(plain->hands[seat], letter);
        const char *digits = found;

        if (found == NULL) {
            continue;
        }
        while (digits > plain->hands[seat] && digits[-1] >= '0' && digits[-1] <= '9') {
            digits--;
        }
        count += digits == found ? 1 : (unsigned)strtoul(digits, NULL, 10);
    }
    return count;
}

/* --- a quarter turn -------------------------------------------------------------------------- */

int plain_turned_seat(int seat)
{
    return seat == RULES_SEAT_NONE ? seat : (seat + 1) % 4;
}

static char turned_letter(char letter)
{
    const int seat = rules_seat(yonin(), letter);

    if (seat == RULES_SEAT_NONE) {
        return letter;
    }
    return seats[(seat + 1) % 4];
}

static void turn_letters(char *text)
{
    for (; *text != '\0'; text++) {
        *text = turned_letter(*text);
    }
}

static uint8_t turned_square(uint8_t square)
{
    return (uint8_t)(square % 9 * 9 + 8 - square / 9);
}

/* Givers stand in the order of the seats in check, which the turn shifts by one. */
static void sort_givers(char givers[PLAIN_FIELD_MAX])
{
    char sorted[PLAIN_FIELD_MAX] = "";

    for (size_t seat = 0; seat < 4; seat++) {
        for (size_t at = 0; at + 2 < strlen(givers); at += 4) {
            if (givers[at] == seats[seat]) {
                const size_t length = strlen(sorted);

                (void)snprintf(sorted + length, sizeof sorted - length, "%s%.3s",
                               length > 0 ? "," : "", givers + at);
            }
        }
    }
    if (sorted[0] != '\0') {
        memcpy(givers, sorted, sizeof sorted);
    }
}

struct plain plain_turned(const struct plain *plain)
{
    struct plain turned = *plain;

    for (uint8_t square = 0; square < SQUARES; square++) {
        char *cell = turned.cells[turned_square(square)];

        memcpy(cell, plain->cells[square], PLAIN_CELL_MAX);
        turn_letters(cell);
    }
    for (size_t seat = 0; seat < 4; seat++) {
        memcpy(turned.hands[(seat + 1) % 4], plain->hands[seat], PLAIN_FIELD_MAX);
    }
    turned.turn = turned_letter(plain->turn);
    turn_letters(turned.mates);
    turn_letters(turned.givers);
    sort_givers(turned.givers);
    return turned;
}

struct move plain_turned_move(struct move move)
{
    char text[RULES_MOVE_TEXT_MAX];

    yonin()->format_move(move, text);
    for (size_t at = text[1] == '*' ? 2 : 0; at <= 2; at += 2) {
        const uint8_t square = (uint8_t)((text[at + 1] - 'a') * 9 + '9' - text[at]);
        char turned[3];

        square_format(turned_square(square), turned);
        memcpy(text + at, turned, 2);
    }
    return move_of(yonin(), text);
}

/* --- random games ---------------------------------------------------------------------------- */

void play_random(struct playout *playout, struct chance *chance)
{
    const struct history history = playout_history(playout);
    struct move_list moves;

    yonin()->legal_moves(&playout->position, &playout->options, &history, &moves);
    cr_assert(moves.count > 0);
    playout_move(playout, moves.at[chance_below(chance, (uint32_t)moves.count)]);
}

void for_each_random_ply(unsigned games, void (*check)(const struct playout *playout))
{
    static const char *const rules[] = {
        "",
        "ending=last_survivor",
        "format=pairs",
        "orphaned_pieces=ownerless",
        "ending=last_survivor orphaned_pieces=ownerless",
        "format=pairs move_limit=150",
        "ending=last_survivor move_limit=400",
    };
    struct chance chance = {4};
    struct playout playout;

    for (unsigned game = 0; game < games; game++) {
        const struct game_options options =
            options_of(yonin(), rules[game % (sizeof rules / sizeof rules[0])]);
        struct position start;

        yonin()->start(&start);
        playout_start(&playout, yonin(), &options, start);
        check(&playout);
        while (playout.outcome.reason == END_NONE && playout.count < 600) {
            play_random(&playout, &chance);
            check(&playout);
        }
    }
}
