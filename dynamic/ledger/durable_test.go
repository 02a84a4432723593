//go:build unix

package ledger_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
	"souk/internal/testing/postgrestest"
)

// commitUntilKilled adds records one by one and prints the number of each once its commit
// has been acknowledged.
func commitUntilKilled(target string) int {
	ctx := context.Background()
	l, err := ledger.Open(ctx, target)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for i := 0; ; i++ {
		id := fmt.Sprintf("%d-%d", os.Getpid(), i)
		err := l.Update(ctx, func(tx verification.Tx) error {
			return tx.AddAPIToken(verification.APIToken{ID: id, Workspace: "w", Hash: verification.Hash(id), CreatedAt: day})
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(id)
	}
}

// A process is killed at a random moment in a loop of commits. All acknowledged commits
// must survive.
func TestAcknowledgedCommitsSurviveAKill(t *testing.T) {
	inBoth(t, func(t *testing.T, fresh func() string) {
		target := fresh()
		l := open(t, target)
		acknowledged := map[string]bool{}
		for range 8 {
			killed(t, target, 1+rand.IntN(40), acknowledged)
		}
		kept := map[string]bool{}
		err := l.View(t.Context(), func(r verification.Reader) error {
			list, err := r.APITokens()
			for _, one := range list {
				kept[one.ID] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for id := range acknowledged {
			if !kept[id] {
				t.Errorf("%s was acknowledged and is lost", id)
			}
		}
		// Each kill may have interrupted one commit before its acknowledgement was printed.
		if len(acknowledged) < 8 || len(kept) < len(acknowledged) {
			t.Errorf("%d acknowledged, %d kept", len(acknowledged), len(kept))
		}
	})
}

// killed runs a process until it has printed that many numbers, then kills it.
func killed(t *testing.T, target string, after int, acknowledged map[string]bool) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), committing+"="+target)
	var complaints strings.Builder
	child.Stderr = &complaints
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 1; lines.Scan(); n++ {
		acknowledged[lines.Text()] = true
		if n == after {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = child.Wait() // it was killed
	if complaints.Len() > 0 {
		t.Error(complaints.String())
	}
}

func TestErrorsExplainALostDatabase(t *testing.T) {
	postgres(t) // skips the test without PostgreSQL
	s, err := postgrestest.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	m := newMarket(t, s.Database(t), false)
	id, token := m.removal("acme")
	s.Crash()
	began := time.Now()
	for range 2 {
		_, err = m.VerifyRemoval(t.Context(), id, token)
		if err == nil || !strings.Contains(err.Error(), "PostgreSQL") {
			t.Errorf("while it is gone: %v", err)
		}
		if strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "jane") {
			t.Error("the error shows what is nobody's business")
		}
	}
	if _, err := m.ledger.LastRelease(t.Context()); err == nil {
		t.Error("it can be read")
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("to say so took %s", took)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.VerifyRemoval(t.Context(), id, token); err != nil {
		t.Errorf("once it is back: %v", err)
	}
	s.Crash()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	if r, err := m.ledger.Removals(t.Context(), nil, nil); err != nil || r.Empty() || r.List()[0].ID != "acme" {
		t.Errorf("after another crash: %v, %v", r.List(), err)
	}
}
