-- Banzuke, migration 1: identities, tickets, games, ratings, the chain.
--
-- Conventions: *_no are internal row numbers, *_id the public identifiers; *_ms are milliseconds
-- UTC; *_milli are thousandths of a rating point (1500.000 is 1500000). Words, not numbers, where a
-- person reads them. The views of migration 2 join all this into what one would ask for.

-- What was done to this file, and when: `banzuke` compares the checksums at every start.
CREATE TABLE schema_migration (
    version       INTEGER NOT NULL PRIMARY KEY,
    name          TEXT    NOT NULL,
    sha256        TEXT    NOT NULL CHECK (length(sha256) = 64),
    applied_at_ms INTEGER NOT NULL
) STRICT;

-- One row: which key file belongs to this file, and the newest time that was ever stored in it
-- (the server's clock never starts below it).
CREATE TABLE server (
    one           INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    key_id        TEXT    NOT NULL CHECK (length(key_id) = 16),
    created_at_ms INTEGER NOT NULL,
    last_stamp_ms INTEGER NOT NULL
) STRICT;

-- Rating pools. A pool fixes its game's rules.
CREATE TABLE pool (
    pool TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL CHECK (game IN ('hasami', 'yonin'))
) STRICT, WITHOUT ROWID;
INSERT INTO pool (pool, game) VALUES ('hasami', 'hasami');

CREATE TABLE player (
    player_no     INTEGER NOT NULL PRIMARY KEY,
    player_id     TEXT    NOT NULL UNIQUE CHECK (player_id GLOB 'p_*' AND length(player_id) = 28),
    name          TEXT CHECK (length(name) BETWEEN 1 AND 24), -- NULL: erased
    created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX player_by_name ON player (name);

CREATE TABLE device (
    device_no     INTEGER NOT NULL PRIMARY KEY,
    device_id     TEXT    NOT NULL UNIQUE CHECK (device_id GLOB 'd_*' AND length(device_id) = 28),
    player_no     INTEGER NOT NULL REFERENCES player,
    created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX device_of_player ON device (player_no);

-- A device's credential: only a keyed hash of the secret is kept.
CREATE TABLE token (
    token_id      BLOB    NOT NULL PRIMARY KEY CHECK (length(token_id) = 8),
    token_hash    BLOB    NOT NULL CHECK (length(token_hash) = 32),
    key_slot      INTEGER NOT NULL CHECK (key_slot IN (0, 1)),
    device_no     INTEGER NOT NULL REFERENCES device,
    created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX token_of_device ON token (device_no);

CREATE TABLE game (
    game_no        INTEGER NOT NULL PRIMARY KEY,
    game_id        TEXT    NOT NULL UNIQUE CHECK (game_id GLOB 'g_*' AND length(game_id) = 28),
    game           TEXT    NOT NULL CHECK (game IN ('hasami', 'yonin')),
    pool           TEXT REFERENCES pool, -- whose rules it has; NULL: local rules
    rated          INTEGER NOT NULL CHECK (rated IN (0, 1)),
    unrated_reason TEXT CHECK (unrated_reason IN ('cpu_seat', 'local_rules', 'no_clock',
                                                  'repeat_limit', 'casual', 'repeat_draw',
                                                  'no_show')),
    options        TEXT    NOT NULL, -- name=value, separated by blanks
    turn_seconds   INTEGER NOT NULL CHECK (turn_seconds >= 0), -- 0: no turn time
    player_set     TEXT    NOT NULL, -- player numbers, ascending, separated by commas
    status         TEXT    NOT NULL CHECK (status IN ('playing', 'finished', 'aborted')),
    position       TEXT    NOT NULL, -- now
    ply            INTEGER NOT NULL CHECK (ply >= 0), -- moves made
    turn           TEXT, -- seat to move; NULL: nobody
    seq            INTEGER NOT NULL CHECK (seq >= ply), -- events stored: moves and game_event rows
    end_reason     TEXT CHECK (end_reason IN ('capture', 'immobile', 'resign', 'repetition',
                                              'move_limit', 'mates', 'last_survivor', 'team_mate',
                                              'no_show')),
    rating_status  TEXT CHECK (rating_status IN ('applied', 'unrated')),
    replay_of      INTEGER REFERENCES game,
    created_at_ms  INTEGER NOT NULL,
    finished_at_ms INTEGER,
    CHECK ((status = 'playing') = (end_reason IS NULL)),
    CHECK ((status = 'playing') = (rating_status IS NULL)),
    CHECK ((status = 'playing') = (finished_at_ms IS NULL)),
    CHECK ((status = 'playing') = (turn IS NOT NULL)),
    CHECK (rated = 1 OR unrated_reason IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX game_replay ON game (replay_of) WHERE replay_of IS NOT NULL;
CREATE INDEX game_of_set ON game (player_set, pool, game_no);
CREATE INDEX game_of_status ON game (status);
CREATE INDEX game_of_pool ON game (pool);

CREATE TABLE seat (
    game_no      INTEGER NOT NULL REFERENCES game,
    seat_no      INTEGER NOT NULL CHECK (seat_no BETWEEN 0 AND 3), -- order of play
    seat         TEXT    NOT NULL CHECK (seat IN ('b', 'w', 's', 'n', 'e')),
    player_no    INTEGER REFERENCES player, -- NULL: the CPU's own
    rating_milli INTEGER, -- at the game's start; NULL: no pool
    control      TEXT    NOT NULL CHECK (control IN ('player', 'cpu')),
    place        INTEGER CHECK (place BETWEEN 1 AND 4), -- NULL until finished, or aborted
    PRIMARY KEY (game_no, seat_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_of_player ON seat (player_no, game_no DESC);
CREATE INDEX seat_undecided ON seat (player_no) WHERE place IS NULL;

-- A move is its own event: `seq` counts moves and game_event rows of a game together.
CREATE TABLE move (
    game_no  INTEGER NOT NULL REFERENCES game,
    ply      INTEGER NOT NULL CHECK (ply >= 1),
    seq      INTEGER NOT NULL CHECK (seq >= ply),
    seat     TEXT    NOT NULL CHECK (seat IN ('b', 'w', 's', 'n', 'e')),
    move     TEXT    NOT NULL,
    captured TEXT    NOT NULL, -- squares, separated by blanks
    made_by  TEXT    NOT NULL CHECK (made_by IN ('player', 'cpu')),
    at_ms    INTEGER NOT NULL,
    think_ms INTEGER NOT NULL CHECK (think_ms >= 0),
    PRIMARY KEY (game_no, ply)
) STRICT, WITHOUT ROWID;

-- What no move row says.
CREATE TABLE game_event (
    game_no        INTEGER NOT NULL REFERENCES game,
    seq            INTEGER NOT NULL CHECK (seq >= 1),
    type           TEXT    NOT NULL CHECK (type IN ('seat', 'finished', 'replay', 'rematch',
                                                    'clock', 'voided')),
    at_ms          INTEGER NOT NULL,
    seat           TEXT CHECK (seat IN ('b', 'w', 's', 'n', 'e')), -- finished: who resigned
    reason         TEXT,
    linked_game_no INTEGER REFERENCES game, -- replay: the new game
    PRIMARY KEY (game_no, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE ticket (
    ticket_no     INTEGER NOT NULL PRIMARY KEY,
    ticket_id     TEXT    NOT NULL UNIQUE CHECK (ticket_id GLOB 'q_*' AND length(ticket_id) = 28),
    player_no     INTEGER NOT NULL REFERENCES player,
    pool          TEXT    NOT NULL REFERENCES pool,
    turn_seconds  INTEGER NOT NULL CHECK (turn_seconds > 0),
    rating_milli  INTEGER NOT NULL, -- when it was taken
    status        TEXT    NOT NULL CHECK (status IN ('waiting', 'matched', 'cancelled', 'expired')),
    game_no       INTEGER REFERENCES game,
    seat          TEXT CHECK (seat IN ('b', 'w', 's', 'n', 'e')),
    created_at_ms INTEGER NOT NULL,
    ended_at_ms   INTEGER,
    CHECK ((status = 'waiting') = (ended_at_ms IS NULL)),
    CHECK ((status = 'matched') = (game_no IS NOT NULL)),
    CHECK ((status = 'matched') = (seat IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX ticket_waiting_of_player ON ticket (player_no) WHERE status = 'waiting';
CREATE INDEX ticket_waiting ON ticket (pool, turn_seconds, ticket_no) WHERE status = 'waiting';
CREATE INDEX ticket_waiting_by_age ON ticket (status, ticket_no) WHERE status = 'waiting';

-- A player's standing in a pool. `list` says where it is shown: `ranked` from 20 rated games on.
CREATE TABLE player_rating (
    player_no       INTEGER NOT NULL REFERENCES player,
    pool            TEXT    NOT NULL REFERENCES pool,
    rating_milli    INTEGER NOT NULL CHECK (rating_milli >= 100000),
    list            TEXT    NOT NULL CHECK (list IN ('ranked', 'provisional', 'hidden')),
    games           INTEGER NOT NULL CHECK (games = wins + draws + losses),
    wins            INTEGER NOT NULL CHECK (wins >= 0),
    draws           INTEGER NOT NULL CHECK (draws >= 0),
    losses          INTEGER NOT NULL CHECK (losses >= 0),
    place_1         INTEGER NOT NULL CHECK (place_1 >= 0),
    place_2         INTEGER NOT NULL CHECK (place_2 >= 0),
    place_3         INTEGER NOT NULL CHECK (place_3 >= 0),
    place_4         INTEGER NOT NULL CHECK (place_4 >= 0),
    last_game_at_ms INTEGER NOT NULL,
    PRIMARY KEY (player_no, pool)
) STRICT, WITHOUT ROWID;
CREATE INDEX player_rating_order ON player_rating (pool, list, rating_milli DESC, player_no);

-- How many players of a list have a rating in [bucket * width, (bucket + 1) * width): a rank is a
-- handful of short sums. Kept by triggers, so that it cannot drift.
CREATE TABLE rating_count (
    pool        TEXT    NOT NULL REFERENCES pool,
    list        TEXT    NOT NULL CHECK (list IN ('ranked', 'provisional', 'hidden')),
    width_milli INTEGER NOT NULL,
    bucket      INTEGER NOT NULL,
    players     INTEGER NOT NULL CHECK (players >= 0),
    PRIMARY KEY (pool, list, width_milli, bucket)
) STRICT, WITHOUT ROWID;

-- How a finished game changed a rating, one row a seat; a void appends its opposite.
CREATE TABLE rating_event (
    event_no       INTEGER NOT NULL PRIMARY KEY,
    game_no        INTEGER NOT NULL REFERENCES game,
    seat_no        INTEGER NOT NULL CHECK (seat_no BETWEEN 0 AND 3),
    player_no      INTEGER NOT NULL REFERENCES player,
    pool           TEXT    NOT NULL REFERENCES pool,
    kind           TEXT    NOT NULL CHECK (kind IN ('result', 'void')),
    at_ms          INTEGER NOT NULL,
    place          INTEGER NOT NULL CHECK (place BETWEEN 1 AND 4),
    games_before   INTEGER NOT NULL CHECK (games_before >= 0), -- rated games
    k              INTEGER NOT NULL CHECK (k IN (16, 24, 40)),
    before_milli   INTEGER NOT NULL,
    delta_milli    INTEGER NOT NULL, -- as applied
    after_milli    INTEGER NOT NULL CHECK (after_milli = before_milli + delta_milli),
    cpu_plies      INTEGER NOT NULL CHECK (cpu_plies >= 0),
    control_at_end TEXT    NOT NULL CHECK (control_at_end IN ('player', 'cpu')),
    capped         INTEGER NOT NULL CHECK (capped IN (0, 1)), -- nobody gains by leaving
    floor_applied  INTEGER NOT NULL CHECK (floor_applied IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX rating_event_once ON rating_event (game_no, seat_no, kind);
CREATE INDEX rating_event_of_player ON rating_event (player_no, pool, event_no);

-- The summands of a result's delta, one row an opposing side.
CREATE TABLE rating_against (
    event_no         INTEGER NOT NULL REFERENCES rating_event,
    opponent_seat_no INTEGER NOT NULL CHECK (opponent_seat_no BETWEEN 0 AND 3), -- its first seat
    rating_milli     INTEGER NOT NULL, -- of the side, before the game
    expected_micro   INTEGER NOT NULL CHECK (expected_micro BETWEEN 0 AND 1000000),
    score_halves     INTEGER NOT NULL CHECK (score_halves IN (0, 1, 2)), -- a draw is half a win
    points_milli     INTEGER NOT NULL,
    PRIMARY KEY (event_no, opponent_seat_no)
) STRICT, WITHOUT ROWID;

-- One link an ended game: a keyed hash over the link before it and the game's own rows, written in
-- the transaction that ends the game. `banzuke verify` finds any row that was changed since.
CREATE TABLE chain_link (
    link    INTEGER NOT NULL PRIMARY KEY,
    kind    TEXT    NOT NULL CHECK (kind IN ('ended', 'voided', 'restored')),
    game_no INTEGER REFERENCES game,
    at_ms   INTEGER NOT NULL,
    hash    BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE UNIQUE INDEX chain_link_of_game ON chain_link (game_no, kind);

-- --- what may never change -------------------------------------------------------------------------
-- An ended game, its moves, events and rating events are append-only. Tools that ignore triggers are
-- caught by the chain.

CREATE TRIGGER game_keeps_its_end BEFORE UPDATE ON game WHEN OLD.status <> 'playing'
BEGIN SELECT RAISE(ABORT, 'an ended game never changes'); END;
CREATE TRIGGER game_is_kept BEFORE DELETE ON game
BEGIN SELECT RAISE(ABORT, 'a game is never deleted'); END;

CREATE TRIGGER seat_keeps_its_end BEFORE UPDATE ON seat
WHEN (SELECT status FROM game WHERE game_no = OLD.game_no) <> 'playing'
BEGIN SELECT RAISE(ABORT, 'a seat of an ended game never changes'); END;
CREATE TRIGGER seat_is_kept BEFORE DELETE ON seat
BEGIN SELECT RAISE(ABORT, 'a seat is never deleted'); END;

CREATE TRIGGER move_needs_a_running_game BEFORE INSERT ON move
WHEN (SELECT status FROM game WHERE game_no = NEW.game_no) <> 'playing'
BEGIN SELECT RAISE(ABORT, 'an ended game takes no move'); END;
CREATE TRIGGER move_never_changes BEFORE UPDATE ON move
BEGIN SELECT RAISE(ABORT, 'a move never changes'); END;
CREATE TRIGGER move_is_kept BEFORE DELETE ON move
BEGIN SELECT RAISE(ABORT, 'a move is never deleted'); END;

CREATE TRIGGER game_event_never_changes BEFORE UPDATE ON game_event
BEGIN SELECT RAISE(ABORT, 'an event never changes'); END;
CREATE TRIGGER game_event_is_kept BEFORE DELETE ON game_event
BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;

CREATE TRIGGER rating_event_never_changes BEFORE UPDATE ON rating_event
BEGIN SELECT RAISE(ABORT, 'a rating event never changes'); END;
CREATE TRIGGER rating_event_is_kept BEFORE DELETE ON rating_event
BEGIN SELECT RAISE(ABORT, 'a rating event is never deleted'); END;

CREATE TRIGGER rating_against_never_changes BEFORE UPDATE ON rating_against
BEGIN SELECT RAISE(ABORT, 'a rating event never changes'); END;
CREATE TRIGGER rating_against_is_kept BEFORE DELETE ON rating_against
BEGIN SELECT RAISE(ABORT, 'a rating event is never deleted'); END;

CREATE TRIGGER chain_link_never_changes BEFORE UPDATE ON chain_link
BEGIN SELECT RAISE(ABORT, 'a chain link never changes'); END;
CREATE TRIGGER chain_link_is_kept BEFORE DELETE ON chain_link
BEGIN SELECT RAISE(ABORT, 'a chain link is never deleted'); END;

-- Row numbers of players have no gaps: the view `ranking` counts on them.
CREATE TRIGGER player_is_kept BEFORE DELETE ON player
BEGIN SELECT RAISE(ABORT, 'a player is never deleted, only erased'); END;

-- --- rating counts: one up and one down in every width ----------------------------------------------
-- Written as upserts because those find their five rows by primary key.

CREATE TRIGGER rating_counted_in AFTER INSERT ON player_rating
BEGIN
    INSERT INTO rating_count (pool, list, width_milli, bucket, players)
    SELECT NEW.pool, NEW.list, w.column1, NEW.rating_milli / w.column1, 1
    FROM (VALUES (100000), (10000), (1000), (100), (10)) AS w WHERE true
    ON CONFLICT (pool, list, width_milli, bucket) DO UPDATE SET players = players + 1;
END;
CREATE TRIGGER rating_counted_out AFTER DELETE ON player_rating
BEGIN
    INSERT INTO rating_count (pool, list, width_milli, bucket, players)
    SELECT OLD.pool, OLD.list, w.column1, OLD.rating_milli / w.column1, 0
    FROM (VALUES (100000), (10000), (1000), (100), (10)) AS w WHERE true
    ON CONFLICT (pool, list, width_milli, bucket) DO UPDATE SET players = players - 1;
END;
CREATE TRIGGER rating_counted_again AFTER UPDATE OF rating_milli, list ON player_rating
WHEN NEW.rating_milli <> OLD.rating_milli OR NEW.list <> OLD.list
BEGIN
    INSERT INTO rating_count (pool, list, width_milli, bucket, players)
    SELECT OLD.pool, OLD.list, w.column1, OLD.rating_milli / w.column1, 0
    FROM (VALUES (100000), (10000), (1000), (100), (10)) AS w WHERE true
    ON CONFLICT (pool, list, width_milli, bucket) DO UPDATE SET players = players - 1;
    INSERT INTO rating_count (pool, list, width_milli, bucket, players)
    SELECT NEW.pool, NEW.list, w.column1, NEW.rating_milli / w.column1, 1
    FROM (VALUES (100000), (10000), (1000), (100), (10)) AS w WHERE true
    ON CONFLICT (pool, list, width_milli, bucket) DO UPDATE SET players = players + 1;
END;
