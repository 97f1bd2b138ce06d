#include "match/name_words.h"
#include "match/names.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistr.h>

/* A seeded generator: the same names on every run. */
struct seeded {
    uint64_t state;
};

static void seeded_random(void *context, void *bytes, size_t count)
{
    struct seeded *seeded = context;
    unsigned char *out = bytes;
    for (size_t i = 0; i < count; i++) {
        seeded->state =
            seeded->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        out[i] = (unsigned char)(seeded->state >> 56);
    }
}

static void all_ones(void *context, void *bytes, size_t count)
{
    (void)context;
    memset(bytes, 0xff, count);
}

static void all_zeros(void *context, void *bytes, size_t count)
{
    (void)context;
    memset(bytes, 0, count);
}

static void expect_name(const char *text, const char *expected)
{
    char name[DB_NAME_TEXT] = "untouched";
    struct text_error error = {""};
    cr_expect(name_normalise(text, strlen(text), name, &error), "\"%s\": %s", text, error.text);
    cr_expect_str_eq(name, expected);
}

/* `reason` is part of the complaint. */
static void expect_bytes_refused(const char *text, size_t length, const char *reason)
{
    char name[DB_NAME_TEXT] = "untouched";
    struct text_error error = {""};
    cr_expect_not(name_normalise(text, length, name, &error), "\"%s\" was taken", text);
    cr_expect_not_null(strstr(error.text, reason), "\"%s\": %s", text, error.text);
    cr_expect_str_eq(name, "untouched");
}

static void expect_refused(const char *text, const char *reason)
{
    expect_bytes_refused(text, strlen(text), reason);
}

static void repeat(const char *letter, size_t times, char *text)
{
    size_t length = strlen(letter);
    for (size_t i = 0; i < times; i++) {
        memcpy(text + i * length, letter, length);
    }
    text[times * length] = '\0';
}

static bool is_taken(uint32_t letter)
{
    uint8_t text[6];
    char name[DB_NAME_TEXT];
    struct text_error error;
    int length = u8_uctomb(text, letter, sizeof text);
    return length > 0 && name_normalise((const char *)text, (size_t)length, name, &error);
}

Test(names, letters_digits_kana_and_ideographs_are_taken)
{
    static const char *const taken[] = {
        "a",      "Z",        "7",      "Ana",      "Iñaki", "Łukasz", "Đặng",       "Ǆ",
        "さくら", "コーヒー", "佐々木", "山田太郎", "𠮷野",  "花子2",  "Ana さくら", "a-b_c.d e"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        expect_name(taken[i], taken[i]);
    }
}

Test(names, a_name_is_brought_to_nfc_and_answered_so)
{
    expect_name("Jose\u0301", "Jos\u00e9");
    expect_name("u\u0308\u0304", "\u01d6");
    expect_name("\u304b\u3099", "\u304c");
    expect_name("\u212bngstro\u0308m", "\u00c5ngstr\u00f6m");
    expect_name("\uf900", "\u8c48");
}

Test(names, characters_are_counted_after_nfc)
{
    char decomposed[24 * 3 + 1];
    char composed[24 * 2 + 1];
    repeat("e\u0301", 24, decomposed);
    repeat("\u00e9", 24, composed);
    expect_name(decomposed, composed);
}

Test(names, twenty_four_characters_are_the_most)
{
    expect_name("abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx");
    expect_refused("abcdefghijklmnopqrstuvwxy", "at most 24 characters; this one has 25");
    char wide[25 * 4 + 1];
    repeat("\U00020bb7", 24, wide);
    expect_name(wide, wide);
    repeat("\U00020bb7", 25, wide);
    expect_refused(wide, "at most 24 characters; this one has 25");
}

Test(names, a_very_long_text_is_refused_at_once)
{
    char text[4096];
    memset(text, 'a', sizeof text);
    expect_bytes_refused(text, sizeof text, "at most 24 characters");
    expect_bytes_refused(text, 385, "far longer");
    expect_bytes_refused(text, 384, "this one has 384");
}

