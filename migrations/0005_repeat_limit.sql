-- Banzuke, migration 5: the repeat limit counts a set's rated games of the last 24 hours. Who goes on
-- playing beyond the limit has any number of games that are not rated; they are not looked through.
CREATE INDEX game_rated_of_set ON game (player_set, pool, created_at_ms)
WHERE rated = 1 AND replay_of IS NULL;
