package dynamic

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"souk/internal/testing/script"
)

// TestRequestScripts runs testdata/requests/*.txt, each against a separate server with the
// test's clock. Addresses are below /api/v1/marketplace, or follow a *. {token of name}
// stands for the token in the mail about the request with a saved id. A block that begins
// with $ does something between the requests: see direct. A script that begins with "$ each
// name: a | b" runs once for each value.
func TestRequestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/requests/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		blocks := script.Read(t, file)
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		each, found := strings.CutPrefix(blocks[0].Request, "$ each ")
		if !found {
			t.Run(name, func(t *testing.T) { playScript(t, blocks, nil) })
			continue
		}
		variable, values, _ := strings.Cut(each, ": ")
		for i, value := range strings.Split(values, " | ") {
			t.Run(fmt.Sprint(name, "-", i+1), func(t *testing.T) {
				playScript(t, blocks[1:], map[string]string{variable: value})
			})
		}
	}
}

// A play is a running script.
type play struct {
	*house
	clock  *handClock
	player *script.Player
}

func playScript(t *testing.T, blocks []script.Block, saved map[string]string) {
	h := newHouse(t)
	p := &play{house: h, clock: handSet(), player: &script.Player{
		TB: t, Below: "/api/v1/marketplace", Saved: map[string]string{}, Token: func(id string) string { return h.mailed(id).token },
	}}
	p.Config.Build.Clock = p.clock.Now
	p.fillMarket()
	maps.Copy(p.player.Saved, saved)
	for _, b := range blocks {
		if directive, ok := strings.CutPrefix(b.Request, "$ "); ok {
			p.direct(p.player.Fill(directive))
			continue
		}
		if p.player.Host == "" {
			p.open()
			p.player.Host = strings.TrimPrefix(p.base, "http://")
		}
		p.player.Play(b)
	}
}
