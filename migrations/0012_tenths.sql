-- Banzuke, migration 12: every place of a ranking at the same cost, whatever the ratings are.

-- A count also says how its bucket is filled: `from_7` are those in the seventh tenth of it or above
-- (the tenths have the numbers 0 to 9). So a step down is one row, however many share it, and the
-- narrowest bucket needs no look at the ratings themselves: a thousand or a million equal ones cost
-- what one does, and many do meet, at the floor.
ALTER TABLE rating_count ADD COLUMN from_1 INTEGER NOT NULL DEFAULT 0 CHECK (from_1 >= 0);
ALTER TABLE rating_count ADD COLUMN from_2 INTEGER NOT NULL DEFAULT 0 CHECK (from_2 >= 0);
ALTER TABLE rating_count ADD COLUMN from_3 INTEGER NOT NULL DEFAULT 0 CHECK (from_3 >= 0);
ALTER TABLE rating_count ADD COLUMN from_4 INTEGER NOT NULL DEFAULT 0 CHECK (from_4 >= 0);
ALTER TABLE rating_count ADD COLUMN from_5 INTEGER NOT NULL DEFAULT 0 CHECK (from_5 >= 0);
ALTER TABLE rating_count ADD COLUMN from_6 INTEGER NOT NULL DEFAULT 0 CHECK (from_6 >= 0);
ALTER TABLE rating_count ADD COLUMN from_7 INTEGER NOT NULL DEFAULT 0 CHECK (from_7 >= 0);
ALTER TABLE rating_count ADD COLUMN from_8 INTEGER NOT NULL DEFAULT 0 CHECK (from_8 >= 0);
ALTER TABLE rating_count ADD COLUMN from_9 INTEGER NOT NULL DEFAULT 0 CHECK (from_9 >= 0);

DROP TRIGGER rating_counted_in;
DROP TRIGGER rating_counted_out;
DROP TRIGGER rating_counted_again;

-- A wider width, at which any list is a handful of rows, and all counts anew.
DELETE FROM rating_count;
INSERT INTO rating_count (pool, list, width_milli, bucket, players, from_1, from_2, from_3, from_4,
    from_5, from_6, from_7, from_8, from_9)
SELECT pool, list, w, rating_milli / w, count(*),
    sum(tenth >= 1), sum(tenth >= 2), sum(tenth >= 3),
    sum(tenth >= 4), sum(tenth >= 5), sum(tenth >= 6),
    sum(tenth >= 7), sum(tenth >= 8), sum(tenth >= 9)
FROM (SELECT pool, list, rating_milli, column1 AS w, rating_milli / (column1 / 10) % 10 AS tenth
    FROM player_rating,
        (VALUES (1000000), (100000), (10000), (1000), (100), (10)))
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;

-- One up and one down in every width, as upserts, which find their rows by primary key.
CREATE TRIGGER rating_counted_in AFTER INSERT ON player_rating
BEGIN
    INSERT INTO rating_count (pool, list, width_milli, bucket, players, from_1, from_2, from_3,
        from_4, from_5, from_6, from_7, from_8, from_9)
    SELECT NEW.pool, NEW.list, w, NEW.rating_milli / w, 1, tenth >= 1, tenth >= 2, tenth >= 3,
        tenth >= 4, tenth >= 5, tenth >= 6, tenth >= 7, tenth >= 8, tenth >= 9
    FROM (SELECT column1 AS w, NEW.rating_milli / (column1 / 10) % 10 AS tenth
        FROM (VALUES (1000000), (100000), (10000), (1000), (100), (10))) WHERE true
    ON CONFLICT (pool, list, width_milli, bucket) DO UPDATE SET
        players = players + 1,
        from_1 = from_1 + excluded.from_1, from_2 = from_2 + excluded.from_2,
        from_3 = from_3 + excluded.from_3, from_4 = from_4 + excluded.from_4,
        from_5 = from_5 + excluded.from_5, from_6 = from_6 + excluded.from_6,
        from_7 = from_7 + excluded.from_7, from_8 = from_8 + excluded.from_8,
        from_9 = from_9 + excluded.from_9;
