-- Where a mail is in line (Place of package verification): class, then turn, then
-- either of the orders that the indexes have.
ALTER TABLE messages ADD COLUMN class BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN crowd BIGINT NOT NULL DEFAULT 0;
UPDATE messages SET class = 1 WHERE kind IN ('claim', 'attached');
CREATE INDEX messages_crowd ON messages (class, turn, crowd, created_at, id, next_try) WHERE state = 'waiting';
CREATE INDEX messages_newest ON messages (class, turn, created_at DESC, id, next_try) WHERE state = 'waiting';
