-- Banzuke, migration 6: what requests with an Idempotency-Key have done, so that the same request
-- again gets the same answer. Rows live for 24 hours; keys and bodies are known by keyed hashes only.

CREATE TABLE receipt (
    scope         BLOB    NOT NULL PRIMARY KEY CHECK (length(scope) = 16), -- whose key, and for what
    print         BLOB    NOT NULL CHECK (length(print) = 16), -- of the request's body
    answer        BLOB, -- sealed with the client's key, which is not stored
    device_no     INTEGER REFERENCES device, -- in its place where the answer had a token
    created_at_ms INTEGER NOT NULL,
    CHECK ((answer IS NULL) <> (device_no IS NULL))
) STRICT;
CREATE INDEX receipt_by_age ON receipt (created_at_ms);