Test(names, an_empty_name_is_refused)
{
    expect_refused("", "at least one character");
}

Test(names, what_is_not_utf_8_is_refused)
{
    expect_bytes_refused("a\xff", 2, "not");
    expect_bytes_refused("\xc3", 1, "UTF-8");
    expect_bytes_refused("\xc0\xaf", 2, "UTF-8");
    expect_bytes_refused("\xed\xa0\x80", 3, "UTF-8");
    expect_bytes_refused("\xf4\x90\x80\x80", 4, "UTF-8");
}

Test(names, a_nul_inside_is_refused)
{
    expect_bytes_refused("a\0b", 3, "Character 2, U+0000");
}

Test(names, anything_but_the_allowed_characters_is_refused_by_its_number)
{
    static const struct {
        const char *text;
        const char *reason;
    } refused[] = {
        {"a\tb",          "U+0009" }, /* control */
        {"a\nb",          "U+000A" },
        {"a\xc2\x85",     "U+0085" },
        {"a\u00a0b",      "U+00A0" }, /* another blank */
        {"a\u3000b",      "U+3000" }, /* the wide blank */
        {"a\u200bb",      "U+200B" }, /* no width */
        {"a\u200db",      "U+200D" }, /* joiner */
        {"a\u202eb",      "U+202E" }, /* bidi */
        {"a\u2066b",      "U+2066" },
        {"\ufeffa",       "U+FEFF" }, /* byte order mark */
        {"a\uffff",       "U+FFFF" },
        {"x\u0301",       "U+0301" }, /* a mark that joins nothing */
        {"e\u0301\u0301", "U+0301" },
        {"\u304b\u309a",  "U+309A" },
        {"\U0001f600",    "U+1F600"}, /* emoji */
        {"a!",            "U+0021" },
        {"<b>",           "U+003C" },
        {"a/b",           "U+002F" },
        {"a'b",           "U+0027" },
        {"a@b",           "U+0040" },
        {"\u0430",        "U+0430" }, /* Cyrillic a */
        {"\u03b1",        "U+03B1" }, /* Greek alpha */
        {"\u05d0",        "U+05D0" }, /* Hebrew */
        {"\uac00",        "U+AC00" }, /* Hangul */
        {"\u0661",        "U+0661" }, /* Arabic digit */
        {"\uff11",        "U+FF11" }, /* wide digit */
        {"\uff21",        "U+FF21" }, /* wide letter */
        {"\uff76",        "U+FF76" }, /* narrow kana */
        {"\u00b2",        "U+00B2" }, /* raised digit */
        {"\u00aa",        "U+00AA" }, /* raised letter */
        {"\u00b5",        "U+00B5" }, /* micro sign */
        {"\u2163",        "U+2163" }, /* Roman numeral */
        {"\ufb01",        "U+FB01" }, /* ligature */
        {"\u01c0",        "U+01C0" }, /* a click that looks like a stroke */
        {"\u30fb",        "U+30FB" }, /* middle dot */
        {"\u309b",        "U+309B" }, /* sound mark alone */
        {"\u3007",        "U+3007" }, /* ideographic zero */
        {"\u2f00",        "U+2F00" }, /* radical */
        {"\u00d7",        "U+00D7" }, /* times */
        {"\U000e0041",    "U+E0041"}, /* tag */
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        expect_refused(refused[i].text, refused[i].reason);
    }
}

