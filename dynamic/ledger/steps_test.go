package ledger

import "context"

// Steps returns the statements of each migration.
func Steps() ([]string, error) { return readSteps() }

// OpenWith is Open of a program that knows other steps.
func OpenWith(ctx context.Context, target string, steps []string) (*Ledger, error) {
	return openWith(ctx, target, steps, true)
}
