-- Banzuke, migration 13: a ticket that led to no game can be read for 24 hours after its end and goes
-- some time later. Those of games stay: how long their players waited is part of the game's story.
CREATE INDEX ticket_without_game ON ticket (ended_at_ms) WHERE status IN ('cancelled', 'expired');
