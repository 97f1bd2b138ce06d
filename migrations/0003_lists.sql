-- Banzuke, migration 3: what the public lists need to begin anywhere without walking there.

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
