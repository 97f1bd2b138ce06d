#include "store.h"

#include "db/lists.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Players in the order of their folded names. */

static struct db *db;

static void enter(void)
{
    store_enter();
    db = store_open();
}

static void leave(void)
{
    store_close(db);
    store_leave();
}

TestSuite(player_names, .init = enter, .fini = leave);

/* A player with an id of its own; `folded` "": as an older build would have stored it. */
static int64_t add(const char *name, const char *folded)
{
    static int number;
    struct db_player player = {.has_name = true, .created_at_ms = 7};
    /* Ids fall while rows grow, so that one cannot stand for the other. */
    (void)snprintf(player.id.id.text, sizeof player.id.id.text, "p_%026d", 1000 - ++number);
    (void)snprintf(player.name, sizeof player.name, "%s", name);
    (void)snprintf(player.name_folded, sizeof player.name_folded, "%s", folded);
    cr_assert_eq(db_player_insert(db, &player), DB_OK);
    return player.player_no;
}

/* The names of a range, each followed by a blank. */
static const char *named(const char *folded, const char *id, const char *below)
{
    static char text[256];
    struct db_player players[8];
    size_t count = 0;
    struct db_name_range range = {folded, id, below};
    cr_assert_eq(db_players_named(db, &range, players, 8, &count), DB_OK);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        strncat(text, players[i].name, sizeof text - strlen(text) - 1);
        strncat(text, " ", sizeof text - strlen(text) - 1);
    }
    return text;
}

static size_t not_folded(struct db_player *players)
{
    size_t count = 0;
    cr_assert_eq(db_players_not_folded(db, players, 8, &count), DB_OK);
    return count;
}

Test(player_names, come_in_order_of_folded_name_then_id)
{
    add("Haru", "haru");
    add("Akiko", "akiko");
    add("HARU", "haru");
    add("haruka", "haruka");
    add("Hasu", "hasu");
    cr_expect_str_eq(named("haru", "", "haru~"), "HARU Haru haruka ");
    cr_expect_str_eq(named("haru", "p_00000000000000000000000997", "haru~"), "Haru haruka ");
    cr_expect_str_eq(named("haru", "p_00000000000000000000000999", "haru~"), "haruka ");
    cr_expect_str_eq(named("a", "", "i"), "Akiko HARU Haru haruka Hasu ");
    cr_expect_str_eq(named("x", "", "x~"), "");
}

Test(player_names, that_were_not_folded_are_found_and_folded)
{
    struct db_player players[8];
    int64_t old = add("Old", "");
    add("New", "new");
    cr_expect_str_eq(named("a", "", "~"), "New ");
    cr_assert_eq(not_folded(players), 1);
    cr_assert_eq(players[0].player_no, old);
    (void)snprintf(players[0].name_folded, sizeof players[0].name_folded, "old");
    cr_assert_eq(db_player_fold(db, &players[0]), DB_OK);
    cr_expect_str_eq(named("a", "", "~"), "New Old ");
    cr_assert_eq(not_folded(players), 0);
}

Test(player_names, that_have_changed_meanwhile_are_not_folded)
{
    struct db_player players[8];
    add("Old", "");
    cr_assert_eq(not_folded(players), 1);
    foreign_run(db->handle, "UPDATE player SET name = 'Other'");
    (void)snprintf(players[0].name_folded, sizeof players[0].name_folded, "old");
    cr_assert_eq(db_player_fold(db, &players[0]), DB_NONE);
    cr_expect_str_eq(named("a", "", "~"), "");
    cr_assert_eq(not_folded(players), 1);
}

Test(player_names, of_the_past_find_nobody)
{
    struct db_player players[8];
    add("Haru", "haru");
    add("Akiko", "akiko");
    foreign_run(db->handle, "UPDATE player SET name = 'Boris' WHERE name = 'Haru'");
    cr_expect_str_eq(named("a", "", "~"), "Akiko ");
    cr_expect_eq(not_folded(players), 1, "the new one is to be folded");
    foreign_run(db->handle, "UPDATE player SET name = NULL WHERE name = 'Akiko'");
    cr_expect_str_eq(named("a", "", "~"), "");
    cr_expect_eq(not_folded(players), 1, "an erased one is not");
    cr_expect_eq(foreign_int(db->handle, "SELECT count(name_folded) FROM player"), 0);
}
