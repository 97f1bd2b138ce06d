-- Banzuke, migration 9: what operators do.

-- A banned player's tokens are refused and the ratings are in no ranking; NULL: not banned.
ALTER TABLE player ADD COLUMN banned_at_ms INTEGER;

-- When `banzuke backup` made this copy; NULL: the original. The next start on a copy says so in the
-- chain and goes on as the original.
ALTER TABLE server ADD COLUMN copied_at_ms INTEGER;

-- One row a deed. Names are not in it, so that erasing a player leaves none behind.
CREATE TABLE operator_event (
    event_no  INTEGER NOT NULL PRIMARY KEY,
    at_ms     INTEGER NOT NULL,
    what      TEXT    NOT NULL CHECK (what IN ('void-game', 'ban', 'unban', 'rename', 'restore')),
    player_no INTEGER REFERENCES player, -- ban, unban, rename
    game_no   INTEGER REFERENCES game, -- void-game
    note      TEXT CHECK (length(note) BETWEEN 1 AND 200), -- the reason; restore: of when the copy is
    CHECK ((what IN ('ban', 'unban', 'rename')) = (player_no IS NOT NULL)),
    CHECK ((what = 'void-game') = (game_no IS NOT NULL))
) STRICT;
CREATE INDEX operator_event_of_player ON operator_event (player_no, event_no)
    WHERE player_no IS NOT NULL;
CREATE INDEX operator_event_of_game ON operator_event (game_no) WHERE game_no IS NOT NULL;

CREATE TRIGGER operator_event_never_changes BEFORE UPDATE ON operator_event
BEGIN SELECT RAISE(ABORT, 'an operator event never changes'); END;
CREATE TRIGGER operator_event_is_kept BEFORE DELETE ON operator_event
BEGIN SELECT RAISE(ABORT, 'an operator event is never deleted'); END;
CREATE TRIGGER operator_event_is_new BEFORE INSERT ON operator_event
WHEN EXISTS (SELECT 1 FROM operator_event WHERE event_no = NEW.event_no)
BEGIN SELECT RAISE(ABORT, 'an operator event never changes'); END;

-- One row a deed, with names as they are now.
CREATE VIEW operator_log AS
SELECT
    strftime('%Y-%m-%d %H:%M:%S', e.at_ms / 1000, 'unixepoch') AS at_utc,
    strftime('%Y-%m-%d %H:%M:%S', e.at_ms / 1000, 'unixepoch', 'localtime') AS at_local,
    e.what AS what,
    p.player_id AS player_id,
    p.name AS name,
    g.game_id AS game_id,
    e.note AS note
FROM operator_event AS e
LEFT JOIN player AS p ON p.player_no = e.player_no
LEFT JOIN game AS g ON g.game_no = e.game_no;
