#include "db/driver.h"
#include "store.h"

#include "db/lists.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Every function of db.h: what goes in comes out. */

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

TestSuite(players, .init = enter, .fini = leave);
TestSuite(games, .init = enter, .fini = leave);
TestSuite(tickets, .init = enter, .fini = leave);
TestSuite(chain, .init = enter, .fini = leave);

/* --- the server, players, devices, tokens --------------------------------------------------------
 */

Test(players, the_server_row_is_there_once)
{
    struct db_server server = {"0123456789abcdef", 5, 6};
    struct db_server found;
    cr_assert_eq(db_server_load(db, &found), DB_NONE);
    cr_assert_eq(db_server_insert(db, &server), DB_OK);
    cr_assert_eq(db_server_insert(db, &server), DB_CONFLICT);
    cr_assert_eq(db_server_load(db, &found), DB_OK);
    cr_assert_str_eq(found.key_id, server.key_id);
    cr_assert_eq(found.created_at_ms, 5);
    cr_assert_eq(found.last_stamp_ms, 6);
}

Test(players, the_stamp_never_goes_back)
{
    struct db_server server = {"0123456789abcdef", 5, 6};
    struct db_server found;
    cr_assert_eq(db_server_stamp(db, 7), DB_OK, "no server row yet is no failure");
    cr_assert_eq(db_server_insert(db, &server), DB_OK);
    cr_assert_eq(db_server_stamp(db, 9), DB_OK);
    cr_assert_eq(db_server_stamp(db, 8), DB_OK);
    cr_assert_eq(db_server_load(db, &found), DB_OK);
    cr_assert_eq(found.last_stamp_ms, 9);
}

Test(players, a_player_is_found_by_id_and_by_number)
{
    struct db_player player = {.id = {{"p_0123456789abcdefghjkmnpqrs"}},
                               .has_name = true,
                               .name = "春の香",
                               .created_at_ms = 12};
    struct db_player found;
    cr_assert_eq(db_player_insert(db, &player), DB_OK);
    cr_assert_eq(db_player_insert(db, &player), DB_CONFLICT);
    cr_assert_eq(db_player_find(db, &player.id, &found), DB_OK);
    cr_assert_eq(found.player_no, player.player_no);
    cr_assert(found.has_name);
    cr_assert_str_eq(found.name, "春の香");
    cr_assert_eq(found.created_at_ms, 12);
    cr_assert_eq(db_player_load(db, player.player_no, &found), DB_OK);
    cr_assert_str_eq(found.id.id.text, player.id.id.text);
    cr_assert_eq(db_player_load(db, player.player_no + 1, &found), DB_NONE);
}

Test(players, numbers_have_no_gaps_after_a_refused_one)
{
    int64_t aki = store_player(db, "aki");
    cr_assert_eq(db_savepoint(db), DB_OK);
    cr_assert_eq(store_player(db, "ben"), aki + 1);
    cr_assert_eq(db_rollback_to(db), DB_OK);
    cr_assert_eq(store_player(db, "cho"), aki + 1);
}

Test(players, a_token_leads_to_its_device_and_player)
{
    int64_t aki = store_player(db, "aki");
    struct db_device device = {
        .id = {{"d_0123456789abcdefghjkmnpqrs"}}, .player_no = aki, .created_at_ms = 3};
    struct db_token token = {.token_id = "1234567", .key_slot = 1, .created_at_ms = 4};
    struct db_identity found;
    memset(token.token_hash, 0x5a, sizeof token.token_hash);
    cr_assert_eq(db_device_insert(db, &device), DB_OK);
    token.device_no = device.device_no;
    cr_assert_eq(db_identity_find(db, token.token_id, &found), DB_NONE);
    cr_assert_eq(db_token_insert(db, &token), DB_OK);
    cr_assert_eq(db_identity_find(db, token.token_id, &found), DB_OK);
    cr_assert_eq(memcmp(found.token.token_id, token.token_id, sizeof token.token_id), 0);
    cr_assert_eq(memcmp(found.token.token_hash, token.token_hash, sizeof token.token_hash), 0);
    cr_assert_eq(found.token.key_slot, 1);
    cr_assert_eq(found.token.device_no, device.device_no);
    cr_assert_eq(found.token.created_at_ms, 4);
    cr_assert_str_eq(found.device_id.id.text, device.id.id.text);
    cr_assert_eq(found.player_no, aki);
    cr_assert_not_null(strstr(found.player_id.id.text, "aki"));
}

