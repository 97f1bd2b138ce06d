-- Banzuke, migration 7: what the public lists need to begin anywhere without walking there.

-- A name as it is searched: Unicode case folding, which SQL does not know, in NFC. The server writes
-- it with every new name, and within moments wherever it finds a name without it, such as all that
-- were there before this migration. NULL: not written yet, or erased.
ALTER TABLE player ADD COLUMN name_folded TEXT;
CREATE INDEX player_by_folded_name ON player (name_folded, player_id)
WHERE name_folded IS NOT NULL;
CREATE INDEX player_not_folded ON player (name_folded)
WHERE name_folded IS NULL AND name IS NOT NULL;

-- Nobody is found by a name of the past: whoever changes a name folds the new one after it.
CREATE TRIGGER player_is_folded_again AFTER UPDATE OF name ON player
WHEN NEW.name IS NOT OLD.name AND NEW.name_folded IS NOT NULL
BEGIN
    UPDATE player SET name_folded = NULL WHERE player_no = NEW.player_no;
END;

-- Games in the order of their row numbers, for every combination of filters that has no player in it.
CREATE INDEX game_of_pool_status ON game (pool, status);
CREATE INDEX game_of_game ON game (game);
CREATE INDEX game_of_game_status ON game (game, status);

-- The links of finished games, in the order of the chain, by what the feed of results is filtered by.
-- An aborted game has a link too, but is no result. Kept by a trigger.
CREATE TABLE result_feed (
    link INTEGER NOT NULL PRIMARY KEY REFERENCES chain_link,
    pool TEXT REFERENCES pool -- NULL: local rules
) STRICT;
CREATE INDEX result_feed_of_pool ON result_feed (pool);
INSERT INTO result_feed (link, pool)
SELECT l.link, g.pool FROM chain_link AS l JOIN game AS g ON g.game_no = l.game_no
WHERE l.kind IN ('ended', 'voided') AND g.status = 'finished' ORDER BY l.link;
CREATE TRIGGER chain_link_is_fed AFTER INSERT ON chain_link WHEN NEW.kind IN ('ended', 'voided')
BEGIN
    INSERT INTO result_feed (link, pool)
    SELECT NEW.link, pool FROM game WHERE game_no = NEW.game_no AND status = 'finished';
END;

-- A player's rating history is read by time.
CREATE INDEX rating_event_of_player_by_time ON rating_event (player_no, pool, at_ms);
