-- Banzuke, migration 4: what may never change is not replaced either.
--
-- REPLACE takes the row in the way out of its table, and the sqlite3 program, in whose connections
-- recursive_triggers is off, asks no delete trigger about it. So nothing is let in under a key that
-- is taken, and no row moves to another key.

CREATE TRIGGER game_is_new BEFORE INSERT ON game
WHEN EXISTS (SELECT 1 FROM game WHERE game_no = NEW.game_no)
    OR EXISTS (SELECT 1 FROM game WHERE game_id = NEW.game_id)
    OR EXISTS (SELECT 1 FROM game WHERE replay_of = NEW.replay_of)
BEGIN SELECT RAISE(ABORT, 'a game is never replaced'); END;
CREATE TRIGGER game_keeps_its_keys BEFORE UPDATE OF game_no, game_id, replay_of ON game
BEGIN SELECT RAISE(ABORT, 'a game keeps its keys'); END;

CREATE TRIGGER seat_is_new BEFORE INSERT ON seat
WHEN EXISTS (SELECT 1 FROM seat WHERE game_no = NEW.game_no AND seat_no = NEW.seat_no)
BEGIN SELECT RAISE(ABORT, 'a seat is never replaced'); END;
CREATE TRIGGER seat_keeps_its_keys BEFORE UPDATE OF game_no, seat_no ON seat
BEGIN SELECT RAISE(ABORT, 'a seat keeps its keys'); END;

CREATE TRIGGER move_is_new BEFORE INSERT ON move
WHEN EXISTS (SELECT 1 FROM move WHERE game_no = NEW.game_no AND ply = NEW.ply)
BEGIN SELECT RAISE(ABORT, 'a move never changes'); END;

CREATE TRIGGER game_event_is_new BEFORE INSERT ON game_event
WHEN EXISTS (SELECT 1 FROM game_event WHERE game_no = NEW.game_no AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'an event never changes'); END;

CREATE TRIGGER rating_event_is_new BEFORE INSERT ON rating_event
WHEN EXISTS (SELECT 1 FROM rating_event WHERE event_no = NEW.event_no)
    OR EXISTS (SELECT 1 FROM rating_event
        WHERE game_no = NEW.game_no AND seat_no = NEW.seat_no AND kind = NEW.kind)
BEGIN SELECT RAISE(ABORT, 'a rating event never changes'); END;

CREATE TRIGGER rating_against_is_new BEFORE INSERT ON rating_against
WHEN EXISTS (SELECT 1 FROM rating_against
    WHERE event_no = NEW.event_no AND opponent_seat_no = NEW.opponent_seat_no)
BEGIN SELECT RAISE(ABORT, 'a rating event never changes'); END;

CREATE TRIGGER chain_link_is_new BEFORE INSERT ON chain_link
WHEN EXISTS (SELECT 1 FROM chain_link WHERE link = NEW.link)
    OR EXISTS (SELECT 1 FROM chain_link WHERE game_no = NEW.game_no AND kind = NEW.kind)
BEGIN SELECT RAISE(ABORT, 'a chain link never changes'); END;

CREATE TRIGGER player_is_new BEFORE INSERT ON player
WHEN EXISTS (SELECT 1 FROM player WHERE player_no = NEW.player_no)
    OR EXISTS (SELECT 1 FROM player WHERE player_id = NEW.player_id)
BEGIN SELECT RAISE(ABORT, 'a player is never deleted, only erased'); END;
CREATE TRIGGER player_keeps_its_keys BEFORE UPDATE OF player_no, player_id ON player
BEGIN SELECT RAISE(ABORT, 'a player keeps its keys'); END;