Test(players, a_device_needs_its_player)
{
    struct db_device device = {.id = {{"d_0123456789abcdefghjkmnpqrs"}}, .player_no = 7};
    cr_assert_eq(db_device_insert(db, &device), DB_CONFLICT);
}

/* --- games ---------------------------------------------------------------------------------------
 */

Test(games, a_game_comes_back_as_it_went_in)
{
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    struct db_game found;
    struct db_game again;
    int64_t game_no = store_game(db, aki, ben);
    cr_assert_eq(db_game_load(db, game_no, &found), DB_OK);
    cr_assert_str_eq(found.game, "hasami");
    cr_assert_str_eq(found.pool, "hasami");
    cr_assert(found.rated);
    cr_assert_str_eq(found.unrated_reason, "");
    cr_assert_str_eq(found.options, "win_condition=capture_5");
    cr_assert_eq(found.turn_seconds, 30);
    cr_assert_str_eq(found.player_set, "1,2");
    cr_assert_str_eq(found.status, "playing");
    cr_assert_str_eq(found.position, "start");
    cr_assert_str_eq(found.turn, "b");
    cr_assert_str_eq(found.end_reason, "");
    cr_assert_eq(found.replay_of, 0);
    cr_assert_eq(found.finished_at_ms, 0);
    cr_assert_eq(db_game_find(db, &found.id, &again), DB_OK);
    cr_assert_eq(again.game_no, game_no);
    cr_assert_eq(db_game_load(db, game_no + 1, &found), DB_NONE);
}

Test(games, seats_come_in_their_order_with_their_players)
{
    int64_t aki = store_player(db, "aki");
    int64_t game_no = store_game(db, aki, store_player(db, "ben"));
    struct db_seat cpu = {.game_no = game_no, .seat_no = 2, .seat = "n", .cpu = true};
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    cr_assert_eq(db_seat_insert(db, &cpu), DB_OK);
    cr_assert_eq(db_seats(db, game_no, seats, &count), DB_OK);
    cr_assert_eq(count, 3);
    cr_assert_eq(seats[0].player_no, aki);
    cr_assert_str_eq(seats[0].seat, "b");
    cr_assert_str_eq(seats[1].name, "ben");
    cr_assert(seats[1].has_rating && seats[1].rating_milli == 1500000);
    cr_assert(seats[2].cpu && !seats[2].has_rating && seats[2].player_no == 0);
    cr_assert(!seats[2].has_name && seats[2].place == 0);
}

Test(games, a_ply_needs_the_one_before_it)
{
    int64_t game_no = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    struct db_game next = {.game_no = game_no, .position = "x", .ply = 1, .turn = "w", .seq = 1};
    struct db_game found;
    cr_assert_eq(db_game_advance(db, &next, 1), DB_NONE);
    cr_assert_eq(db_game_advance(db, &next, 0), DB_OK);
    cr_assert_eq(db_game_advance(db, &next, 0), DB_NONE);
    cr_assert_eq(db_game_load(db, game_no, &found), DB_OK);
    cr_assert_eq(found.ply, 1);
    cr_assert_str_eq(found.turn, "w");
    cr_assert_str_eq(found.position, "x");
}

Test(games, a_second_move_for_the_same_ply_is_refused)
{
    int64_t game_no = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    struct db_move move = store_move(game_no, 1);
    cr_assert_eq(db_move_insert(db, &move), DB_OK);
    cr_assert_eq(db_move_insert(db, &move), DB_CONFLICT);
}

Test(games, moves_come_oldest_first_after_a_ply)
{
    int64_t game_no = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    struct db_move moves[2];
    size_t count = 0;
    for (uint32_t ply = 1; ply <= 5; ply++) {
        store_play(db, game_no, ply);
    }
    cr_assert_eq(db_moves(db, game_no, 2, moves, 2, &count), DB_OK);
    cr_assert_eq(count, 2);
    cr_assert_eq(moves[0].ply, 3);
    cr_assert_eq(moves[1].ply, 4);
    cr_assert_eq(db_move_load(db, game_no, 5, &moves[0]), DB_OK);
    cr_assert_str_eq(moves[0].seat, "b");
    cr_assert_str_eq(moves[0].move, "9i8i");
    cr_assert_str_eq(moves[0].captured, "5e 5f");
    cr_assert(!moves[0].by_cpu);
    cr_assert_eq(moves[0].at_ms, STORE_NOW_MS + 5);
    cr_assert_eq(moves[0].think_ms, 250);
    cr_assert_eq(db_move_load(db, game_no, 6, &moves[0]), DB_NONE);
}

