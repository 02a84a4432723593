//go:build unix

package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestAReleaseIsTheOneThatItsServerAnswers compares a release with a server that serves
// it, which shows some of its files to nobody and answers searches itself.
func TestAReleaseIsTheOneThatItsServerAnswers(t *testing.T) {
	i := house(t, built(t), market(true))
	i.build(t)
	s := i.serve(t)
	said, err := exec.Command(i.program, "diff", strings.TrimSuffix(s.base, "/api/v1/marketplace"), i.public, "--list").CombinedOutput()
	if err != nil || strings.TrimSpace(string(said)) != "no difference" {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestTheLogTellsHowLongTheFirstBuildTook(t *testing.T) {
	i := house(t, built(t), market(true))
	s := i.serve(t)
	s.stop()
	if told := regexp.MustCompile(`rebuilt .*seconds=(\S+)`).FindStringSubmatch(s.said.String()); told == nil || told[1] == "0" {
		t.Errorf("the log tells %q:\n%s", told, s.said)
	}
}