Test(names, only_the_promised_characters_are_names_of_their_own)
{
    size_t ascii = 0;
    size_t kana = 0;
    for (uint32_t letter = 0; letter < 0x110000; letter++) {
        bool taken = is_taken(letter);
        ascii += taken && letter < 0x80;
        kana += taken && letter >= 0x3040 && letter < 0x3100;
        cr_expect(
            !taken || letter < 0x250 || (letter >= 0x1e00 && letter < 0x1f00) || letter == 0x212a ||
                letter == 0x212b || letter == 0x3005 || (letter >= 0x3041 && letter <= 0x30fc) ||
                (letter >= 0x3400 && letter < 0xa000) || (letter >= 0xf900 && letter < 0xfb00) ||
                (letter >= 0x20000 && letter < 0x32000),
            "U+%04X", (unsigned)letter);
    }
    cr_expect_eq(ascii, 26 + 26 + 10);
    cr_expect_eq(kana, 86 + 90 + 1);
}

Test(names, a_separator_at_the_start_is_refused)
{
    expect_refused(" a", "does not begin with");
    expect_refused("-a", "does not begin with");
    expect_refused("_a", "does not begin with");
    expect_refused(".a", "does not begin with");
    expect_refused(" ", "does not begin with");
}

Test(names, a_separator_at_the_end_is_refused)
{
    expect_refused("a ", "does not end with");
    expect_refused("a-", "does not end with");
    expect_refused("a_", "does not end with");
    expect_refused("a.", "does not end with");
}

Test(names, any_two_separators_together_are_refused)
{
    static const char separators[] = " -_.";
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            char text[] = {'a', separators[i], separators[j], 'b', '\0'};
            expect_refused(text, "characters 2 and 3 are two of them");
        }
    }
}

Test(names, reserved_words_are_refused_in_any_case)
{
    static const char *const reserved[] = {
        "admin",     "Admin", "ADMIN",    "banzuke",  "BanZuke", "cpu",    "CPU",
        "moderator", "null",  "OPERATOR", "operator", "system",  "System", "sYsTeM",
    };
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        expect_refused(reserved[i], "is reserved");
    }
}

Test(names, letters_whose_case_is_that_of_a_reserved_word_do_not_pass)
{
    expect_refused("\u017fystem", "\"system\" is reserved");
    expect_refused("adm\u0131n", "\"admin\" is reserved");
    expect_refused("ADM\u0130N", "\"admin\" is reserved");
    expect_refused("BANZU\u212aE", "\"banzuke\" is reserved");
}

Test(names, a_name_that_only_holds_a_reserved_word_is_taken)
{
    expect_name("admins", "admins");
    expect_name("cpu 2", "cpu 2");
    expect_name("nul", "nul");
    expect_name("\u00e0dmin", "\u00e0dmin");
}

Test(names, an_accepted_name_is_accepted_again_unchanged)
{
    struct seeded seeded = {.state = 7};
    static const uint32_t letters[] = {'a',   'Z',   '5',    ' ',    '-',    '_',    '.',    0xe9,
                                       0x301, 0x308, 0x304b, 0x3099, 0x30fc, 0x4e00, 0x3005, 0x1d6};
    for (int round = 0; round < 20000; round++) {
        uint8_t text[128];
        size_t length = 0;
        unsigned char picks[12];
        seeded_random(&seeded, picks, sizeof picks);
        for (size_t i = 0; i < 1U + picks[0] % 11U; i++) {
            length += (size_t)u8_uctomb(text + length, letters[picks[i + 1] % 16], 8);
        }
        char name[DB_NAME_TEXT];
        struct text_error error;
        if (name_normalise((const char *)text, length, name, &error)) {
            expect_name(name, name);
        } else {
            cr_expect(strlen(error.text) > 10 && strlen(error.text) < sizeof error.text);
        }
    }
}

/* --- folding -------------------------------------------------------------------------------------
 */

static void expect_folded(const char *text, const char *expected)
{
    char folded[DB_FOLDED_TEXT] = "";
    cr_expect(name_fold(text, strlen(text), folded), "\"%s\"", text);
    cr_expect_str_eq(folded, expected);
}

