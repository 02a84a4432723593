-- Attachments that the operator ended. moved_to is the workspace that the
-- profile went to, empty where it was released.
CREATE TABLE detachments (
    seller_id   TEXT NOT NULL,
    workspace   TEXT NOT NULL,
    claim_id    TEXT NOT NULL,
    attached_at BIGINT NOT NULL,
    moved_to    TEXT NOT NULL,
    reason      TEXT NOT NULL,
    at          BIGINT NOT NULL
);
CREATE INDEX detachments_seller ON detachments (seller_id);
