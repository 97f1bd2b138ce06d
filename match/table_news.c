#include "table_news.h"

#include "personal.h"

#include <assert.h>

void table_news_note(struct table_news *news, int64_t player_no)
{
    for (size_t i = 0; i < news->count; i++) {
        if (news->players[i] == player_no) {
            return;
        }
    }
    assert(news->count < LIMIT_TABLE_MEMBERS);
    news->players[news->count++] = player_no;
}

void tables_news_add(struct tables_news *all, const struct table_news *news)
{
    if (news->table_no != 0) {
        assert(all->count < LIMIT_TABLES_JOINED);
        all->at[all->count++] = *news;
    }
}

void table_news_publish(struct match *match, const struct table_news *news)
{
    if (news->table_no == 0) {
        return;
    }
    events_publish(match->events, EVENT_TABLE, news->table_no);
    for (size_t i = 0; i < news->count; i++) {
        personal_publish(match, news->players[i]);
    }
}

void tables_news_publish(struct match *match, const struct tables_news *all)
{
    for (size_t i = 0; i < all->count; i++) {
        table_news_publish(match, &all->at[i]);
    }
}
