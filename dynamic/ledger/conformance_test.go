//go:build unix

package ledger_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

func TestConformance(t *testing.T) { inBoth(t, Conformance) }

// Conformance tests a database against what package verification requires of a Ledger and
// what this package promises. fresh returns a new empty database.
func Conformance(t *testing.T, fresh func() string) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, fresh func() string)
	}{
		{"a claim is on record from the start to the attachment", claimIsOnRecord},
		{"a removal outlives the process", removalOutlivesTheProcess},
		{"an update that fails leaves nothing", failedUpdateLeavesNothing},
		{"updates happen one after the other", updatesHappenOneAfterTheOther},
		{"of 100 proofs by one token one succeeds", oneProofOfMany},
		{"of 100 claims of one profile one succeeds", oneClaimOfMany},
		{"of 100 claims in one workspace one attaches", oneClaimOfManyInOneWorkspace},
		{"of two removals of one seller one succeeds", oneRemovalOfTwo},
		{"a key repeated at once makes one request", oneStartOfMany},
		{"a mail is in the hands of one sender", mailsAreLeasedOnce},
		{"limits are shared and outlive the process", limitsAreShared},
		{"mails leave in turn", mailsLeaveInTurn},
		{"what expired is purged, what is proven stays", expiredIsPurged},
		{"the outbox is not counted", nothingIsCounted},
		{"an older ledger keeps its mails", olderKeepsItsMails},
		{"attachments end on record", attachmentsEndOnRecord},
		{"a restored seller can be removed again", restoredAndRemovedAgain},
		{"programs that start at once begin one ledger", begunAtOnce},
		{"the publication history", publicationHistory},
		{"notices wait until they are settled", noticesWait},
		{"removals are read at one moment", removalsAreReadAtOneMoment},
		{"a newer ledger is refused", newerIsRefused},
		{"a ledger that has to be there is not made", missingIsRefused},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, fresh) })
	}
}

// day is the date of all tests.
var day = time.Date(2026, 3, 14, 9, 26, 53, 589793000, time.UTC)

// A market is a Process on a ledger, with its own sellers and clock.
type market struct {
	*verification.Process
	t      testing.TB
	ledger *ledger.Ledger
	mu     sync.Mutex
	clock  time.Time
}

func (m *market) now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clock
}

func (m *market) pass(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock = m.clock.Add(d)
}

// BySlug finds a seller for any slug: the slug is its id, and its domain is below .example.
func (m *market) BySlug(_ context.Context, slug string) (verification.Seller, bool, error) {
	return verification.Seller{ID: slug, Slug: slug, Name: "The " + slug, OfficialDomain: slug + ".example", Current: true}, true, nil
}

func (m *market) ByID(ctx context.Context, id string) (verification.Seller, bool, error) {
	return m.BySlug(ctx, id)
}

// Formerly returns the previous owner of one domain.
func (m *market) Formerly(_ context.Context, domain string, _ []string) ([]string, error) {
	if domain == "sold.example" {
		return []string{"buyer", "buyer-two"}, nil
	}
	return nil, nil
}

// newMarket opens a ledger. If limits is set, the default rate limits apply.
func newMarket(t testing.TB, target string, limits bool) *market {
	t.Helper()
	m := &market{t: t, ledger: open(t, target), clock: day}
	p, err := verification.New(verification.Config{Ledger: m.ledger, Sellers: m, Now: m.now, Random: rand.Reader, Unlimited: !limits})
	if err != nil {
		t.Fatal(err)
	}
	m.Process = p
	return m
}

func start(slug string) verification.Start {
	return verification.Start{Slug: slug, RequesterName: "Jane Doe", RequesterEmail: "jane@" + slug + ".example"}
}

func (m *market) claim(slug string) (id, token string) {
	m.t.Helper()
	s, err := m.StartClaim(m.t.Context(), start(slug))
	if err != nil {
		m.t.Fatal(err)
	}
	return s.ID, m.token(s.ID)
}

func (m *market) removal(slug string) (id, token string) {
	m.t.Helper()
	s, err := m.StartRemoval(m.t.Context(), start(slug))
	if err != nil {
		m.t.Fatal(err)
	}
	return s.ID, m.token(s.ID)
}

// token takes all due mails and returns the token of one request.
func (m *market) token(id string) string {
	m.t.Helper()
	mails, err := m.Lease(m.t.Context(), 100, time.Minute)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, mail := range mails {
		if mail.RequestID == id && mail.Token.Reveal() != "" {
			return mail.Token.Reveal()
		}
	}
	m.t.Fatalf("there is no mail with a token for %s", id)
	return ""
}

// has reports whether err has the code.
func has(err error, code verification.Code) bool {
	return errors.Is(err, &verification.Error{Code: code})
}

// atOnce calls f n times concurrently and returns the errors.
func atOnce(n int, f func(i int) error) []error {
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	errs := make([]error, n)
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-gate
			errs[i] = f(i)
		})
	}
	ready.Wait()
	close(gate)
	done.Wait()
	return errs
}

// tally counts the errors by code; "" is success.
func tally(errs []error) map[verification.Code]int {
	counts := map[verification.Code]int{}
	for _, err := range errs {
		var known *verification.Error
		switch {
		case err == nil:
			counts[""]++
		case errors.As(err, &known):
			counts[known.Code]++
		default:
			counts[verification.Code("unexpected: "+err.Error())]++
		}
	}
	return counts
}

func wantTally(t testing.TB, errs []error, want map[verification.Code]int) {
	t.Helper()
	if got := tally(errs); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("outcomes %v, want %v", got, want)
	}
}
