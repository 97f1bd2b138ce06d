-- Banzuke, migration 14: four-player shogi, alone and in pairs.

INSERT INTO pool (pool, game) VALUES ('yonin', 'yonin'), ('yonin_pairs', 'yonin');

-- Whom the player wants to sit opposite, in a pool of pairs; both name each other. NULL: anybody.
ALTER TABLE ticket ADD COLUMN partner_no INTEGER REFERENCES player;
