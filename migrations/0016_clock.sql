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

-- + places, for a game of four has no single loser; deadline_utc, cpu_seats.
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
        WHERE s.game_no = g.game_no AND s.control = 'cpu') AS cpu_seats
FROM game AS g;
