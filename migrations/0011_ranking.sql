-- Banzuke, migration 11: a place in the ranking without a walk through the file.

-- The order of a list, with all that a row of it shows. Neighbours in rank lie side by side here and
-- anywhere in `player_rating`: without these columns every row is a page of its own to be read. They
-- change when the rating does, so the index is written no more often than before.
DROP INDEX player_rating_order;
CREATE INDEX player_rating_order ON player_rating (
    pool, list, rating_milli DESC, player_no,
    games, wins, draws, losses, place_1, place_2, place_3, place_4, last_game_at_ms
);
