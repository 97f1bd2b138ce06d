-- Banzuke, migration 19: tables, where groups play game after game by rules of their own; rematches.

-- Rules and state are those of the next game, or of the one that is running. Whoever reads this file
-- without its key cannot join: the invite code is made from the id with the key, and only a keyed
-- hash of it is here, by which a table is found.
CREATE TABLE game_table (
    table_no         INTEGER NOT NULL PRIMARY KEY,
    table_id         TEXT    NOT NULL UNIQUE CHECK (table_id GLOB 't_*' AND length(table_id) = 28),
    code_hash        BLOB    NOT NULL CHECK (length(code_hash) = 16),
    game             TEXT    NOT NULL CHECK (game IN ('hasami', 'yonin')),
    options          TEXT    NOT NULL, -- name=value, separated by blanks
    turn_seconds     INTEGER NOT NULL CHECK (turn_seconds >= 0), -- 0: no turn time
    public           INTEGER NOT NULL CHECK (public IN (0, 1)),
    show_legal_moves INTEGER NOT NULL CHECK (show_legal_moves IN (0, 1)),
    rotate_first     INTEGER NOT NULL CHECK (rotate_first IN (0, 1)),
    rated            INTEGER NOT NULL CHECK (rated IN (0, 1)),
    status           TEXT    NOT NULL CHECK (status IN ('open', 'playing', 'closed')),
    host_no          INTEGER REFERENCES player, -- NULL: closed, nobody is left
    game_no          INTEGER REFERENCES game, -- the one that is running
    games            INTEGER NOT NULL CHECK (games >= 0), -- that began here
    revision         INTEGER NOT NULL CHECK (revision >= 1), -- counts changes
    created_at_ms    INTEGER NOT NULL,
    changed_at_ms    INTEGER NOT NULL CHECK (changed_at_ms >= created_at_ms),
    CHECK ((status = 'playing') = (game_no IS NOT NULL)),
    CHECK ((status = 'closed') = (host_no IS NULL)),
    CHECK (rated = 0 OR (public = 1 AND turn_seconds > 0))
) STRICT;
CREATE UNIQUE INDEX game_table_of_code ON game_table (code_hash) WHERE status <> 'closed';
CREATE INDEX game_table_listed ON game_table (public, status);
CREATE INDEX game_table_of_host ON game_table (host_no);
CREATE INDEX game_table_idle ON game_table (changed_at_ms) WHERE status = 'open';
CREATE INDEX game_table_unplayed ON game_table (changed_at_ms) WHERE status = 'closed' AND games = 0;

