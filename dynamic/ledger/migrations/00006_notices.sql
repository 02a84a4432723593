-- Notices of verified claims and removals to the operator's addresses. notice is
-- the id of the claim or of the removal; without a row, nothing was tried yet.
-- address is a digest, since the address may contain a secret.
CREATE TABLE notices (
    address  TEXT NOT NULL,
    notice   TEXT NOT NULL,
    state    TEXT NOT NULL CHECK (state IN ('waiting', 'accepted', 'ended')),
    attempts BIGINT NOT NULL,
    next_try BIGINT NOT NULL,
    PRIMARY KEY (address, notice)
);
CREATE INDEX notices_ended ON notices (address) WHERE state = 'ended';
CREATE INDEX claims_used ON claims (used_at) WHERE state = 'used';
CREATE INDEX removals_proven ON removals (removed_at) WHERE request_id IS NOT NULL;
