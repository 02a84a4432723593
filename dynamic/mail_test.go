package dynamic

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"souk/dynamic/mail"
	"souk/dynamic/verification"
)

// A postOffice takes mails over SMTP.
type postOffice struct{ mails chan string }

func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) { return p, nil }
func (p *postOffice) Mail(string, *smtp.MailOptions) error        { return nil }
func (p *postOffice) Rcpt(string, *smtp.RcptOptions) error        { return nil }
func (p *postOffice) Reset()                                      {}
func (p *postOffice) Logout() error                               { return nil }

func (p *postOffice) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	p.mails <- string(text)
	return err
}

// post sends a body to an address below /api/v1/marketplace.
func (h *house) post(address, body string) (int, string) {
	h.Helper()
	response, err := http.Post(h.base+"/api/v1/marketplace"+address, "application/json", strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		h.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestAMailIsSentOnceItsServerIsBackAlsoAfterARestart(t *testing.T) {
	h := newHouse(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	server, err := mail.ParseServer("smtp://" + address)
	if err != nil {
		t.Fatal(err)
	}
	h.Requests.Sender = mail.SMTP{Server: server}
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	h.Config.Build.Clock = now

	for n := range 2 {
		stop := h.open()
		if n == 0 {
			status, body := h.post("/companies/acme/removal-requests", `{"requesterName":"Jane","requesterEmail":"jane@acme.example"}`)
			if status != http.StatusAccepted {
				t.Fatal(status, body)
			}
		}
		h.until("the mail is put off", func() bool {
			var o verification.OutboxState
			err := h.Requests.Ledger.View(t.Context(), func(r verification.Reader) (err error) {
				o, err = r.Outbox()
				return err
			})
			// Its lease, while it is tried, is longer.
			wait := o.Next.Sub(now())
			return err == nil && o.Waiting == 1 && wait > 0 && wait < 3*time.Minute
		})
		stop()
		ahead.Add(int64(3 * time.Minute))
	}

	office := &postOffice{mails: make(chan string, 10)}
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	s := smtp.NewServer(office)
	s.Domain = "localhost"
	go s.Serve(listener) // it ends with Close
	t.Cleanup(func() { s.Close() })
	h.open()
	select {
	case text := <-office.mails:
		text = strings.NewReplacer("=\r\n", "", "=3D", "=").Replace(text)
		link := regexp.MustCompile(`#id=([\w-]+)&token=([\w-]+)`).FindStringSubmatch(text)
		if link == nil {
			t.Fatalf("there is no link in the mail: %s", text)
		}
		proof, err := json.Marshal(map[string]string{"token": link[2]})
		if err != nil {
			t.Fatal(err)
		}
		if status, body := h.post("/company-removal-requests/"+link[1]+"/verify", string(proof)); status != http.StatusOK {
			t.Errorf("%d %s", status, body)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("no mail came")
	}
	h.untilAnswer("/companies/acme", http.StatusGone, "removed")
}
