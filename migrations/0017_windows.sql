-- Banzuke, migration 17: what the matchmaker saw when it put a game together.

-- The ticket's window then. NULL: not matched, unbounded, or from before there were windows.
ALTER TABLE ticket ADD COLUMN window_milli INTEGER CHECK (window_milli >= 0);
-- Highest minus lowest of the ratings that met, partners who named each other as one. NULL: not
-- matched, or from before.
ALTER TABLE ticket ADD COLUMN spread_milli INTEGER CHECK (spread_milli >= 0);

-- Who waits is looked through in memory.
DROP INDEX ticket_waiting;

-- As in migration 10, and with these two at the end.
DROP VIEW game_fairness;
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
        AS registration_batch,
    (SELECT t.window_milli / 1000.0 FROM ticket AS t
        WHERE t.game_no = g.game_no AND t.player_no = s.player_no) AS pairing_window,
    (SELECT t.spread_milli / 1000.0 FROM ticket AS t
        WHERE t.game_no = g.game_no AND t.player_no = s.player_no) AS pairing_spread
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
