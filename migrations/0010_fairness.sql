-- Banzuke, migration 10: what a person looks at who wonders whether games are fair.

-- Players whose registrations came from the same network (IPv4 /24, IPv6 /56) in the same hour have
-- the same batch: the number of the first of them. No row: not known, or erased.
CREATE TABLE registration_batch (
    player_no INTEGER NOT NULL PRIMARY KEY REFERENCES player,
    batch_no  INTEGER NOT NULL REFERENCES player
) STRICT;
CREATE INDEX registration_batch_players ON registration_batch (batch_no);

-- How later ones find the first: a keyed hash of network and hour, for two days.
CREATE TABLE registration_origin (
    origin_hash     BLOB    NOT NULL PRIMARY KEY CHECK (length(origin_hash) = 16),
    hour            INTEGER NOT NULL, -- since 1970, UTC
    first_player_no INTEGER NOT NULL REFERENCES player
) STRICT, WITHOUT ROWID;
CREATE INDEX registration_origin_by_age ON registration_origin (hour);

CREATE INDEX ticket_of_game ON ticket (game_no) WHERE game_no IS NOT NULL;

-- One row a seat of a game that the queue has made, or that replays one.
CREATE VIEW game_fairness AS
SELECT
    g.game_id AS game_id,
    g.pool AS pool,
    g.status AS status,
    g.rated AS rated,
    strftime('%Y-%m-%d %H:%M:%S', g.created_at_ms / 1000, 'unixepoch') AS created_utc,
    s.seat AS seat,
    p.player_id AS player_id,
    p.name AS name,
    (SELECT (t.ended_at_ms - t.created_at_ms) / 1000.0 FROM ticket AS t
        WHERE t.game_no = g.game_no AND t.player_no = s.player_no) AS wait_seconds,
    s.rating_milli / 1000.0 AS rating,
    (s.rating_milli - (SELECT avg(o.rating_milli) FROM seat AS o
        WHERE o.game_no = g.game_no AND o.seat_no <> s.seat_no)) / 1000.0 AS rating_gap,
    (SELECT count(*) FROM move AS m
        WHERE m.game_no = g.game_no AND m.seat = s.seat AND m.made_by = 'player') AS moves,
    (SELECT avg(think_ms) / 1000.0 FROM (
        SELECT m.think_ms, row_number() OVER (ORDER BY m.think_ms) AS place, count(*) OVER () AS moves
        FROM move AS m
        WHERE m.game_no = g.game_no AND m.seat = s.seat AND m.made_by = 'player')
        WHERE place IN ((moves + 1) / 2, (moves + 2) / 2)) AS median_think_seconds,
    (SELECT max(m.think_ms) / 1000.0 FROM move AS m
        WHERE m.game_no = g.game_no AND m.seat = s.seat AND m.made_by = 'player')
        AS max_think_seconds,
    (SELECT count(*) FROM game AS h
        WHERE h.player_set = g.player_set AND h.pool IS g.pool AND h.game_no <= g.game_no
            AND h.created_at_ms > g.created_at_ms - 86400000) AS set_games_24h,
    (WITH RECURSIVE chain (game_no, replay_of) AS (
        SELECT g.game_no, g.replay_of
        UNION ALL
        SELECT c.game_no, c.replay_of FROM chain JOIN game AS c ON c.game_no = chain.replay_of)
        SELECT count(*) FROM chain) AS chain_games,
    (SELECT r.batch_no FROM registration_batch AS r WHERE r.player_no = s.player_no)
        AS registration_batch
FROM game AS g
JOIN seat AS s ON s.game_no = g.game_no
JOIN player AS p ON p.player_no = s.player_no
WHERE EXISTS (SELECT 1 FROM ticket AS t WHERE t.game_no = g.game_no)
    OR (g.replay_of IS NOT NULL AND EXISTS (
        SELECT 1 FROM ticket AS t WHERE t.game_no = (
            WITH RECURSIVE chain (game_no, replay_of) AS (
                SELECT g.game_no, g.replay_of
                UNION ALL
                SELECT c.game_no, c.replay_of FROM chain
                JOIN game AS c ON c.game_no = chain.replay_of)
            SELECT game_no FROM chain WHERE replay_of IS NULL)));