Test(games, plies_of_a_seat_are_counted_with_those_of_the_cpu)
{
    int64_t game_no = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    uint32_t plies = 9;
    uint32_t cpu_plies = 9;
    struct db_move move = store_move(game_no, 3);
    store_play(db, game_no, 1);
    store_play(db, game_no, 2);
    move.by_cpu = true;
    cr_assert_eq(db_move_insert(db, &move), DB_OK);
    cr_assert_eq(db_seat_plies(db, game_no, 'b', &plies, &cpu_plies), DB_OK);
    cr_assert_eq(plies, 2);
    cr_assert_eq(cpu_plies, 1);
    cr_assert_eq(db_seat_plies(db, game_no, 'n', &plies, &cpu_plies), DB_OK);
    cr_assert_eq(plies, 0);
}

Test(games, a_finished_game_is_finished_once)
{
    int64_t game_no = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    struct db_game found;
    struct db_event events[4];
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    store_play(db, game_no, 1);
    store_finish(db, game_no);
    cr_assert_eq(db_game_load(db, game_no, &found), DB_OK);
    cr_assert_str_eq(found.status, "finished");
    cr_assert_str_eq(found.end_reason, "capture");
    cr_assert_str_eq(found.rating_status, "applied");
    cr_assert_str_eq(found.turn, "");
    cr_assert_eq(found.finished_at_ms, STORE_NOW_MS + 99);
    cr_assert_eq(db_game_finish(db, &found), DB_NONE);
    cr_assert_eq(db_seat_place(db, game_no, 0, 2), DB_CONFLICT);
    cr_assert_eq(db_events(db, game_no, 0, events, 4, &count), DB_OK);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(events[0].type, "finished");
    cr_assert_eq(events[0].seq, found.seq);
    cr_assert_eq(db_events(db, game_no, found.seq, events, 4, &count), DB_OK);
    cr_assert_eq(count, 0);
    cr_assert_eq(db_seats(db, game_no, seats, &count), DB_OK);
    cr_assert(seats[0].place == 1 && seats[1].place == 2);
}

/* A drawn game and the one that replays it. */
static int64_t replay_of(int64_t drawn, const char *id)
{
    struct db_game game;
    cr_assert_eq(db_game_load(db, drawn, &game), DB_OK);
    (void)snprintf(game.id.id.text, sizeof game.id.id.text, "%s", id);
    game.replay_of = drawn;
    cr_assert_eq(db_game_insert(db, &game), DB_OK);
    return game.game_no;
}

Test(games, a_replay_knows_how_many_draws_came_before)
{
    struct db_game found;
    uint32_t draws = 9;
    int64_t first = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    cr_assert_eq(db_game_replay(db, first, &found), DB_NONE);
    int64_t second = replay_of(first, "g_aaaaaaaaaaaaaaaaaaaaaaaaaa");
    int64_t third = replay_of(second, "g_bbbbbbbbbbbbbbbbbbbbbbbbbb");
    cr_assert_eq(db_game_replay(db, first, &found), DB_OK);
    cr_assert_eq(found.game_no, second);
    cr_assert_eq(db_chain_draws(db, first, &draws), DB_OK);
    cr_assert_eq(draws, 0);
    cr_assert_eq(db_chain_draws(db, third, &draws), DB_OK);
    cr_assert_eq(draws, 2);
    struct db_game again = found;
    (void)snprintf(again.id.id.text, sizeof again.id.id.text, "g_cccccccccccccccccccccccccc");
    cr_assert_eq(db_game_insert(db, &again), DB_CONFLICT, "one replay a game");
}

/* No server makes such rows, but whoever proves a file must come to an end with them. */
Test(games, a_chain_of_replays_that_bites_its_tail_has_an_end)
{
    uint32_t draws = 0;
    int64_t first = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    int64_t second = replay_of(first, "g_aaaaaaaaaaaaaaaaaaaaaaaaaa");
    foreign_run(
        db->handle,
        "DROP TRIGGER game_keeps_its_keys; UPDATE game SET replay_of = 2 WHERE game_no = 1");
    cr_expect_eq(db_chain_draws(db, first, &draws), DB_OK);
    cr_expect_eq(db_chain_draws(db, second, &draws), DB_OK);
    foreign_run(db->handle, "UPDATE game SET replay_of = NULL WHERE game_no = 2");
    foreign_run(db->handle, "UPDATE game SET replay_of = 1 WHERE game_no = 1");
    cr_expect_eq(db_chain_draws(db, first, &draws), DB_OK);
}

