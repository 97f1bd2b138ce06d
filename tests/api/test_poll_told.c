#include "api/poll_told.h"

#include <criterion/criterion.h>

static struct told told_of(int64_t game_no, uint32_t number)
{
    struct told told = {.count = 0};
    told_add(&told, game_no, number);
    return told;
}

Test(poll_told, a_device_finds_what_its_last_poll_of_the_kind_told)
{
    struct told found;
    struct poll_told *polls = poll_told_new();
    struct told first = told_of(7, 3);
    struct told second = told_of(7, 4);
    cr_expect(poll_told_get(polls, 1, false, &found));
    cr_expect_eq(found.count, 0, "a free place: nothing was told");
    poll_told_put(polls, 1, false, &first);
    cr_expect(poll_told_get(polls, 1, true, &found));
    cr_expect_eq(found.count, 0, "of another kind");
    cr_expect(poll_told_get(polls, 2, false, &found));
    cr_expect_eq(found.count, 0, "of another device");
    poll_told_put(polls, 1, false, &second);
    cr_expect(poll_told_get(polls, 1, false, &found));
    cr_expect(told_has(&found, 7, 4));
    cr_expect_not(told_has(&found, 7, 3));
    cr_expect_not(told_has(&found, 8, 4));
    poll_told_free(polls);
}

Test(poll_told, whoever_shares_a_place_takes_it_and_what_the_other_was_told_is_not_known)
{
    enum { FAR = 2048 };
    struct told found;
    struct poll_told *polls = poll_told_new();
    struct told first = told_of(7, 3);
    struct told second = told_of(8, 1);
    poll_told_put(polls, 1, true, &first);
    poll_told_put(polls, 1 + FAR, true, &second);
    cr_expect_not(poll_told_get(polls, 1, true, &found));
    cr_expect_eq(found.count, 0);
    cr_expect(poll_told_get(polls, 1 + FAR, true, &found));
    cr_expect(told_has(&found, 8, 1));
    poll_told_free(polls);
}

Test(poll_told, what_is_too_much_is_forgotten)
{
    struct told told = {.count = 0};
    for (uint32_t i = 0; i <= TOLD_GAMES; i++) {
        told_add(&told, 1 + i, 1);
    }
    cr_expect_eq(told.count, TOLD_GAMES);
    cr_expect(told_has(&told, TOLD_GAMES, 1));
    cr_expect_not(told_has(&told, TOLD_GAMES + 1, 1));
}
