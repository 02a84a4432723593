package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
)

// A step is a measurement that runs in a process of its own, since it keeps
// much in memory: a system counts the memory of the process that starts another
// one towards that one's peak, so this process must stay small. It answers on
// standard output in JSON.
type step func(ctx context.Context, args []string) (any, error)

// stepFlag is the first argument of such a process.
const stepFlag = "-step"

var steps = map[string]step{"floor": floorStep, "watch": watchStep}

// runStep is the main program of a process of its own.
func runStep(ctx context.Context, args []string) error {
	if len(args) == 0 || steps[args[0]] == nil {
		return fmt.Errorf("%s takes the name of a step, not %q", stepFlag, args)
	}
	answer, err := steps[args[0]](ctx, args[1:])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(answer)
}

// apart takes a step and reads its answer.
func apart(ctx context.Context, answer any, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	var out, messages bytes.Buffer
	cmd := exec.CommandContext(ctx, self, slices.Insert(args, 0, stepFlag)...)
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", args[0], err, messages.String())
	}
	if err := json.Unmarshal(out.Bytes(), answer); err != nil {
		return fmt.Errorf("read the answer of %s: %w", args[0], err)
	}
	return nil
}

// floorStep takes the content, the public folder and a new folder to write.
func floorStep(_ context.Context, args []string) (any, error) {
	if len(args) != 3 {
		return nil, fmt.Errorf("floor takes three folders, not %q", args)
	}
	l, err := newLoad(args[0], args[1])
	if err != nil {
		return nil, err
	}
	return l.run(args[2])
}

// watchStep takes the content, the public and the state folder, and the number
// of listings.
func watchStep(ctx context.Context, args []string) (any, error) {
	if len(args) != 4 {
		return nil, fmt.Errorf("watch takes three folders and a number, not %q", args)
	}
	listings, err := strconv.Atoi(args[3])
	if err != nil {
		return nil, fmt.Errorf("watch takes a number of listings: %w", err)
	}
	return watch(ctx, newMarket(listings), args[0], args[1], args[2])
}