END;
CREATE TRIGGER rating_counted_out AFTER DELETE ON player_rating
BEGIN
    INSERT INTO rating_count (pool, list, width_milli, bucket, players, from_1, from_2, from_3,
        from_4, from_5, from_6, from_7, from_8, from_9)
    SELECT OLD.pool, OLD.list, w, OLD.rating_milli / w, 0, tenth >= 1, tenth >= 2, tenth >= 3,
        tenth >= 4, tenth >= 5, tenth >= 6, tenth >= 7, tenth >= 8, tenth >= 9
    FROM (SELECT column1 AS w, OLD.rating_milli / (column1 / 10) % 10 AS tenth
        FROM (VALUES (1000000), (100000), (10000), (1000), (100), (10))) WHERE true
    ON CONFLICT (pool, list, width_milli, bucket) DO UPDATE SET
        players = players - 1,
        from_1 = from_1 - excluded.from_1, from_2 = from_2 - excluded.from_2,
        from_3 = from_3 - excluded.from_3, from_4 = from_4 - excluded.from_4,
        from_5 = from_5 - excluded.from_5, from_6 = from_6 - excluded.from_6,
        from_7 = from_7 - excluded.from_7, from_8 = from_8 - excluded.from_8,
        from_9 = from_9 - excluded.from_9;
END;
CREATE TRIGGER rating_counted_again AFTER UPDATE OF rating_milli, list ON player_rating
WHEN NEW.rating_milli <> OLD.rating_milli OR NEW.list <> OLD.list
BEGIN
    INSERT INTO rating_count (pool, list, width_milli, bucket, players, from_1, from_2, from_3,
        from_4, from_5, from_6, from_7, from_8, from_9)
    SELECT OLD.pool, OLD.list, w, OLD.rating_milli / w, 0, tenth >= 1, tenth >= 2, tenth >= 3,
        tenth >= 4, tenth >= 5, tenth >= 6, tenth >= 7, tenth >= 8, tenth >= 9
    FROM (SELECT column1 AS w, OLD.rating_milli / (column1 / 10) % 10 AS tenth
        FROM (VALUES (1000000), (100000), (10000), (1000), (100), (10))) WHERE true
    ON CONFLICT (pool, list, width_milli, bucket) DO UPDATE SET
        players = players - 1,
        from_1 = from_1 - excluded.from_1, from_2 = from_2 - excluded.from_2,
        from_3 = from_3 - excluded.from_3, from_4 = from_4 - excluded.from_4,
        from_5 = from_5 - excluded.from_5, from_6 = from_6 - excluded.from_6,
        from_7 = from_7 - excluded.from_7, from_8 = from_8 - excluded.from_8,
        from_9 = from_9 - excluded.from_9;
    INSERT INTO rating_count (pool, list, width_milli, bucket, players, from_1, from_2, from_3,
        from_4, from_5, from_6, from_7, from_8, from_9)
    SELECT NEW.pool, NEW.list, w, NEW.rating_milli / w, 1, tenth >= 1, tenth >= 2, tenth >= 3,
        tenth >= 4, tenth >= 5, tenth >= 6, tenth >= 7, tenth >= 8, tenth >= 9
    FROM (SELECT column1 AS w, NEW.rating_milli / (column1 / 10) % 10 AS tenth
        FROM (VALUES (1000000), (100000), (10000), (1000), (100), (10))) WHERE true
    ON CONFLICT (pool, list, width_milli, bucket) DO UPDATE SET
        players = players + 1,
        from_1 = from_1 + excluded.from_1, from_2 = from_2 + excluded.from_2,
        from_3 = from_3 + excluded.from_3, from_4 = from_4 + excluded.from_4,
        from_5 = from_5 + excluded.from_5, from_6 = from_6 + excluded.from_6,
        from_7 = from_7 + excluded.from_7, from_8 = from_8 + excluded.from_8,
        from_9 = from_9 + excluded.from_9;
END;

-- The view of migration 2, on these counts. See there for how it is meant to be asked, why the row
-- numbers of `player` serve as ranks, and what the likelihoods are for. On the way down the bucket
-- that holds a place is handed on in the upper half of `at`, and the place counted from its top in
-- the lower half; a rating's own place is the first one in its bucket of width 1, and the other
-- places of a tie find nothing.
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
