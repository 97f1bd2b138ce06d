-- Banzuke, migration 8: how often what a pool's rankings show has changed.
--
-- Answers are named after it, so that a client which has one learns by a single row that it is
-- still the present one. Whatever shows in a ranking has to raise it: every standing, and names,
-- which show in all pools, also beside a player who was never rated.

ALTER TABLE pool ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER pool_revised_by_entry AFTER INSERT ON player_rating
BEGIN
    UPDATE pool SET revision = revision + 1 WHERE pool = NEW.pool;
END;
CREATE TRIGGER pool_revised_by_change AFTER UPDATE ON player_rating
BEGIN
    UPDATE pool SET revision = revision + 1 WHERE pool = NEW.pool;
END;
CREATE TRIGGER pool_revised_by_leave AFTER DELETE ON player_rating
BEGIN
    UPDATE pool SET revision = revision + 1 WHERE pool = OLD.pool;
END;
CREATE TRIGGER pool_revised_by_name AFTER UPDATE OF name ON player
WHEN NEW.name IS NOT OLD.name
BEGIN
    UPDATE pool SET revision = revision + 1;
END;
