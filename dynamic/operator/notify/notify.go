// Package notify tells the operator about each verified claim and removal, by mail and by
// webhooks that are signed as Standard Webhooks requires (https://www.standardwebhooks.com).
//
// Notices are not queued: the ledger has the claims and removals, and this package asks
// which of them an address has not accepted. So a notice exists once its claim or removal
// does, whichever server verified it, and a restart loses none. An attempt is recorded
// before it is made, so that of several builders one makes it. A notice may arrive twice if
// the process dies before it records the answer; both have the same id.
//
// It does not know how anything is verified, and no person's name or address reaches it.
package notify

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/mail"
)

// Config configures a Notifier. Ledger, Sender, Market and Log are required.
type Config struct {
	Addresses []Address
	// Secret signs webhooks.
	Secret []byte
	Ledger *ledger.Ledger
	// Sender delivers mails. Market returns the marketplace's name and the address that
	// sends its mails.
	Sender mail.Sender
	Market func() (name, from string, err error)
	Log    *slog.Logger

	// Client makes the requests; default one that follows no redirects.
	Client *http.Client
	// Now is the wall clock, After the timer; default those of package time.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// Random returns numbers in [0, 1), which spread the retries; default math/rand.
	Random func() float64
}

const (
	// The wait starts at firstRetry and doubles with each attempt up to longestRetry, plus
	// or minus a quarter.
	firstRetry   = 30 * time.Second
	longestRetry = 24 * time.Hour
	// giveUpAfter is how long after the verification an address is tried.
	giveUpAfter = 7 * 24 * time.Hour
	// pollTime is how often the ledger is asked. Another server may have verified something.
	pollTime = 5 * time.Second
	// longestSend limits one attempt. It is shorter than the shortest retry.
	longestSend = 15 * time.Second
)

// A Notifier notifies the operator's addresses. Run must be called only once.
type Notifier struct {
	Config
	mu sync.Mutex
	// states says, by name, what is wrong with an address.
	states map[string]string
}

// New returns a Notifier; Run starts it.
func New(c Config) *Notifier {
	if c.Client == nil {
		c.Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.After == nil {
		c.After = time.After
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	return &Notifier{Config: c, states: map[string]string{}}
}

// State describes the addresses that accept nothing any more or are behind, without
// anything secret; "" if there is none.
func (n *Notifier) State() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(slices.Sorted(maps.Values(n.states)), "; ")
}

// tell sets the state of an address; "" means that nothing is wrong.
func (n *Notifier) tell(a Address, state string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.states, a.text)
	if state != "" {
		n.states[a.text] = state
	}
}

// Run notifies until ctx ends. Addresses do not wait for one another.
func (n *Notifier) Run(ctx context.Context) {
	var texts []string
	for _, a := range n.Addresses {
		texts = append(texts, a.text)
	}
	if err := n.Ledger.KeepNotices(ctx, texts, n.Now().Add(-2*giveUpAfter)); err != nil && ctx.Err() == nil {
		n.Log.Warn("old notices stay on record until the next start", "cause", err)
	}
	var all sync.WaitGroup
	for _, a := range n.Addresses {
		all.Go(func() {
			for ctx.Err() == nil {
				if err := n.round(ctx, a); err != nil && ctx.Err() == nil {
					n.Log.Error("cannot notify the operator; trying again", "address", a.name, "cause", err)
				}
				select {
				case <-ctx.Done():
				case <-n.After(pollTime):
				}
			}
		})
	}
	all.Wait()
}

// round makes the attempts that are due at an address.
func (n *Notifier) round(ctx context.Context, a Address) error {
	due, ended, err := n.Ledger.Notices(ctx, a.text, n.Now().Add(-giveUpAfter))
	if err != nil {
		return err
	}
	if ended {
		n.tell(a, a.name+" answered 410: it gets no more notices")
		return nil
	}
	waiting := 0
	for _, one := range due {
		if one.NextTry.After(n.Now()) {
			waiting++
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		answered, err := n.try(ctx, a, one)
		if err == nil && answered == http.StatusGone {
			return n.round(ctx, a) // which reads that it ended
		}
		if err != nil {
			return err
		}
		if answered == 0 {
			waiting++
		}
	}
	state := ""
	if waiting > 0 {
		state = fmt.Sprintf("%s does not answer: notices wait: %d", a.name, waiting)
	}
	n.tell(a, state)
	return nil
}

// try makes an attempt. It returns 200 if the address accepted the notice or another process
// is trying, 410 if the address accepts none any more, and 0 if it did not accept this one.
func (n *Notifier) try(ctx context.Context, a Address, one ledger.Notice) (answered int, err error) {
	next := n.Now().Add(n.delay(one.Attempts))
	if mine, err := n.Ledger.TryNotice(ctx, a.text, one, next); err != nil || !mine {
		return http.StatusOK, err
	}
	limited, cancel := context.WithTimeout(ctx, longestSend)
	defer cancel()
	log := n.Log.With("notice", one.ID, "address", a.name, "attempt", one.Attempts+1)
	gone, reason := n.send(limited, a, one)
	settled, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestSend)
	defer cancel()
	switch {
	case gone:
		log.Error("the address answered 410: it gets no more notices. To use it again, start the server once without it")
		return http.StatusGone, n.Ledger.SettleNotice(settled, a.text, one, ledger.NoticeEnded)
	case reason == "":
		log.Info("the operator was notified")
		return http.StatusOK, n.Ledger.SettleNotice(settled, a.text, one, ledger.NoticeAccepted)
	case next.After(one.At.Add(giveUpAfter)):
		log.Error("the operator was not notified, for seven days: this was the last attempt", "reason", reason)
	case ctx.Err() == nil:
		log.Warn("the operator is not notified yet", "reason", reason, "next", next.UTC())
	}
	return 0, nil
}

// send sends a notice once. reason says why it was not accepted, "" if it was; gone means
// that the address wants nothing more.
func (n *Notifier) send(ctx context.Context, a Address, one ledger.Notice) (gone bool, reason string) {
	if !a.IsWebhook() {
		return false, n.mail(ctx, a, one)
	}
	r, err := n.request(ctx, a, one)
	if err != nil {
		return false, "the request cannot be made"
	}
	response, err := n.Client.Do(r)
	if err != nil {
		return false, "no answer: " + reasonOf(err)
	}
	_, _ = io.CopyN(io.Discard, response.Body, 4<<10) // the connection can then be used again
	_ = response.Body.Close()
	if response.StatusCode/100 == 2 {
		return false, ""
	}
	return response.StatusCode == http.StatusGone, response.Status
}

// delay returns the time until the next attempt after that many.
func (n *Notifier) delay(attempts int) time.Duration {
	wait := longestRetry
	if attempts < 16 {
		wait = min(firstRetry<<attempts, longestRetry)
	}
	return time.Duration(float64(wait) * (0.75 + n.Random()/2))
}
