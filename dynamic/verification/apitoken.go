package verification

import (
	"context"
	"crypto/subtle"
	"strings"
	"time"
)

// lastUseStep is how old the recorded last use may get before it is updated, so that not
// every use costs a commit.
const lastUseStep = time.Minute

// apiTokenPrefix lets people, and scanners for leaked secrets, recognize a token.
const apiTokenPrefix = "souk_"

func apiTokenHash(secret string) Hash { return hashOf("souk api token", secret) }

// NewAPIToken creates a bearer token for a workspace. The secret appears only in this
// result.
func (p *Process) NewAPIToken(ctx context.Context, workspace string) (APIToken, Token, error) {
	if err := checkWorkspace(workspace); err != nil {
		return APIToken{}, Token{}, err
	}
	secret, err := newToken(p.config.Random)
	if err != nil {
		return APIToken{}, Token{}, err
	}
	secret.text = apiTokenPrefix + secret.text
	id, err := newID(p.config.Random, "token")
	if err != nil {
		return APIToken{}, Token{}, err
	}
	made := APIToken{ID: id, Workspace: workspace, Hash: apiTokenHash(secret.text), CreatedAt: p.now()}
	err = p.config.Ledger.Update(ctx, func(tx Tx) error { return tx.AddAPIToken(made) })
	if err != nil {
		return APIToken{}, Token{}, err
	}
	return made, secret, nil
}

// APITokens returns all tokens, including revoked ones, oldest first.
func (p *Process) APITokens(ctx context.Context) (list []APIToken, err error) {
	err = p.config.Ledger.View(ctx, func(r Reader) error {
		list, err = r.APITokens()
		return err
	})
	return list, err
}

// RevokeAPIToken revokes the token with an id. It takes effect at once for all servers that
// share the ledger. Revoking a revoked token changes nothing; for an unknown id it fails
// with CodeNotFound.
func (p *Process) RevokeAPIToken(ctx context.Context, id string) (revoked APIToken, err error) {
	err = p.config.Ledger.Update(ctx, func(tx Tx) error {
		list, err := tx.APITokens()
		if err != nil {
			return err
		}
		for _, t := range list {
			if t.ID != id {
				continue
			}
			if t.RevokedAt.IsZero() {
				t.RevokedAt = p.now()
			}
			revoked = t
			return tx.ChangeAPIToken(t)
		}
		return &Error{Code: CodeNotFound, Detail: "There is no token with that id: run 'souk token list' to list tokens."}
	})
	return revoked, err
}

// Authenticate returns the workspace of a bearer token and records its use. It fails with
// CodeUnauthenticated if the token is unknown or revoked.
func (p *Process) Authenticate(ctx context.Context, secret string) (workspace string, err error) {
	h := apiTokenHash(secret)
	var t APIToken
	err = p.strangers.View(ctx, func(r Reader) (err error) {
		t, err = usable(r, h)
		return err
	})
	now := p.now()
	if err != nil || now.Sub(t.LastUsedAt) < lastUseStep {
		return t.Workspace, err
	}
	err = p.strangers.Update(ctx, func(tx Tx) (err error) {
		if t, err = usable(tx, h); err != nil {
			return err
		}
		t.LastUsedAt = now
		return tx.ChangeAPIToken(t)
	})
	if err != nil {
		return "", err
	}
	return t.Workspace, nil
}

// usable finds an unrevoked token by the hash of its secret.
func usable(r TokenReader, h Hash) (APIToken, error) {
	t, ok, err := r.APIToken(h)
	if err != nil {
		return APIToken{}, err
	}
	same := subtle.ConstantTimeCompare([]byte(h), []byte(t.Hash)) == 1
	if !ok || !same || !t.RevokedAt.IsZero() {
		return APIToken{}, &Error{Code: CodeUnauthenticated, Detail: "The bearer token is not valid."}
	}
	return t, nil
}

// IsAPIToken reports whether a bearer token looks like one of ours, valid or not.
func IsAPIToken(secret string) bool { return strings.HasPrefix(secret, apiTokenPrefix) }