Test(games, the_repeat_limit_counts_neither_replays_nor_other_sets)
{
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    uint32_t games = 9;
    struct db_game last;
    int64_t first = store_game(db, aki, ben);
    int64_t second = store_game(db, aki, ben);
    (void)store_game(db, aki, store_player(db, "cho"));
    int64_t replay = replay_of(first, "g_aaaaaaaaaaaaaaaaaaaaaaaaaa");
    cr_assert_lt(second, replay);
    cr_assert_eq(db_recent_rated(db, "hasami", "1,2", 0, &games), DB_OK);
    cr_assert_eq(games, 2);
    cr_assert_eq(db_recent_rated(db, "hasami", "1,2", STORE_NOW_MS, &games), DB_OK);
    cr_assert_eq(games, 0);
    cr_assert_eq(db_last_meeting(db, "hasami", "1,2", &last), DB_OK);
    cr_assert_eq(last.game_no, replay);
    cr_assert_eq(db_last_meeting(db, "hasami", "2,3", &last), DB_NONE);
}

static size_t listed(const struct db_game_filter *filter, struct db_game *games)
{
    size_t count = 99;
    int64_t look_before = 99;
    cr_assert_eq(db_games(db, filter, games, 3, &count, &look_before), DB_OK);
    cr_assert_eq(look_before, 0);
    for (size_t i = 1; i < count; i++) {
        cr_assert_lt(games[i].game_no, games[i - 1].game_no, "newest first");
    }
    return count;
}

Test(games, a_list_obeys_its_filters_and_its_key)
{
    struct db_game games[3];
    size_t playing = 0;
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    int64_t cho = store_player(db, "cho");
    int64_t first = store_game(db, aki, ben);
    int64_t second = store_game(db, aki, cho);
    int64_t third = store_game(db, ben, cho);
    int64_t fourth = store_game(db, aki, ben);
    store_finish(db, second);

    cr_expect_eq(listed(&(struct db_game_filter){0}, games), 3);
    cr_expect_eq(games[0].game_no, fourth);
    cr_expect_eq(listed(&(struct db_game_filter){.before_game_no = second}, games), 1);
    cr_expect_eq(games[0].game_no, first);
    cr_expect_eq(listed(&(struct db_game_filter){.player_no = aki}, games), 3);
    cr_expect_eq(listed(&(struct db_game_filter){.player_no = aki, .opponent_no = ben}, games), 2);
    cr_expect_eq(listed(&(struct db_game_filter){.player_no = cho, .status = "playing"}, games), 1);
    cr_expect_eq(games[0].game_no, third);
    cr_expect_eq(listed(&(struct db_game_filter){.status = "finished"}, games), 1);
    cr_expect_eq(games[0].game_no, second);
    cr_expect_eq(listed(&(struct db_game_filter){.status = "playing", .game = "hasami"}, games), 3);
    cr_expect_eq(listed(&(struct db_game_filter){.status = "aborted"}, games), 0);
    cr_expect_eq(listed(&(struct db_game_filter){.game = "yonin", .pool = ""}, games), 0);
    cr_expect_eq(listed(&(struct db_game_filter){.pool = "hasami", .before_game_no = third}, games),
                 2);
    cr_assert_eq(db_games_playing_of(db, cho, &playing), DB_OK);
    cr_assert_eq(playing, 1);
    cr_assert_eq(db_games_playing_of(db, aki, &playing), DB_OK);
    cr_assert_eq(playing, 2);
}

