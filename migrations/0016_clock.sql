-- Banzuke, migration 16: deadlines, and seats in the hands of the CPU.

-- Until when the running turn lasts. Kept while the CPU plays for the seat, for whose owner may come
-- back. NULL: no turn time, or over.
ALTER TABLE game ADD COLUMN deadline_at_ms INTEGER;
-- What the answer to the move said of the turn after it. NULL: no deadline.
ALTER TABLE move ADD COLUMN deadline_at_ms INTEGER;

-- Own turns in a row that the owner let pass; a move of the owner's begins anew.
ALTER TABLE seat ADD COLUMN missed_turns INTEGER NOT NULL DEFAULT 0 CHECK (missed_turns >= 0);
-- The level that plays while the CPU has the seat. NULL: it has not.
ALTER TABLE seat ADD COLUMN cpu_level INTEGER CHECK (cpu_level BETWEEN 1 AND 8);

-- Of the types `clock` and `seat`: the deadline of the running turn from then on. NULL: none.
ALTER TABLE game_event ADD COLUMN deadline_at_ms INTEGER;
-- Of the type `seat`: the level that plays from then on. NULL: the owner does.
ALTER TABLE game_event ADD COLUMN cpu_level INTEGER CHECK (cpu_level BETWEEN 1 AND 8);
