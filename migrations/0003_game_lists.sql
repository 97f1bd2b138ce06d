-- Banzuke, migration 3: lists of games by status and by pool, and a player's undecided games,
-- without walking past all the others.

CREATE INDEX game_of_status ON game (status);
CREATE INDEX game_of_pool ON game (pool);
CREATE INDEX seat_undecided ON seat (player_no) WHERE place IS NULL;
