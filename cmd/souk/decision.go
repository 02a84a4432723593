package main

import (
	"context"

	"github.com/spf13/pflag"

	"souk/dynamic/verification"
)

// decisionOptions are the flags of a command that records a decision of the operator.
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

// decide calls use with a verification process.
func (o *decisionOptions) decide(ctx context.Context, w environment, use func(*verification.Process) error) error {
	if o.reason == "" {
		return usagef("--reason is missing: say why, for the record")
	}
	l, err := o.openExisting(ctx)
	return withProcess(w, l, err, use)
}
