-- Banzuke, migration 2: views for people. They only ever gain columns.
--
-- Times are text: *_utc, and *_local in the time zone of whoever asks. Ratings are points.

-- The ranking of every pool: the list `ranked`. Fast as one types it, also with a million players:
--   SELECT * FROM ranking WHERE pool = 'hasami' ORDER BY rank LIMIT 10;
--   SELECT * FROM ranking WHERE player_id = 'p_...';
--   SELECT * FROM ranking WHERE pool = 'hasami' AND rank BETWEEN 500000 AND 500009;
-- OFFSET has to walk over what it skips; a rank is found at once.
--
-- The gapless row numbers of `player` (n) serve as the possible ranks, and SQLite may go either way:
--   rank -> rating: down the five widths of rating_count to the rating at that place in the list;
--   player -> rank: one more than the players above the rating, by the same counts.
-- A place inside a tie belongs to no rank and finds nothing: equal ratings share the first one.
--
-- On the way down each step finds, by a running sum, the bucket that holds a place. What it hands
-- on is that bucket (upper half of `at`) and the place counted from the bucket's other end (lower
-- half): so the directions alternate, and a bucket's own count is not needed again.
--
-- The likelihoods, and a pool that cannot be had without a rank, lead the planner, with ANALYZE and
-- without: it would walk the whole list and sort it.
CREATE VIEW ranking AS
SELECT p.pool, n.player_no AS rank, l.player_id, l.name, r.rating_milli / 1000.0 AS rating,
       r.games, r.wins, r.draws, r.losses,
       strftime('%Y-%m-%d %H:%M:%S', r.last_game_at_ms / 1000, 'unixepoch') AS last_game_utc
FROM pool p
JOIN player n
JOIN player_rating r
  ON r.pool = iif(n.player_no > 0, p.pool, NULL)
 AND likelihood(r.list = 'ranked', 0.99)
 AND likelihood(r.rating_milli = (
     WITH
     hundreds (at) AS MATERIALIZED (
         SELECT (bucket << 32) + total - n.player_no + 1 FROM (
             SELECT c.bucket, sum(c.players) OVER (ORDER BY c.bucket DESC ROWS UNBOUNDED PRECEDING)
                    AS total
             FROM rating_count c
             WHERE c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 100000)
         WHERE total >= n.player_no LIMIT 1),
     tens (at) AS MATERIALIZED (SELECT (
         SELECT (bucket << 32) + total - (x.at & 4294967295) + 1 FROM (
             SELECT c.bucket, sum(c.players) OVER (ORDER BY c.bucket ROWS UNBOUNDED PRECEDING)
                    AS total
             FROM rating_count c
             WHERE c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 10000
               AND c.bucket >= (x.at >> 32) * 10)
         WHERE total >= (x.at & 4294967295)) FROM hundreds x),
     ones (at) AS MATERIALIZED (SELECT (
         SELECT (bucket << 32) + total - (x.at & 4294967295) + 1 FROM (
             SELECT c.bucket, sum(c.players) OVER (ORDER BY c.bucket DESC ROWS UNBOUNDED PRECEDING)
                    AS total
             FROM rating_count c
             WHERE c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 1000
               AND c.bucket < (x.at >> 32) * 10 + 10)
         WHERE total >= (x.at & 4294967295)) FROM tens x),
     tenths (at) AS MATERIALIZED (SELECT (
         SELECT (bucket << 32) + total - (x.at & 4294967295) + 1 FROM (
             SELECT c.bucket, sum(c.players) OVER (ORDER BY c.bucket ROWS UNBOUNDED PRECEDING)
                    AS total
             FROM rating_count c
             WHERE c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 100
               AND c.bucket >= (x.at >> 32) * 10)
         WHERE total >= (x.at & 4294967295)) FROM ones x),
     cents (at) AS MATERIALIZED (SELECT (
         SELECT (bucket << 32) + total - (x.at & 4294967295) + 1 FROM (
             SELECT c.bucket, sum(c.players) OVER (ORDER BY c.bucket DESC ROWS UNBOUNDED PRECEDING)
                    AS total
             FROM rating_count c
             WHERE c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 10
               AND c.bucket < (x.at >> 32) * 10 + 10)
         WHERE total >= (x.at & 4294967295)) FROM tenths x)
     SELECT (
         SELECT CASE WHEN total = (x.at & 4294967295) THEN rating_milli END FROM (
             SELECT o.rating_milli, count(*) OVER (ORDER BY o.rating_milli) AS total
             FROM player_rating o
             WHERE o.pool = p.pool AND o.list = 'ranked'
               AND o.rating_milli >= (x.at >> 32) * 10)
         WHERE total >= (x.at & 4294967295)) FROM cents x
     ), 0.000001)
 AND n.player_no = 1
    + (SELECT coalesce(sum(players), 0) FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 100000
         AND bucket > r.rating_milli / 100000)
    + (SELECT coalesce(sum(players), 0) FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 10000
         AND bucket > r.rating_milli / 10000 AND bucket < (r.rating_milli / 100000 + 1) * 10)
    + (SELECT coalesce(sum(players), 0) FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 1000
         AND bucket > r.rating_milli / 1000 AND bucket < (r.rating_milli / 10000 + 1) * 10)
    + (SELECT coalesce(sum(players), 0) FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 100
         AND bucket > r.rating_milli / 100 AND bucket < (r.rating_milli / 1000 + 1) * 10)
    + (SELECT coalesce(sum(players), 0) FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 10
         AND bucket > r.rating_milli / 10 AND bucket < (r.rating_milli / 100 + 1) * 10)
    + (SELECT count(*) FROM player_rating o
       WHERE o.pool = r.pool AND o.list = 'ranked' AND o.rating_milli > r.rating_milli
         AND o.rating_milli < (r.rating_milli / 10 + 1) * 10)
 AND likelihood(n.player_no <= (
     SELECT sum(players) FROM rating_count
     WHERE pool = p.pool AND list = 'ranked' AND width_milli = 100000), 0.25)
