-- Banzuke, migration 15: what the views say of games with more than two seats.

-- + places: a game of four has no single loser.
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
        FROM seat AS s WHERE s.game_no = g.game_no) AS places
FROM game AS g;

-- + places: how often the player came first, second, third and fourth.
DROP VIEW player_summary;
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
    strftime('%Y-%m-%d %H:%M:%S', p.created_at_ms / 1000, 'unixepoch') AS created_utc,
    r.place_1 || '-' || r.place_2 || '-' || r.place_3 || '-' || r.place_4 AS places
FROM player AS p LEFT JOIN player_rating AS r ON r.player_no = p.player_no;

-- + opponents, place. A side may be a pair, and the sentence names both: its seats are those that are
-- the same number modulo the sides, as sides take turns.
DROP VIEW rating_explanation;
CREATE VIEW rating_explanation AS
SELECT
    game_id, seat, player_id, name, opponent_id, opponent_name, at_utc, at_local, k, expected,
    score, delta,
    CASE score_halves WHEN 2 THEN 'won against ' WHEN 1 THEN 'drew with ' ELSE 'lost to ' END
        || opponents
        || printf(' (%.1f): %d%s x (%s - %.2f) = %+.1f', opponent_rating, k,
            CASE WHEN sides > 1 THEN printf(' / %d', sides) ELSE '' END,
            CASE score_halves WHEN 2 THEN '1' WHEN 1 THEN '0.5' ELSE '0' END, expected, points)
        || CASE WHEN capped THEN printf(' -> %+.1f (capped)', delta)
            WHEN floor_applied THEN printf(' -> %+.1f (floor)', delta) ELSE '' END AS sentence,
    opponents, place
FROM (SELECT *,
    (SELECT group_concat(coalesce(p.name, p.player_id), ' and ')
        FROM seat AS s LEFT JOIN player AS p ON p.player_no = s.player_no
        WHERE s.game_no = r.game_no AND s.seat_no % (sides + 1) = opponent_seat_no % (sides + 1))
        AS opponents
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
        e.floor_applied AS floor_applied,
        e.place AS place,
        e.game_no AS game_no,
        a.opponent_seat_no AS opponent_seat_no
    FROM rating_event AS e
    JOIN rating_against AS a ON a.event_no = e.event_no
    JOIN game AS g ON g.game_no = e.game_no
    JOIN seat AS s ON s.game_no = e.game_no AND s.seat_no = e.seat_no
    JOIN player AS p ON p.player_no = e.player_no
    JOIN seat AS o ON o.game_no = e.game_no AND o.seat_no = a.opponent_seat_no
    LEFT JOIN player AS op ON op.player_no = o.player_no
    WHERE e.kind = 'result'
) AS r);

-- + places, as in player_summary; otherwise as migration 12 has it and explains it.
DROP VIEW ranking;
CREATE VIEW ranking AS
SELECT p.pool, n.player_no AS rank, l.player_id, l.name, r.rating_milli / 1000.0 AS rating,
       r.games, r.wins, r.draws, r.losses,
       strftime('%Y-%m-%d %H:%M:%S', r.last_game_at_ms / 1000, 'unixepoch') AS last_game_utc,
       r.place_1 || '-' || r.place_2 || '-' || r.place_3 || '-' || r.place_4 AS places
