package ledger

import "context"

// Steps returns the statements of each migration.
func Steps() ([]string, error) { return readSteps() }

// OpenWith opens a ledger like a program with other migration steps.
func OpenWith(ctx context.Context, target string, steps []string) (*Ledger, error) {
	return openWith(ctx, target, steps, true)
}
