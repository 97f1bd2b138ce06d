#include "ear.h"

#include "match/service.h"

#include <criterion/criterion.h>

static void tell(void *context)
{
    atomic_fetch_add(&((struct ear *)context)->told, 1);
}

void ear_listen(struct stage *stage, struct ear *ear, int64_t player_no)
{
    cr_assert_eq(match_personal_seq(stage->match, player_no, &ear->seq), MATCH_OK);
    atomic_init(&ear->told, 0);
    ear->waiter = (struct event_waiter){.deadline_ms = INT64_MAX, .wake = tell, .context = ear};
    match_watch(stage->match, EVENT_PLAYER, player_no, &ear->waiter);
}

void ear_expect(struct stage *stage, struct ear *ear, int64_t player_no, bool told, const char *of)
{
    struct db_personal events[8];
    size_t count = 0;
    cr_assert_eq(match_personal(stage->match, player_no, ear->seq, events, 8, &count), MATCH_OK);
    cr_expect_eq(count > 0, told, "%s: %zu events", of, count);
    cr_expect_eq(atomic_load(&ear->told), told, "%s", of);
    (void)match_unwatch(stage->match, &ear->waiter);
}