Test(names, are_compared_without_regard_to_case)
{
    expect_folded("Haru", "haru");
    expect_folded("HARU-2", "haru-2");
    expect_folded("\u00c9mile", "\u00e9mile");
    expect_folded("E\u0301mile", "\u00e9mile");
    expect_folded("Stra\u00dfe", "strasse");
    expect_folded("STRA\u1e9eE", "strasse");
    expect_folded("\u0130zmir", "i\u0307zmir");
    expect_folded("\u01f0", "\u01f0");
    expect_folded("\u6625", "\u6625");
    expect_folded("\u30cf\u3099", "\u30d0");
}

Test(names, whose_folded_form_is_folded_stay_as_they_are)
{
    struct seeded seeded = {.state = 7};
    struct match_env env = {.random = seeded_random, .context = &seeded};
    for (int i = 0; i < 500; i++) {
        char name[DB_NAME_TEXT];
        char folded[DB_FOLDED_TEXT];
        name_generate(&env, name);
        cr_assert(name_fold(name, strlen(name), folded));
        expect_folded(folded, folded);
    }
}

Test(names, fold_into_their_room_whatever_the_characters)
{
    /* Each becomes three characters. */
    char text[24 * 4 + 1];
    char folded[DB_FOLDED_TEXT];
    repeat("\ufb03", 24, text);
    cr_expect(name_fold(text, strlen(text), folded));
    cr_expect_eq(strlen(folded), 72);
    repeat("\u1fb7", 24, text);
    cr_expect(name_fold(text, strlen(text), folded));
    repeat("\U0001d160", 24, text);
    cr_expect_not(name_fold(text, strlen(text), folded), "over 24 characters in normal form");
}

Test(names, of_no_length_or_too_great_a_one_are_not_folded)
{
    char folded[DB_FOLDED_TEXT];
    char text[26];
    cr_expect_not(name_fold("", 0, folded));
    cr_expect_not(name_fold("\xff", 1, folded));
    repeat("a", 25, text);
    cr_expect_not(name_fold(text, 25, folded));
    cr_expect(name_fold(text, 24, folded));
}

/* --- generated names -----------------------------------------------------------------------------
 */

Test(names, every_pair_of_words_makes_a_valid_name)
{
    for (size_t i = 0; i < NAME_ADJECTIVES; i++) {
        for (size_t j = 0; j < NAME_NOUNS; j++) {
            char name[DB_NAME_TEXT];
            (void)snprintf(name, sizeof name, "%s %s %d", name_adjectives[i], name_nouns[j],
                           NAME_NUMBER_MAX);
            expect_name(name, name);
        }
    }
}

Test(names, no_word_is_listed_twice)
{
    for (size_t i = 1; i < NAME_ADJECTIVES; i++) {
        cr_expect_lt(strcmp(name_adjectives[i - 1], name_adjectives[i]), 0);
    }
    for (size_t i = 1; i < NAME_NOUNS; i++) {
        cr_expect_lt(strcmp(name_nouns[i - 1], name_nouns[i]), 0);
    }
    cr_expect(NAME_ADJECTIVES >= 64 && NAME_NOUNS >= 64);
}

Test(names, the_ends_of_chance_give_the_ends_of_the_lists)
{
    char name[DB_NAME_TEXT];
    struct match_env zeros = {.random = all_zeros};
    name_generate(&zeros, name);
    cr_expect_str_eq(name, "Able Acacia 1");
    struct match_env ones = {.random = all_ones};
    name_generate(&ones, name);
    cr_expect_str_eq(name, "Witty Yew 999");
}

Test(names, generated_names_are_valid_and_seldom_equal)
{
    struct seeded seeded = {.state = 42};
    struct match_env env = {.random = seeded_random, .context = &seeded};
    char previous[DB_NAME_TEXT] = "";
    size_t repeats = 0;
    for (int i = 0; i < 5000; i++) {
        char name[DB_NAME_TEXT];
        name_generate(&env, name);
        expect_name(name, name);
        repeats += strcmp(name, previous) == 0;
        memcpy(previous, name, sizeof previous);
    }
    cr_expect_eq(repeats, 0);
}
