package main

import (
	"context"

	"github.com/spf13/pflag"

	"souk/dynamic/verification"
)

// decisionOptions are those of a command that puts a decision of the operator on
// record.
type decisionOptions struct {
	ledgerOptions
	reason string
	json   bool
}

func (o *decisionOptions) add(flags *pflag.FlagSet) {
	o.ledgerOptions.add(flags)
	flags.StringVar(&o.reason, "reason", "", "the reason to record (required)")
	flags.BoolVar(&o.json, "json", false, "print as JSON")
}

// decide calls use with the process that keeps the record.
func (o *decisionOptions) decide(ctx context.Context, w environment, use func(*verification.Process) error) error {
	if o.reason == "" {
		return usagef("--reason is missing: it goes on record")
	}
	l, err := o.openExisting(ctx)
	return withProcess(w, l, err, use)
}
