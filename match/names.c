#include "names.h"

#include "limits.h"
#include "name_words.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

enum {
    /* No allowed character is longer in any spelling that NFC brings to it, and none grows to more
     * than threefold in NFC: longer texts need no work to be refused. */
    SPELLING_BYTES_MAX = 16,
    TEXT_BYTES_MAX = LIMIT_NAME_CHARACTERS * SPELLING_BYTES_MAX,
    NFC_BYTES_MAX = TEXT_BYTES_MAX * 3,
};

static_assert(DB_NAME_TEXT == LIMIT_NAME_CHARACTERS * 4 + 1, "any name fits its column");

/* A name as characters. */
struct letters {
    size_t count;
    ucs4_t at[LIMIT_NAME_CHARACTERS];
};

static bool complain(struct text_error *error, const char *complaint)
{
    int length = snprintf(error->text, sizeof error->text, "%s", complaint);
    assert(length > 0 && (size_t)length < sizeof error->text);
    return false;
}

/* NFC into `text`; false: not UTF-8 or far too long. */
static bool to_nfc(const char *name, size_t length, uint8_t text[NFC_BYTES_MAX], size_t *count,
                   struct text_error *error)
{
    const uint8_t *bytes = (const uint8_t *)name;
    if (length > TEXT_BYTES_MAX) {
        return complain(error, "A name has at most 24 characters; this one is far longer.");
    }
    if (u8_check(bytes, length) != NULL) {
        return complain(error, "A name is UTF-8 text; this one is not.");
    }
    *count = NFC_BYTES_MAX;
    uint8_t *normal = u8_normalize(UNINORM_NFC, bytes, length, text, count);
    if (normal != text) { /* no memory to sort a long run of marks; no name needs one */
        free(normal);
        return complain(error, "A name that cannot be brought to normal form cannot be taken.");
    }
    return true;
}

static bool to_letters(const uint8_t *text, size_t count, struct letters *letters,
                       struct text_error *error)
{
    size_t characters = u8_mbsnlen(text, count);
    if (characters == 0) {
        return complain(error, "A name has at least one character.");
    }
    if (characters > LIMIT_NAME_CHARACTERS) {
        (void)snprintf(error->text, sizeof error->text,
                       "A name has at most %d characters; this one has %zu.", LIMIT_NAME_CHARACTERS,
                       characters);
        return false;
    }
    letters->count = characters;
    size_t at = 0;
    for (size_t i = 0; i < characters; i++) {
        int used = u8_mbtouc(&letters->at[i], text + at, count - at);
        assert(used > 0);
        at += (size_t)used;
    }
    assert(at == count);
    return true;
}

static bool is_between(ucs4_t letter, ucs4_t first, ucs4_t last)
{
    return letter >= first && letter <= last;
}

/* Upper, lower and title case letters of the blocks that European and Vietnamese alphabets use:
 * neither full-width forms nor phonetic signs nor what looks like a stroke. */
static bool is_latin(ucs4_t letter)
{
    bool in_block = letter <= 0x24F || is_between(letter, 0x1E00, 0x1EFF);
    return in_block && uc_is_general_category(letter, UC_CASED_LETTER) &&
           uc_is_script(letter, uc_script_byname("Latin"));
}

static bool is_japanese_or_ideograph(ucs4_t letter)
{
    return is_between(letter, 0x3041, 0x3096) || /* hiragana */
           is_between(letter, 0x30A1, 0x30FA) || /* katakana */
           letter == 0x30FC ||                   /* the long vowel */
           letter == 0x3005 ||                   /* the repeated ideograph */
           uc_is_property_unified_ideograph(letter);
}

static bool is_separator(ucs4_t letter)
{
    return letter == ' ' || letter == '-' || letter == '_' || letter == '.';
}

static bool is_allowed(ucs4_t letter)
{
    return is_separator(letter) || is_between(letter, '0', '9') || is_latin(letter) ||
           is_japanese_or_ideograph(letter);
}