/* Four seats: Aki and Dan meet across another's seats. */
Test(games, those_of_two_are_those_that_both_sat_in)
{
    struct db_game games[3];
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    int64_t cho = store_player(db, "cho");
    int64_t dan = store_player(db, "dan");
    int64_t first = store_game(db, aki, ben);
    int64_t four = store_game(db, aki, cho);
    struct db_seat third = {.game_no = four, .seat_no = 2, .seat = "s", .player_no = dan};
    cr_assert_eq(db_seat_insert(db, &third), DB_OK);
    (void)store_game(db, ben, cho);
    int64_t last = store_game(db, ben, aki);
    store_finish(db, last);

    struct db_game_filter both = {.player_no = aki, .opponent_no = ben};
    cr_expect_eq(listed(&both, games), 2);
    cr_expect(games[0].game_no == last && games[1].game_no == first);
    both.before_game_no = last; /* which is in the list itself */
    cr_expect_eq(listed(&both, games), 1);
    cr_expect_eq(games[0].game_no, first);
    both = (struct db_game_filter){.player_no = ben, .opponent_no = aki, .status = "playing"};
    cr_expect_eq(listed(&both, games), 1);
    cr_expect_eq(games[0].game_no, first);
    both.status = "finished";
    cr_expect_eq(listed(&both, games), 1);
    cr_expect_eq(games[0].game_no, last);
    both = (struct db_game_filter){.player_no = dan, .opponent_no = aki};
    cr_expect_eq(listed(&both, games), 1);
    cr_expect_eq(games[0].game_no, four);
    both.opponent_no = ben;
    cr_expect_eq(listed(&both, games), 0);
}

Test(games, numbers_come_in_pages)
{
    int64_t numbers[2] = {0, 0};
    size_t count = 0;
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    int64_t first = store_game(db, aki, ben);
    int64_t second = store_game(db, aki, ben);
    int64_t third = store_game(db, aki, ben);
    cr_assert_eq(db_game_numbers(db, 0, numbers, 2, &count), DB_OK);
    cr_assert(count == 2 && numbers[0] == first && numbers[1] == second);
    cr_assert_eq(db_game_numbers(db, second, numbers, 2, &count), DB_OK);
    cr_assert(count == 1 && numbers[0] == third);
}

/* --- tickets -------------------------------------------------------------------------------------
 */

static struct db_ticket ticket_of(int64_t player_no, char last)
{
    struct db_ticket ticket = {.id = {{"q_aaaaaaaaaaaaaaaaaaaaaaaaaa"}},
                               .player_no = player_no,
                               .pool = "hasami",
                               .turn_seconds = 30,
                               .rating_milli = 1500000,
                               .status = "waiting",
                               .created_at_ms = 4};
    ticket.id.id.text[27] = last;
    return ticket;
}

Test(tickets, a_player_waits_once)
{
    int64_t aki = store_player(db, "aki");
    struct db_ticket ticket = ticket_of(aki, 'a');
    struct db_ticket second = ticket_of(aki, 'b');
    struct db_ticket found;
    cr_assert_eq(db_ticket_waiting_of(db, aki, &found), DB_NONE);
    cr_assert_eq(db_ticket_insert(db, &ticket), DB_OK);
    cr_assert_eq(db_ticket_insert(db, &second), DB_CONFLICT);
    cr_assert_eq(db_ticket_waiting_of(db, aki, &found), DB_OK);
    cr_assert_eq(found.ticket_no, ticket.ticket_no);
    cr_assert_str_eq(found.pool, "hasami");
    cr_assert_eq(found.turn_seconds, 30);
    cr_assert_eq(found.ended_at_ms, 0);
    (void)snprintf(ticket.status, sizeof ticket.status, "cancelled");
    ticket.ended_at_ms = 9;
    cr_assert_eq(db_ticket_end(db, &ticket), DB_OK);
    cr_assert_eq(db_ticket_end(db, &ticket), DB_NONE);
    cr_assert_eq(db_ticket_insert(db, &second), DB_OK);
}

Test(tickets, a_matched_one_names_its_game)
{
    int64_t aki = store_player(db, "aki");
    int64_t game_no = store_game(db, aki, store_player(db, "ben"));
    struct db_ticket ticket = ticket_of(aki, 'a');
    struct db_ticket found;
    cr_assert_eq(db_ticket_insert(db, &ticket), DB_OK);
    (void)snprintf(ticket.status, sizeof ticket.status, "matched");
    ticket.game_no = game_no;
    ticket.seat[0] = 'b';
    ticket.ended_at_ms = 9;
    cr_assert_eq(db_ticket_end(db, &ticket), DB_OK);
    cr_assert_eq(db_ticket_find(db, &ticket.id, &found), DB_OK);
    cr_assert_str_eq(found.status, "matched");
    cr_assert_eq(found.game_no, game_no);
    cr_assert_eq(strncmp(found.game_id.id.text, "g_", 2), 0);
    cr_assert_str_eq(found.seat, "b");
}