JOIN player l ON l.player_no = r.player_no
WHERE likelihood(p.pool <> '', 0.00001);

-- One row a game.
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
    strftime('%Y-%m-%d %H:%M:%S', g.finished_at_ms / 1000, 'unixepoch', 'localtime') AS finished_local
FROM game AS g;

-- One row a player and pool; a player who was never rated has one with empty numbers.
CREATE VIEW player_summary AS
SELECT
    p.player_id AS player_id,
    p.name AS name,
    r.pool AS pool,
    r.rating_milli / 1000.0 AS rating,
    r.list AS list,
    r.games AS games,
    r.wins AS wins,
    r.draws AS draws,
    r.losses AS losses,
    strftime('%Y-%m-%d %H:%M:%S', r.last_game_at_ms / 1000, 'unixepoch') AS last_game_utc,
    (SELECT count(*) FROM device AS d WHERE d.player_no = p.player_no) AS devices,
    strftime('%Y-%m-%d %H:%M:%S', p.created_at_ms / 1000, 'unixepoch') AS created_utc
FROM player AS p LEFT JOIN player_rating AS r ON r.player_no = p.player_no;

-- One row a move.
CREATE VIEW move_list AS
SELECT
    g.game_id AS game_id,
    m.ply AS ply,
    m.seat AS seat,
    p.player_id AS player_id,
    p.name AS name,
    m.move AS move,
    m.captured AS captured,
    m.made_by AS made_by,
    strftime('%Y-%m-%d %H:%M:%S', m.at_ms / 1000, 'unixepoch') AS at_utc,
    m.think_ms / 1000.0 AS think_seconds
FROM game AS g
JOIN move AS m ON m.game_no = g.game_no
JOIN seat AS s ON s.game_no = g.game_no AND s.seat = m.seat
LEFT JOIN player AS p ON p.player_no = s.player_no;

-- Why a rating changed: one row a seat and opposing side, with the formula in numbers.
CREATE VIEW rating_explanation AS
SELECT
    game_id, seat, player_id, name, opponent_id, opponent_name, at_utc, at_local, k, expected,
    score, delta,
    CASE score_halves WHEN 2 THEN 'won against ' WHEN 1 THEN 'drew with ' ELSE 'lost to ' END
        || coalesce(opponent_name, opponent_id)
        || printf(' (%.1f): %d%s x (%s - %.2f) = %+.1f', opponent_rating, k,
            CASE WHEN sides > 1 THEN printf(' / %d', sides) ELSE '' END,
            CASE score_halves WHEN 2 THEN '1' WHEN 1 THEN '0.5' ELSE '0' END, expected, points)
        || CASE WHEN capped THEN printf(' -> %+.1f (capped)', delta)
            WHEN floor_applied THEN printf(' -> %+.1f (floor)', delta) ELSE '' END AS sentence
FROM (
    SELECT
        g.game_id AS game_id,
        s.seat AS seat,
        p.player_id AS player_id,
        p.name AS name,
        op.player_id AS opponent_id,
        op.name AS opponent_name,
        strftime('%Y-%m-%d %H:%M:%S', e.at_ms / 1000, 'unixepoch') AS at_utc,
        strftime('%Y-%m-%d %H:%M:%S', e.at_ms / 1000, 'unixepoch', 'localtime') AS at_local,
        e.k AS k,
        a.expected_micro / 1000000.0 AS expected,
        a.score_halves / 2.0 AS score,
        e.delta_milli / 1000.0 AS delta,
        a.score_halves AS score_halves,
        a.rating_milli / 1000.0 AS opponent_rating,
        a.points_milli / 1000.0 AS points,
        (SELECT count(*) FROM rating_against AS x WHERE x.event_no = e.event_no) AS sides,
        e.capped AS capped,
        e.floor_applied AS floor_applied
    FROM rating_event AS e
    JOIN rating_against AS a ON a.event_no = e.event_no
    JOIN game AS g ON g.game_no = e.game_no
    JOIN seat AS s ON s.game_no = e.game_no AND s.seat_no = e.seat_no
    JOIN player AS p ON p.player_no = e.player_no
    JOIN seat AS o ON o.game_no = e.game_no AND o.seat_no = a.opponent_seat_no
    LEFT JOIN player AS op ON op.player_no = o.player_no
    WHERE e.kind = 'result'
);
