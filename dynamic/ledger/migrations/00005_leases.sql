-- Which servers answer (PostgreSQL alone). until is by the clock of the database.
-- withheld is the revision of the removals that the server withholds, made that of
-- its release.
CREATE TABLE leases (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    until      BIGINT NOT NULL,
    withheld   BIGINT NOT NULL,
    made       BIGINT NOT NULL,
    release_id TEXT NOT NULL
);

-- One row: no server answers without this revision. It is apart from meta, which
-- writers lock.
CREATE TABLE settled (revision BIGINT NOT NULL);
INSERT INTO settled (revision) VALUES (0);

-- Who makes releases into a target: one at a time, since when without another between.
CREATE TABLE builders (
    target TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    name   TEXT NOT NULL,
    place  TEXT NOT NULL,
    since  BIGINT NOT NULL,
    until  BIGINT NOT NULL
);