Test(tickets, those_that_wait_come_oldest_first)
{
    struct db_ticket tickets[4];
    size_t count = 0;
    struct db_ticket a = ticket_of(store_player(db, "aki"), 'a');
    struct db_ticket b = ticket_of(store_player(db, "ben"), 'b');
    struct db_ticket c = ticket_of(store_player(db, "cho"), 'c');
    b.turn_seconds = 60;
    cr_assert_eq(db_ticket_insert(db, &a), DB_OK);
    cr_assert_eq(db_ticket_insert(db, &b), DB_OK);
    cr_assert_eq(db_ticket_insert(db, &c), DB_OK);
    b.ended_at_ms = 9;
    (void)snprintf(b.status, sizeof b.status, "cancelled");
    cr_assert_eq(db_ticket_end(db, &b), DB_OK);
    cr_assert_eq(db_tickets_waiting(db, 0, tickets, 4, &count), DB_OK);
    cr_assert(count == 2 && tickets[0].ticket_no == a.ticket_no);
    cr_assert_eq(tickets[1].ticket_no, c.ticket_no);
    cr_assert_eq(db_tickets_waiting(db, a.ticket_no, tickets, 4, &count), DB_OK);
    cr_assert(count == 1 && tickets[0].ticket_no == c.ticket_no);
    cr_assert_eq(db_tickets_newest(db, tickets, 2, &count), DB_OK);
    cr_assert(count == 2 && tickets[0].ticket_no == c.ticket_no);
    cr_assert_eq(tickets[1].ticket_no, b.ticket_no);
}

Test(tickets, a_matched_one_keeps_its_window_and_the_spread_of_its_board)
{
    struct db_ticket found;
    struct db_ticket tickets[3];
    int64_t aki = store_player(db, "aki");
    int64_t ben = store_player(db, "ben");
    int64_t game_no = store_game(db, aki, ben);
    const char *const ends[] = {"matched", "matched", "expired"};
    for (size_t i = 0; i < 3; i++) {
        struct db_ticket *ticket = &tickets[i];
        *ticket = ticket_of(i == 0 ? aki : ben, (char)('a' + i));
        cr_assert_eq(db_ticket_insert(db, ticket), DB_OK);
        (void)snprintf(ticket->status, sizeof ticket->status, "%s", ends[i]);
        ticket->game_no = i < 2 ? game_no : 0;
        (void)snprintf(ticket->seat, sizeof ticket->seat, "%s", i < 2 ? "b" : "");
        ticket->ended_at_ms = 9;
        ticket->window_milli = i == 0 ? 123456 : 0;
        ticket->spread_milli = i == 0 ? 23456 : 0;
        cr_assert_eq(db_ticket_end(db, ticket), DB_OK);
    }
    cr_assert_eq(db_ticket_load(db, tickets[0].ticket_no, &found), DB_OK);
    cr_expect_eq(found.window_milli, 123456);
    cr_expect_eq(found.spread_milli, 23456);
    sqlite3 *foreign = db->handle;
    cr_expect_eq(foreign_int(foreign, "SELECT count(*) FROM ticket WHERE window_milli IS NULL"), 2);
    cr_expect_eq(foreign_int(foreign, "SELECT count(*) FROM ticket WHERE spread_milli IS NULL"), 1,
                 "equal ratings are a spread, an end without a game is none");
    cr_assert_eq(db_ticket_load(db, 99, &found), DB_NONE);
}

/* --- the chain -----------------------------------------------------------------------------------
 */

Test(chain, links_follow_one_another)
{
    struct db_link found[2];
    size_t count = 9;
    int64_t game_no = store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    struct db_link link = {.kind = "ended", .game_no = game_no, .at_ms = 4};
    struct db_link restored = {.kind = "restored", .at_ms = 5};
    memset(link.hash, 0x11, sizeof link.hash);
    cr_assert_eq(db_chain_last(db, &found[0]), DB_NONE);
    cr_assert_eq(db_chain_insert(db, &link), DB_OK);
    cr_assert_eq(db_chain_insert(db, &link), DB_CONFLICT, "a game ends once");
    cr_assert_eq(db_chain_insert(db, &restored), DB_OK);
    cr_assert_eq(restored.link, link.link + 1);
    cr_assert_eq(db_chain_last(db, &found[0]), DB_OK);
    cr_assert(found[0].link == restored.link && found[0].game_no == 0);
    cr_assert_eq(db_chain(db, 0, found, 2, &count), DB_OK);
    cr_assert_eq(count, 2);
    cr_assert_eq(memcmp(found[0].hash, link.hash, sizeof link.hash), 0);
    cr_assert_eq(db_chain(db, restored.link, found, 2, &count), DB_OK);
    cr_assert_eq(count, 0);
}
