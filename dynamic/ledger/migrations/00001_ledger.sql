-- Both databases read this file, so it keeps to what they share. Times are
-- microseconds since 1970 in UTC, and 0 is no time. Hashes are lower-case
-- hexadecimal.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO meta (name, value) VALUES ('release', '');
-- revision counts the changes of what Removals returns.
INSERT INTO meta (name, value) VALUES ('revision', '0');

-- Claims and removal requests are of one form and apart, so that a token of the
-- one finds nothing among the other. token_hashes are separated by spaces.
CREATE TABLE claims (
    id               TEXT PRIMARY KEY,
    state            TEXT NOT NULL CHECK (state IN ('pending', 'used')),
    seller_id        TEXT NOT NULL,
    slug             TEXT NOT NULL,
    seller_name      TEXT NOT NULL,
    domain           TEXT NOT NULL,
    requester_name   TEXT NOT NULL,
    requester_local  TEXT NOT NULL,
    requester_domain TEXT NOT NULL,
    token_hashes     TEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    used_at          BIGINT NOT NULL,
    workspace        TEXT NOT NULL
);

CREATE INDEX claims_seller ON claims (seller_id);

CREATE TABLE removal_requests (
    id               TEXT PRIMARY KEY,
    state            TEXT NOT NULL CHECK (state IN ('pending', 'used')),
    seller_id        TEXT NOT NULL,
    slug             TEXT NOT NULL,
    seller_name      TEXT NOT NULL,
    domain           TEXT NOT NULL,
    requester_name   TEXT NOT NULL,
    requester_local  TEXT NOT NULL,
    requester_domain TEXT NOT NULL,
    token_hashes     TEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    used_at          BIGINT NOT NULL,
    workspace        TEXT NOT NULL
);
CREATE INDEX removal_requests_pending ON removal_requests (seller_id) WHERE state = 'pending';

CREATE TABLE attachments (
    seller_id   TEXT PRIMARY KEY,
    workspace   TEXT NOT NULL,
    claim_id    TEXT NOT NULL REFERENCES claims (id),
    attached_at BIGINT NOT NULL
);

-- request_id is NULL where the operator removed the seller, who says why in
-- reason. beside are canonical ids, one a line, of sellers that the removal does
-- not take along. restored_at repeats restorations.at, for the index: one removal holds for a
-- seller at a time.
CREATE TABLE removals (
    id          TEXT PRIMARY KEY,
    request_id  TEXT UNIQUE REFERENCES removal_requests (id),
    seller_id   TEXT NOT NULL,
    slug        TEXT NOT NULL,
    seller_name TEXT NOT NULL,
    domain      TEXT NOT NULL,
    beside      TEXT NOT NULL,
    reason      TEXT NOT NULL,
    removed_at  BIGINT NOT NULL,
    restored_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX removals_holding ON removals (seller_id) WHERE restored_at = 0;
CREATE INDEX removals_domain ON removals (domain) WHERE restored_at = 0;

CREATE TABLE restorations (
    removal_id TEXT PRIMARY KEY REFERENCES removals (id),
    reason     TEXT NOT NULL,
    at         BIGINT NOT NULL
);

-- The outbox. A lease is a next_try in the future.
CREATE TABLE messages (
    id           TEXT PRIMARY KEY,
    kind         TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('waiting', 'accepted', 'dropped')),
    to_local     TEXT NOT NULL,
    to_domain    TEXT NOT NULL,
    name         TEXT NOT NULL,
    request_id   TEXT NOT NULL,
    seller_id    TEXT NOT NULL,
    slug         TEXT NOT NULL,
    seller_name  TEXT NOT NULL,
    domain       TEXT NOT NULL,
    workspace    TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    attempts     BIGINT NOT NULL,
    next_try     BIGINT NOT NULL,
    accepted_at  BIGINT NOT NULL,
    last_error   TEXT NOT NULL
);
CREATE INDEX messages_due ON messages (next_try) WHERE state = 'waiting';

CREATE TABLE api_tokens (
    id           TEXT PRIMARY KEY,
    workspace    TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    revoked_at   BIGINT NOT NULL
);

CREATE TABLE idempotency (
    purpose    TEXT NOT NULL,
    seller_id  TEXT NOT NULL,
    key_hash   TEXT NOT NULL,
    body_hash  TEXT NOT NULL,
    request_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (purpose, seller_id, key_hash)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE rate_events (
    key_hash TEXT NOT NULL,
    at       BIGINT NOT NULL
);
CREATE INDEX rate_events_key ON rate_events (key_hash, at);
CREATE INDEX rate_events_age ON rate_events (at);

-- The publication history. Releases that changed nothing of it are not here.
CREATE TABLE releases (
    number BIGINT PRIMARY KEY,
    id     TEXT NOT NULL,
    at     BIGINT NOT NULL
);

-- until_release is the first that no longer has it, 0 while it stands. digest
-- is of everything that the seller has published, to find differences by.
CREATE TABLE publications (
    seller_id     TEXT NOT NULL,
    slug          TEXT NOT NULL,
    domain        TEXT NOT NULL,
    from_release  BIGINT NOT NULL REFERENCES releases (number),
    until_release BIGINT NOT NULL,
    digest        TEXT NOT NULL,
    PRIMARY KEY (seller_id, from_release)
);
CREATE UNIQUE INDEX publications_standing ON publications (seller_id) WHERE until_release = 0;
CREATE INDEX publications_slug ON publications (slug);
CREATE INDEX publications_domain ON publications (domain);

CREATE TABLE addresses (
    seller_id     TEXT NOT NULL,
    address       TEXT NOT NULL,
    from_release  BIGINT NOT NULL REFERENCES releases (number),
    until_release BIGINT NOT NULL,
    PRIMARY KEY (seller_id, address, from_release)
);
