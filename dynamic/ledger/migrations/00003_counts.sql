-- How many mails are in each state, the purged ones included, so that nobody
-- has to count them.
CREATE TABLE mail_counts (
    state TEXT PRIMARY KEY,
    mails BIGINT NOT NULL
);
INSERT INTO mail_counts (state, mails) SELECT 'waiting', COUNT(*) FROM messages WHERE state = 'waiting';
INSERT INTO mail_counts (state, mails) SELECT 'accepted', COUNT(*) FROM messages WHERE state = 'accepted';
INSERT INTO mail_counts (state, mails) SELECT 'dropped', COUNT(*) FROM messages WHERE state = 'dropped';
CREATE INDEX messages_oldest ON messages (created_at) WHERE state = 'waiting';

-- What Purge deletes, by age.
CREATE INDEX messages_settled ON messages (created_at) WHERE state <> 'waiting';
CREATE INDEX claims_expired ON claims (expires_at) WHERE state = 'pending';
CREATE INDEX removal_requests_expired ON removal_requests (expires_at) WHERE state = 'pending';

-- A start asks for a slug that no seller has.
CREATE INDEX removals_slug ON removals (slug) WHERE restored_at = 0;
