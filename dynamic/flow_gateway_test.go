package dynamic

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// gatewayed are the forms in which mail gateways let a browser request a link's page; {}
// stands for what follows the "#".
var gatewayed = []string{
	"%23{}", "%2523{}", "%252523{}", "%23{}&utm_source=mail", "?{}", "?{}&utm_source=mail", "?utm_source=mail%23{}", "/", "/?{}", "/%23{}", "/{}", "&{}", ";{}", "",
	"//%23{}", "/./{}", "/../%23{}", "%20{}", "%3F{}", "%00{}", "%ff{}", "/verify/claim%23{}",
}

func TestLinksChangedByMailGatewaysOpenTheirPageAndAreNotLogged(t *testing.T) {
	log := &capture{}
	h := newHouse(t)
	h.fillMarket()
	h.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug - 8}))
	h.Metrics = "127.0.0.1:0"
	h.open()
	watched := regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+/metrics`).FindString(log.String())
	address, claim := h.askClaim("gone", "jane@gone.example")
	removalAt, removal := h.askRemoval("gone", "jane@gone.example")
	id := strings.Split(address, "/")[2]
	for kind, token := range map[string]string{"claim": claim.Token, "removal": removal.Token} {
		page, err := os.ReadFile(filepath.Join(h.Config.Build.Public, "verify", kind, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		rest := "id=" + id + "&token=" + token
		for _, form := range gatewayed {
			for _, follows := range []string{rest, strings.NewReplacer("=", "%3d", "&", "%26").Replace(rest), strings.NewReplacer("=", "%253D", "&", "%2526amp%253B").Replace(rest), id + "." + token} {
				path := "/verify/" + kind + strings.Replace(form, "{}", follows, 1)
				for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
					got := h.ask(method, path, "")
					want, says := http.StatusOK, string(page)
					switch method {
					case http.MethodHead:
						says = ""
					case http.MethodPost:
						want, says = http.StatusMethodNotAllowed, string(got.body)
					}
					if got.status != want || string(got.body) != says {
						t.Errorf("%s %s: %d %.300s", method, path, got.status, got.body)
					}
					if got.header.Get("Cache-Control") != "no-store" || want == http.StatusOK && got.header.Get("Referrer-Policy") != "no-referrer" {
						t.Errorf("%s %s has the headers %v", method, path, got.header)
					}
					if told := fmt.Sprint(got.header, string(got.body)); strings.Contains(told, token) {
						t.Errorf("%s %s is answered with the token: %s", method, path, told)
					}
				}
			}
		}
		// A changed link is a secret even where there is no page.
		for _, elsewhere := range []string{"//verify/" + kind + "?" + rest, "/verify%2F" + kind + "%23" + rest, "/x/verify/" + kind + "/" + id + "." + token} {
			if got := h.ask(http.MethodGet, elsewhere, ""); got.status != http.StatusNotFound || strings.Contains(fmt.Sprint(got), token) {
				t.Errorf("%s: %d %.300s", elsewhere, got.status, got.body)
			}
		}
	}
	if metrics := h.metrics(watched); strings.Contains(metrics, claim.Token) || strings.Contains(metrics, removal.Token) || strings.Contains(metrics, id) {
		t.Errorf("the metrics have a secret:\n%s", metrics)
	}
	if logged := log.String(); strings.Contains(logged, claim.Token) || strings.Contains(logged, removal.Token) || !strings.Contains(logged, "path=/verify/removal…") {
		t.Errorf("the log has a secret, or no request:\n%.4000s", logged)
	}
	// None of these requests has used the link up.
	h.must(http.StatusOK, removalAt, "", removal)
}
