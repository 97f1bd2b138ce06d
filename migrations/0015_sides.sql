-- Banzuke, migration 15: what the views say of games with more than two seats.

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