-- Who belongs to a table, seated or watching.
CREATE TABLE table_member (
    table_no     INTEGER NOT NULL REFERENCES game_table,
    player_no    INTEGER NOT NULL REFERENCES player,
    member_no    INTEGER NOT NULL CHECK (member_no >= 1), -- the lowest is the longest member
    joined_at_ms INTEGER NOT NULL,
    PRIMARY KEY (table_no, player_no),
    UNIQUE (table_no, member_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX table_member_of_player ON table_member (player_no, table_no DESC);

-- Who sits where in the next game, or in the one that is running; an empty seat has no row.
CREATE TABLE table_seat (
    table_no  INTEGER NOT NULL REFERENCES game_table,
    seat_no   INTEGER NOT NULL CHECK (seat_no BETWEEN 0 AND 3), -- order of play
    player_no INTEGER, -- NULL: the CPU
    cpu_level INTEGER CHECK (cpu_level BETWEEN 1 AND 8),
    PRIMARY KEY (table_no, seat_no),
    UNIQUE (table_no, player_no),
    FOREIGN KEY (table_no, player_no) REFERENCES table_member,
    CHECK ((player_no IS NULL) = (cpu_level IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- What a game has from its table, for good. Private: for the table's members and its own players.
ALTER TABLE game ADD COLUMN table_no INTEGER REFERENCES game_table;
ALTER TABLE game ADD COLUMN private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1));
ALTER TABLE game ADD COLUMN show_legal_moves INTEGER NOT NULL DEFAULT 1
    CHECK (show_legal_moves IN (0, 1));
ALTER TABLE game ADD COLUMN rotate_first INTEGER NOT NULL DEFAULT 1 CHECK (rotate_first IN (0, 1));
CREATE INDEX game_of_table ON game (table_no) WHERE table_no IS NOT NULL;

CREATE TRIGGER game_keeps_its_table
BEFORE UPDATE OF table_no, private, show_legal_moves, rotate_first ON game
BEGIN SELECT RAISE(ABORT, 'a game keeps what it has from its table'); END;

-- A game that the same people agreed on after the end of another one; of that there is one rematch.
ALTER TABLE game ADD COLUMN rematch_of INTEGER REFERENCES game;
CREATE UNIQUE INDEX game_rematch ON game (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE TRIGGER game_has_one_rematch BEFORE INSERT ON game
WHEN EXISTS (SELECT 1 FROM game WHERE rematch_of = NEW.rematch_of)
BEGIN SELECT RAISE(ABORT, 'a game is never replaced'); END;
CREATE TRIGGER game_keeps_its_rematch BEFORE UPDATE OF rematch_of ON game
BEGIN SELECT RAISE(ABORT, 'a game keeps its keys'); END;

-- Who has asked for a rematch of an ended game, as long as the others may still agree, or have.
CREATE TABLE rematch_ask (
    game_no     INTEGER NOT NULL,
    seat_no     INTEGER NOT NULL,
    asked_at_ms INTEGER NOT NULL,
    PRIMARY KEY (game_no, seat_no),
    FOREIGN KEY (game_no, seat_no) REFERENCES seat
) STRICT, WITHOUT ROWID;

-- How often the others were told that a seat's owner asks, so that they are not told without end.
CREATE TABLE rematch_news (
    game_no  INTEGER NOT NULL,
    seat_no  INTEGER NOT NULL,
    asks     INTEGER NOT NULL CHECK (asks BETWEEN 1 AND 4),
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (game_no, seat_no),
    FOREIGN KEY (game_no, seat_no) REFERENCES seat
) STRICT, WITHOUT ROWID;

-- The lists of everybody's games have no private ones, however many there are.
DROP INDEX game_of_pool;
DROP INDEX game_of_pool_status;
DROP INDEX game_of_game;
DROP INDEX game_of_game_status;
CREATE INDEX game_listed ON game (private);
CREATE INDEX game_listed_of_status ON game (status) WHERE private = 0;
CREATE INDEX game_listed_of_pool ON game (pool) WHERE private = 0;
CREATE INDEX game_listed_of_pool_status ON game (pool, status) WHERE private = 0;
CREATE INDEX game_listed_of_game ON game (game) WHERE private = 0;
CREATE INDEX game_listed_of_game_status ON game (game, status) WHERE private = 0;

-- Nor has the feed of results.
DROP TRIGGER chain_link_is_fed;
CREATE TRIGGER chain_link_is_fed AFTER INSERT ON chain_link WHEN NEW.kind IN ('ended', 'voided')
BEGIN
    INSERT INTO result_feed (link, pool)
    SELECT NEW.link, pool FROM game
    WHERE game_no = NEW.game_no AND status = 'finished' AND private = 0;
END;

-- One row a table.
CREATE VIEW table_summary AS
SELECT
    t.table_id AS table_id,
    t.game AS game,
    t.status AS status,
    t.public AS public,
    t.rated AS rated,
    (SELECT coalesce(p.name, p.player_id) FROM player AS p WHERE p.player_no = t.host_no) AS host,
    (SELECT count(*) FROM table_member AS m WHERE m.table_no = t.table_no) AS members,
    (SELECT group_concat(seat, ', ') FROM (
        SELECT substr(CASE t.game WHEN 'hasami' THEN 'bw' ELSE 'swne' END, s.seat_no + 1, 1)
            || ': ' || coalesce(p.name, p.player_id, 'cpu ' || s.cpu_level) AS seat
        FROM table_seat AS s LEFT JOIN player AS p ON p.player_no = s.player_no
        WHERE s.table_no = t.table_no ORDER BY s.seat_no)) AS seats,
    t.games AS games,
    (SELECT g.game_id FROM game AS g WHERE g.game_no = t.game_no) AS game_id,
    t.options AS options,
    t.turn_seconds AS turn_seconds,
    t.show_legal_moves AS show_legal_moves,
    t.rotate_first AS rotate_first,
    strftime('%Y-%m-%d %H:%M:%S', t.created_at_ms / 1000, 'unixepoch') AS created_utc,
    strftime('%Y-%m-%d %H:%M:%S', t.changed_at_ms / 1000, 'unixepoch') AS changed_utc
FROM game_table AS t;

-- + places, for a game of four has no single loser; deadline_utc, cpu_seats; what the game came from
-- and led to.
DROP VIEW game_summary;
CREATE VIEW game_summary AS
SELECT
    g.game_id AS game_id,
    g.game AS game,
    g.pool AS pool,
    g.status AS status,
    (SELECT group_concat(s.seat || ': ' || coalesce(p.name, p.player_id, 'cpu'), ', ')
        FROM seat AS s LEFT JOIN player AS p ON p.player_no = s.player_no
        WHERE s.game_no = g.game_no) AS players,
    CASE WHEN g.status = 'playing' THEN NULL
        ELSE coalesce((SELECT group_concat(coalesce(p.name, p.player_id, 'cpu'), ', ')
            FROM seat AS s LEFT JOIN player AS p ON p.player_no = s.player_no
            WHERE s.game_no = g.game_no AND s.place = 1
                AND EXISTS (SELECT 1 FROM seat AS o WHERE o.game_no = g.game_no AND o.place > 1)),
            CASE WHEN g.status = 'finished' THEN 'draw' END) END AS winners,
    g.end_reason AS end_reason,
    g.ply AS plies,
    g.rated AS rated,
    g.unrated_reason AS unrated_reason,
    CASE WHEN EXISTS (SELECT 1 FROM rating_event AS e
            WHERE e.game_no = g.game_no AND e.seat_no = 0 AND e.kind = 'void') THEN 'void'
        ELSE g.rating_status END AS rating_status,
    g.options AS options,
    g.turn_seconds AS turn_seconds,
    g.position AS position,
    (SELECT o.game_id FROM game AS o WHERE o.game_no = g.replay_of) AS replay_of,
    (SELECT o.game_id FROM game AS o WHERE o.replay_of = g.game_no) AS replayed_by,
    strftime('%Y-%m-%d %H:%M:%S', g.created_at_ms / 1000, 'unixepoch') AS created_utc,
    strftime('%Y-%m-%d %H:%M:%S', g.created_at_ms / 1000, 'unixepoch', 'localtime') AS created_local,
    strftime('%Y-%m-%d %H:%M:%S', g.finished_at_ms / 1000, 'unixepoch') AS finished_utc,
    strftime('%Y-%m-%d %H:%M:%S', g.finished_at_ms / 1000, 'unixepoch', 'localtime') AS finished_local,
    (SELECT group_concat(s.seat || ' ' || s.place, ', ')
        FROM seat AS s WHERE s.game_no = g.game_no) AS places,
    CASE WHEN EXISTS (SELECT 1 FROM seat AS s
            WHERE s.game_no = g.game_no AND s.seat = g.turn AND s.control = 'player')
        THEN strftime('%Y-%m-%d %H:%M:%S', g.deadline_at_ms / 1000, 'unixepoch') END AS deadline_utc,
    (SELECT group_concat(s.seat, ' ') FROM seat AS s
        WHERE s.game_no = g.game_no AND s.control = 'cpu') AS cpu_seats,
    (SELECT o.game_id FROM game AS o WHERE o.game_no = g.rematch_of) AS rematch_of,
    (SELECT o.game_id FROM game AS o WHERE o.rematch_of = g.game_no) AS rematched_by,
    (SELECT t.table_id FROM game_table AS t WHERE t.table_no = g.table_no) AS table_id
FROM game AS g;