static bool check_letters(const struct letters *letters, struct text_error *error)
{
    for (size_t i = 0; i < letters->count; i++) {
        if (!is_allowed(letters->at[i])) {
            (void)snprintf(error->text, sizeof error->text,
                           "Character %zu, U+%04X, is not allowed: Latin letters, 0-9, kana, CJK "
                           "ideographs, and inside blank, hyphen, underscore, full stop.",
                           i + 1, (unsigned)letters->at[i]);
            return false;
        }
    }
    return true;
}

static bool check_separators(const struct letters *letters, struct text_error *error)
{
    assert(letters->count > 0);
    if (is_separator(letters->at[0])) {
        return complain(error,
                        "A name does not begin with a blank, hyphen, underscore or full stop.");
    }
    if (is_separator(letters->at[letters->count - 1])) {
        return complain(error,
                        "A name does not end with a blank, hyphen, underscore or full stop.");
    }
    for (size_t i = 1; i < letters->count; i++) {
        if (is_separator(letters->at[i - 1]) && is_separator(letters->at[i])) {
            (void)snprintf(error->text, sizeof error->text,
                           "A blank, hyphen, underscore or full stop stands alone; characters %zu "
                           "and %zu are two of them.",
                           i, i + 1);
            return false;
        }
    }
    return true;
}

/* By both cases: the long s has the upper case of s, the dotless i that of i. */
static bool is_word(const struct letters *letters, const char *word)
{
    if (letters->count != strlen(word)) {
        return false;
    }
    for (size_t i = 0; i < letters->count; i++) {
        ucs4_t letter = (unsigned char)word[i];
        if (uc_tolower(letters->at[i]) != letter &&
            uc_toupper(letters->at[i]) != uc_toupper(letter)) {
            return false;
        }
    }
    return true;
}

static bool check_reserved(const struct letters *letters, struct text_error *error)
{
    static const char *const reserved[] = {"admin", "banzuke",  "cpu",   "moderator",
                                           "null",  "operator", "system"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (is_word(letters, reserved[i])) {
            (void)snprintf(error->text, sizeof error->text, "The name \"%s\" is reserved.",
                           reserved[i]);
            return false;
        }
    }
    return true;
}

bool name_normalise(const char *text, size_t length, char name[DB_NAME_TEXT],
                    struct text_error *error)
{
    assert((text != NULL || length == 0) && error != NULL);
    uint8_t normal[NFC_BYTES_MAX];
    size_t count = 0;
    struct letters letters = {.count = 0};
    if (!to_nfc(text, length, normal, &count, error) ||
        !to_letters(normal, count, &letters, error) || !check_letters(&letters, error) ||
        !check_separators(&letters, error) || !check_reserved(&letters, error)) {
        return false;
    }
    assert(count < DB_NAME_TEXT);
    memcpy(name, normal, count);
    name[count] = '\0';
    return true;
}

bool name_fold(const char *text, size_t length, char folded[DB_FOLDED_TEXT])
{
    uint8_t normal[NFC_BYTES_MAX];
    struct text_error error;
    size_t count = 0;
    struct letters letters = {.count = 0};
    if (!to_nfc(text, length, normal, &count, &error) ||
        !to_letters(normal, count, &letters, &error)) {
        return false;
    }
    size_t room = DB_FOLDED_TEXT - 1;
    uint8_t *result = u8_casefold(normal, count, NULL, UNINORM_NFC, (uint8_t *)folded, &room);
    if (result != (uint8_t *)folded) { /* no memory; sixteen bytes for each letter are enough */
        free(result);
        return false;
    }
    assert(room > 0 && room < DB_FOLDED_TEXT);
    folded[room] = '\0';
    return true;
}

void name_generate(const struct match_env *env, char name[DB_NAME_TEXT])
{
    const char *adjective = name_adjectives[env_draw(env, NAME_ADJECTIVES)];
    const char *noun = name_nouns[env_draw(env, NAME_NOUNS)];
    unsigned number = env_draw(env, NAME_NUMBER_MAX) + 1;
    int length = snprintf(name, DB_NAME_TEXT, "%s %s %u", adjective, noun, number);
    assert(length > 0 && length <= LIMIT_NAME_CHARACTERS);
}
