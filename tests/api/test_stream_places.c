#include "api/stream_places.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MAX = 100 };

static struct budget_owner device(int64_t device_no)
{
    return (struct budget_owner){.device_no = device_no};
}

static struct budget_owner address(const char *text)
{
    struct budget_owner owner = {.device_no = 0};
    cr_assert(address_parse(text, strlen(text), &owner.address));
    return owner;
}

/* As many as there are for this one; their places are in `taken`. */
static size_t fill(struct stream_places *places, struct budget_owner owner,
                   struct stream_place taken[MAX], enum place_status *refusal)
{
    size_t count = 0;
    while (count < MAX &&
           (*refusal = stream_place_take(places, &owner, &taken[count])) == PLACE_TAKEN) {
        count++;
    }
    return count;
}

static void leave(struct stream_places *places, struct stream_place *taken, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        stream_place_leave(places, &taken[i]);
    }
}

Test(stream_places, a_device_has_six_and_an_address_thirty_two)
{
    enum place_status refusal;
    struct stream_place one[MAX];
    struct stream_place other[MAX];
    struct stream_places *places = stream_places_new(MAX, true);
    cr_expect_eq(fill(places, device(1), one, &refusal), STREAMS_OF_DEVICE);
    cr_expect_eq(refusal, PLACE_NONE_FOR_OWNER);
    cr_expect_eq(fill(places, address("192.0.2.1"), other, &refusal), STREAMS_OF_ADDRESS);
    cr_expect_eq(refusal, PLACE_NONE_FOR_OWNER);
    cr_expect_eq(stream_places_taken(places), STREAMS_OF_DEVICE + STREAMS_OF_ADDRESS);
    leave(places, one + 2, 1); /* from the middle */
    struct budget_owner again = device(1);
    cr_expect_eq(stream_place_take(places, &again, &one[2]), PLACE_TAKEN);
    cr_expect_eq(stream_place_take(places, &again, &one[STREAMS_OF_DEVICE]), PLACE_NONE_FOR_OWNER);
    leave(places, one, STREAMS_OF_DEVICE);
    leave(places, other, STREAMS_OF_ADDRESS);
    cr_expect_eq(stream_places_taken(places), 0);
    stream_places_free(places);
}

Test(stream_places, what_one_subscriber_has_counts_together)
{
    enum place_status refusal;
    struct stream_place taken[MAX];
    struct stream_place more;
    struct stream_places *places = stream_places_new(MAX, true);
    struct budget_owner neighbour = address("2001:db8::ffff");
    struct budget_owner stranger = address("2001:db8:0:1::1");
    cr_expect_eq(fill(places, address("2001:db8::1"), taken, &refusal), STREAMS_OF_ADDRESS);
    cr_expect_eq(stream_place_take(places, &neighbour, &more), PLACE_NONE_FOR_OWNER);
    cr_expect_eq(stream_place_take(places, &stranger, &more), PLACE_TAKEN);
    leave(places, &more, 1);
    leave(places, taken, STREAMS_OF_ADDRESS);
    stream_places_free(places);
}

Test(stream_places, who_is_exempt_or_not_limited_still_counts_in_all)
{
    enum place_status refusal;
    struct stream_place taken[MAX];
    struct budget_owner exempt = address("127.0.0.1");
    exempt.exempt = true;
    struct stream_places *places = stream_places_new(MAX - 1, true);
    cr_expect_eq(fill(places, exempt, taken, &refusal), MAX - 1);
    cr_expect_eq(refusal, PLACE_NONE_AT_ALL);
    leave(places, taken, MAX - 1);
    stream_places_free(places);
    places = stream_places_new(MAX - 1, false);
    cr_expect_eq(fill(places, device(1), taken, &refusal), MAX - 1);
    cr_expect_eq(refusal, PLACE_NONE_AT_ALL);
    leave(places, taken, MAX - 1);
    stream_places_free(places);
}

Test(stream_places, long_polls_count_in_all_while_they_wait)
{
    enum place_status refusal;
    struct stream_place taken[MAX];
    struct stream_place last[MAX];
    struct stream_places *places = stream_places_new(STREAMS_OF_DEVICE, true);
    cr_expect(stream_places_wait(places));
    cr_expect(stream_places_wait(places));
    cr_expect_eq(stream_places_taken(places), 0);
    cr_expect_eq(fill(places, device(1), taken, &refusal), STREAMS_OF_DEVICE - 2);
    cr_expect_eq(refusal, PLACE_NONE_AT_ALL);
    cr_expect_not(stream_places_wait(places));
    stream_places_waited(places);
    cr_expect_eq(fill(places, device(1), last, &refusal), 1);
    cr_expect_not(stream_places_wait(places));
    leave(places, taken, STREAMS_OF_DEVICE - 2);
    leave(places, last, 1);
    stream_places_waited(places);
    stream_places_free(places);
}