FROM pool p
JOIN player n
JOIN player_rating r
  ON r.pool = iif(n.player_no > 0, p.pool, NULL)
 AND likelihood(r.list = 'ranked', 0.99)
 AND likelihood(r.rating_milli = (
    SELECT CASE WHEN x.at & 4294967295 = 1 THEN x.at >> 32 END FROM (SELECT CASE
        WHEN x.at & 4294967295 <= c.from_9 THEN (c.bucket * 10 + 9 << 32) + (x.at & 4294967295)
        WHEN x.at & 4294967295 <= c.from_8 THEN (c.bucket * 10 + 8 << 32) + (x.at & 4294967295) - c.from_9
        WHEN x.at & 4294967295 <= c.from_7 THEN (c.bucket * 10 + 7 << 32) + (x.at & 4294967295) - c.from_8
        WHEN x.at & 4294967295 <= c.from_6 THEN (c.bucket * 10 + 6 << 32) + (x.at & 4294967295) - c.from_7
        WHEN x.at & 4294967295 <= c.from_5 THEN (c.bucket * 10 + 5 << 32) + (x.at & 4294967295) - c.from_6
        WHEN x.at & 4294967295 <= c.from_4 THEN (c.bucket * 10 + 4 << 32) + (x.at & 4294967295) - c.from_5
        WHEN x.at & 4294967295 <= c.from_3 THEN (c.bucket * 10 + 3 << 32) + (x.at & 4294967295) - c.from_4
        WHEN x.at & 4294967295 <= c.from_2 THEN (c.bucket * 10 + 2 << 32) + (x.at & 4294967295) - c.from_3
        WHEN x.at & 4294967295 <= c.from_1 THEN (c.bucket * 10 + 1 << 32) + (x.at & 4294967295) - c.from_2
        ELSE (c.bucket * 10 << 32) + (x.at & 4294967295) - c.from_1 END AS at
    FROM (SELECT CASE
        WHEN x.at & 4294967295 <= c.from_9 THEN (c.bucket * 10 + 9 << 32) + (x.at & 4294967295)
        WHEN x.at & 4294967295 <= c.from_8 THEN (c.bucket * 10 + 8 << 32) + (x.at & 4294967295) - c.from_9
        WHEN x.at & 4294967295 <= c.from_7 THEN (c.bucket * 10 + 7 << 32) + (x.at & 4294967295) - c.from_8
        WHEN x.at & 4294967295 <= c.from_6 THEN (c.bucket * 10 + 6 << 32) + (x.at & 4294967295) - c.from_7
        WHEN x.at & 4294967295 <= c.from_5 THEN (c.bucket * 10 + 5 << 32) + (x.at & 4294967295) - c.from_6
        WHEN x.at & 4294967295 <= c.from_4 THEN (c.bucket * 10 + 4 << 32) + (x.at & 4294967295) - c.from_5
        WHEN x.at & 4294967295 <= c.from_3 THEN (c.bucket * 10 + 3 << 32) + (x.at & 4294967295) - c.from_4
        WHEN x.at & 4294967295 <= c.from_2 THEN (c.bucket * 10 + 2 << 32) + (x.at & 4294967295) - c.from_3
        WHEN x.at & 4294967295 <= c.from_1 THEN (c.bucket * 10 + 1 << 32) + (x.at & 4294967295) - c.from_2
        ELSE (c.bucket * 10 << 32) + (x.at & 4294967295) - c.from_1 END AS at
    FROM (SELECT CASE
        WHEN x.at & 4294967295 <= c.from_9 THEN (c.bucket * 10 + 9 << 32) + (x.at & 4294967295)
        WHEN x.at & 4294967295 <= c.from_8 THEN (c.bucket * 10 + 8 << 32) + (x.at & 4294967295) - c.from_9
        WHEN x.at & 4294967295 <= c.from_7 THEN (c.bucket * 10 + 7 << 32) + (x.at & 4294967295) - c.from_8
        WHEN x.at & 4294967295 <= c.from_6 THEN (c.bucket * 10 + 6 << 32) + (x.at & 4294967295) - c.from_7
        WHEN x.at & 4294967295 <= c.from_5 THEN (c.bucket * 10 + 5 << 32) + (x.at & 4294967295) - c.from_6
        WHEN x.at & 4294967295 <= c.from_4 THEN (c.bucket * 10 + 4 << 32) + (x.at & 4294967295) - c.from_5
        WHEN x.at & 4294967295 <= c.from_3 THEN (c.bucket * 10 + 3 << 32) + (x.at & 4294967295) - c.from_4
        WHEN x.at & 4294967295 <= c.from_2 THEN (c.bucket * 10 + 2 << 32) + (x.at & 4294967295) - c.from_3
        WHEN x.at & 4294967295 <= c.from_1 THEN (c.bucket * 10 + 1 << 32) + (x.at & 4294967295) - c.from_2
        ELSE (c.bucket * 10 << 32) + (x.at & 4294967295) - c.from_1 END AS at
    FROM (SELECT CASE
        WHEN x.at & 4294967295 <= c.from_9 THEN (c.bucket * 10 + 9 << 32) + (x.at & 4294967295)
        WHEN x.at & 4294967295 <= c.from_8 THEN (c.bucket * 10 + 8 << 32) + (x.at & 4294967295) - c.from_9
        WHEN x.at & 4294967295 <= c.from_7 THEN (c.bucket * 10 + 7 << 32) + (x.at & 4294967295) - c.from_8
        WHEN x.at & 4294967295 <= c.from_6 THEN (c.bucket * 10 + 6 << 32) + (x.at & 4294967295) - c.from_7
        WHEN x.at & 4294967295 <= c.from_5 THEN (c.bucket * 10 + 5 << 32) + (x.at & 4294967295) - c.from_6
        WHEN x.at & 4294967295 <= c.from_4 THEN (c.bucket * 10 + 4 << 32) + (x.at & 4294967295) - c.from_5
        WHEN x.at & 4294967295 <= c.from_3 THEN (c.bucket * 10 + 3 << 32) + (x.at & 4294967295) - c.from_4
        WHEN x.at & 4294967295 <= c.from_2 THEN (c.bucket * 10 + 2 << 32) + (x.at & 4294967295) - c.from_3
        WHEN x.at & 4294967295 <= c.from_1 THEN (c.bucket * 10 + 1 << 32) + (x.at & 4294967295) - c.from_2
        ELSE (c.bucket * 10 << 32) + (x.at & 4294967295) - c.from_1 END AS at
    FROM (SELECT CASE
        WHEN x.at & 4294967295 <= c.from_9 THEN (c.bucket * 10 + 9 << 32) + (x.at & 4294967295)
        WHEN x.at & 4294967295 <= c.from_8 THEN (c.bucket * 10 + 8 << 32) + (x.at & 4294967295) - c.from_9
        WHEN x.at & 4294967295 <= c.from_7 THEN (c.bucket * 10 + 7 << 32) + (x.at & 4294967295) - c.from_8
        WHEN x.at & 4294967295 <= c.from_6 THEN (c.bucket * 10 + 6 << 32) + (x.at & 4294967295) - c.from_7
        WHEN x.at & 4294967295 <= c.from_5 THEN (c.bucket * 10 + 5 << 32) + (x.at & 4294967295) - c.from_6
        WHEN x.at & 4294967295 <= c.from_4 THEN (c.bucket * 10 + 4 << 32) + (x.at & 4294967295) - c.from_5
        WHEN x.at & 4294967295 <= c.from_3 THEN (c.bucket * 10 + 3 << 32) + (x.at & 4294967295) - c.from_4
        WHEN x.at & 4294967295 <= c.from_2 THEN (c.bucket * 10 + 2 << 32) + (x.at & 4294967295) - c.from_3
        WHEN x.at & 4294967295 <= c.from_1 THEN (c.bucket * 10 + 1 << 32) + (x.at & 4294967295) - c.from_2
        ELSE (c.bucket * 10 << 32) + (x.at & 4294967295) - c.from_1 END AS at
    FROM (SELECT CASE
        WHEN x.at & 4294967295 <= c.from_9 THEN (c.bucket * 10 + 9 << 32) + (x.at & 4294967295)
        WHEN x.at & 4294967295 <= c.from_8 THEN (c.bucket * 10 + 8 << 32) + (x.at & 4294967295) - c.from_9
        WHEN x.at & 4294967295 <= c.from_7 THEN (c.bucket * 10 + 7 << 32) + (x.at & 4294967295) - c.from_8
        WHEN x.at & 4294967295 <= c.from_6 THEN (c.bucket * 10 + 6 << 32) + (x.at & 4294967295) - c.from_7
        WHEN x.at & 4294967295 <= c.from_5 THEN (c.bucket * 10 + 5 << 32) + (x.at & 4294967295) - c.from_6
        WHEN x.at & 4294967295 <= c.from_4 THEN (c.bucket * 10 + 4 << 32) + (x.at & 4294967295) - c.from_5
        WHEN x.at & 4294967295 <= c.from_3 THEN (c.bucket * 10 + 3 << 32) + (x.at & 4294967295) - c.from_4
        WHEN x.at & 4294967295 <= c.from_2 THEN (c.bucket * 10 + 2 << 32) + (x.at & 4294967295) - c.from_3
        WHEN x.at & 4294967295 <= c.from_1 THEN (c.bucket * 10 + 1 << 32) + (x.at & 4294967295) - c.from_2
        ELSE (c.bucket * 10 << 32) + (x.at & 4294967295) - c.from_1 END AS at
    FROM (SELECT (bucket << 32) + n.player_no - total + players AS at FROM (
        SELECT c.bucket, c.players,
            sum(c.players) OVER (ORDER BY c.bucket DESC ROWS UNBOUNDED PRECEDING) AS total
        FROM rating_count AS c
        WHERE c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 1000000)
        WHERE total >= n.player_no LIMIT 1) AS x
    CROSS JOIN rating_count AS c ON c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 1000000
        AND c.bucket = x.at >> 32
    LIMIT 1) AS x
    CROSS JOIN rating_count AS c ON c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 100000
        AND c.bucket = x.at >> 32
    LIMIT 1) AS x
    CROSS JOIN rating_count AS c ON c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 10000
        AND c.bucket = x.at >> 32
    LIMIT 1) AS x
    CROSS JOIN rating_count AS c ON c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 1000
        AND c.bucket = x.at >> 32
    LIMIT 1) AS x
    CROSS JOIN rating_count AS c ON c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 100
        AND c.bucket = x.at >> 32
    LIMIT 1) AS x
    CROSS JOIN rating_count AS c ON c.pool = p.pool AND c.list = 'ranked' AND c.width_milli = 10
        AND c.bucket = x.at >> 32
    LIMIT 1) AS x), 0.000001)
 AND n.player_no = 1
    + (SELECT coalesce(sum(players), 0) FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 1000000
         AND bucket > r.rating_milli / 1000000)
    + (SELECT CASE r.rating_milli / 100000 % 10 WHEN 0 THEN from_1 WHEN 1 THEN from_2 WHEN 2 THEN from_3
        WHEN 3 THEN from_4 WHEN 4 THEN from_5 WHEN 5 THEN from_6 WHEN 6 THEN from_7
        WHEN 7 THEN from_8 WHEN 8 THEN from_9 ELSE 0 END FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 1000000
         AND bucket = r.rating_milli / 1000000)
    + (SELECT CASE r.rating_milli / 10000 % 10 WHEN 0 THEN from_1 WHEN 1 THEN from_2 WHEN 2 THEN from_3
        WHEN 3 THEN from_4 WHEN 4 THEN from_5 WHEN 5 THEN from_6 WHEN 6 THEN from_7
        WHEN 7 THEN from_8 WHEN 8 THEN from_9 ELSE 0 END FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 100000
         AND bucket = r.rating_milli / 100000)
    + (SELECT CASE r.rating_milli / 1000 % 10 WHEN 0 THEN from_1 WHEN 1 THEN from_2 WHEN 2 THEN from_3
        WHEN 3 THEN from_4 WHEN 4 THEN from_5 WHEN 5 THEN from_6 WHEN 6 THEN from_7
        WHEN 7 THEN from_8 WHEN 8 THEN from_9 ELSE 0 END FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 10000
         AND bucket = r.rating_milli / 10000)
    + (SELECT CASE r.rating_milli / 100 % 10 WHEN 0 THEN from_1 WHEN 1 THEN from_2 WHEN 2 THEN from_3
        WHEN 3 THEN from_4 WHEN 4 THEN from_5 WHEN 5 THEN from_6 WHEN 6 THEN from_7
        WHEN 7 THEN from_8 WHEN 8 THEN from_9 ELSE 0 END FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 1000
         AND bucket = r.rating_milli / 1000)
    + (SELECT CASE r.rating_milli / 10 % 10 WHEN 0 THEN from_1 WHEN 1 THEN from_2 WHEN 2 THEN from_3
        WHEN 3 THEN from_4 WHEN 4 THEN from_5 WHEN 5 THEN from_6 WHEN 6 THEN from_7
        WHEN 7 THEN from_8 WHEN 8 THEN from_9 ELSE 0 END FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 100
         AND bucket = r.rating_milli / 100)
    + (SELECT CASE r.rating_milli / 1 % 10 WHEN 0 THEN from_1 WHEN 1 THEN from_2 WHEN 2 THEN from_3
        WHEN 3 THEN from_4 WHEN 4 THEN from_5 WHEN 5 THEN from_6 WHEN 6 THEN from_7
        WHEN 7 THEN from_8 WHEN 8 THEN from_9 ELSE 0 END FROM rating_count
       WHERE pool = r.pool AND list = 'ranked' AND width_milli = 10
         AND bucket = r.rating_milli / 10)
 AND likelihood(n.player_no <= (
     SELECT sum(players) FROM rating_count
     WHERE pool = p.pool AND list = 'ranked' AND width_milli = 1000000), 0.25)
JOIN player l ON l.player_no = r.player_no
WHERE likelihood(p.pool <> '', 0.00001);
