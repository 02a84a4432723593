package dynamic

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"souk/build/catalog"
)

// An agent is a client of a house's MCP server.
type agent struct {
	test
	*sdk.ClientSession
}

func (h *house) agent() *agent {
	h.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: h.base + "/mcp"}, nil)
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { _ = session.Close() })
	return &agent{h.test, session}
}

// toolAnswer is a tool's answer as a client reads it.
type toolAnswer struct {
	Items []struct {
		Kind, URL, APIURL, Status, Name string
		Document                        map[string]any
	}
	Total     int
	Truncated bool
	Next      string
	// text is the table, whole is the complete answer, and wrong means that it is an error.
	text, whole string
	wrong       bool
}

func (a *agent) call(name string, args map[string]any) toolAnswer {
	a.Helper()
	r, err := a.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		a.Fatalf("%s %v: %v", name, args, err)
	}
	whole, err := json.Marshal(r)
	if err != nil {
		a.Fatal(err)
	}
	t := toolAnswer{whole: string(whole), wrong: r.IsError, text: r.Content[0].(*sdk.TextContent).Text}
	if !t.wrong {
		structured, err := json.Marshal(r.StructuredContent)
		if err != nil {
			a.Fatal(err)
		}
		if err := json.Unmarshal(structured, &t); err != nil {
			a.Fatal(err)
		}
	}
	return t
}

type args = map[string]any

func TestAgentsReadTheMarketWithSixTools(t *testing.T) {
	h := newHouse(t)
	h.write("market-maps/first.yaml", "title: The first map\nsegments:\n  - name: All\n    entries: [seller:acme]\n")
	h.open()
	a := h.agent()
	listed, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(listed.Tools) != 6 || listed.NextCursor != "" {
		t.Errorf("%d tools, next %q", len(listed.Tools), listed.NextCursor)
	}
	found := a.call("search", args{"q": "arm"})
	if len(found.Items) == 0 || found.Items[0].URL == "" || found.Items[0].APIURL == "" {
		t.Fatalf("search: %s", found.whole)
	}
	for _, one := range []args{{"map": "first"}, {"map": "first", "segment": "All"}} {
		if r := a.call("maps", one); r.wrong || len(r.Items) != 1 {
			t.Errorf("maps %v: %s", one, r.whole)
		}
	}
	got := a.call("get", args{"refs": []string{found.Items[0].URL, found.Items[0].APIURL, "seller:no-one", "gibberish"}})
	if len(got.Items) != 4 || got.Items[0].Status != "found" || got.Items[1].Status != "found" || got.Items[2].Status != "unknown" || got.Items[3].Status != "unknown" {
		t.Errorf("get: %s", got.whole)
	}
	for _, one := range []struct {
		tool string
		args args
	}{{"suggest", args{"q": "a"}}, {"categories", nil}, {"articles", nil}, {"maps", nil}} {
		if r := a.call(one.tool, one.args); r.wrong || len(r.Items) == 0 {
			t.Errorf("%s: %s", one.tool, r.whole)
		}
	}
}

func TestToolErrorsListValidValues(t *testing.T) {
	h := newHouse(t)
	h.open()
	a := h.agent()
	for _, one := range []struct {
		tool string
		args args
		says string
	}{
		{"search", args{"categry": "x"}, "category"},
		{"search", args{"category": "nonsense"}, "product/slug"},
		{"search", args{"price": "1..5"}, "ISO 4217"},
		{"search", args{"limit": 101}, "1 to 100"},
		{"search", args{"sort": "cheap"}, "relevance, name, newest, price"},
		{"search", args{"next": "x"}, "leave it out"},
		{"search", args{"q": 7}, "takes a string"},
		{"suggest", args{}, "required"},
		{"get", args{"refs": []string{}}, "1 to 20"},
		{"categories", args{"category": "product/nothing-like-it"}, "product/nothing-like-it"},
		{"articles", args{"next": "zz.1"}, "leave it out"},
		{"maps", args{"map": "nothing"}, "without it"},
		{"maps", args{"segment": "x"}, "which map"},
	} {
		if r := a.call(one.tool, one.args); !r.wrong || !strings.Contains(r.text, one.says) {
			t.Errorf("%s %v does not say %q: %s", one.tool, one.args, one.says, r.text)
		}
	}
}

func TestUnmatchedValidValueIsReportedToAgents(t *testing.T) {
	h := newHouse(t)
	h.open()
	a := h.agent()
	for _, filter := range []args{
		{"seller": "nobody"}, {"category": "product/nothing"}, {"attribute": "Nothing:1..2 kg"}, {"country": "NZ"}, {"price": "1..2", "currency": "KWD"},
	} {
		if r := a.call("search", filter); r.wrong || len(r.Items) != 0 || !strings.Contains(r.whole, `"total":0`) {
			t.Errorf("search %v: %s", filter, r.whole)
		}
	}
}

func TestMCPRefusesForeignHostsAndOrigins(t *testing.T) {
	h := newHouse(t)
	h.Hosts = []string{"agents.example"}
	h.open()
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	ask := func(method, body string, header ...string) (int, string, http.Header) {
		t.Helper()
		r, err := http.NewRequest(method, h.base+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
			if header[i] == "Host" {
				r.Host = header[i+1]
			}
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(answer), response.Header
	}
	batch := "[" + strings.Repeat(list+",", 16) + list + "]"
	for _, one := range []struct {
		what, method, body string
		header             []string
		status             int
	}{
		{"loopback", "POST", list, nil, 200},
		{"localhost", "POST", list, []string{"Host", "localhost:99"}, 200},
		{"a name of --mcp-host", "POST", list, []string{"Host", "agents.example"}, 200},
		{"another name, as of DNS rebinding", "POST", list, []string{"Host", "evil.example"}, 403},
		{"a name that begins alike", "POST", list, []string{"Host", "127.0.0.1.evil.example"}, 403},
		{"a page of another site", "POST", list, []string{"Origin", "https://evil.example"}, 403},
		{"a page without origin", "POST", list, []string{"Origin", "null"}, 403},
		{"a page of this machine", "POST", list, []string{"Origin", "http://localhost:5173"}, 200},
		{"GET", "GET", "", nil, 405},
		{"DELETE", "DELETE", "", nil, 405},
		{"OPTIONS", "OPTIONS", "", nil, 204},
		{"a long body", "POST", list + strings.Repeat(" ", 64<<10), nil, 413},
		{"a long batch", "POST", batch, nil, 413},
		{"no JSON", "POST", "{", nil, 400},
	} {
		status, answer, header := ask(one.method, one.body, one.header...)
		if status != one.status || header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d, not %d, %v: %s", one.what, status, one.status, header, answer)
		}
		if status == 405 && header.Get("Allow") != "OPTIONS, POST" || status == 204 && !strings.Contains(header.Get("Access-Control-Allow-Headers"), "mcp-protocol-version") {
			t.Errorf("%s: %v", one.what, header)
		}
	}
}

// shows reports whether an answer contains a text anywhere.
func (t toolAnswer) shows(text string) bool { return strings.Contains(strings.ToLower(t.whole), text) }

func TestRemovedSellerIsGoneFromEveryToolOnceTheRemovalIsAnswered(t *testing.T) {
	h := newHouse(t)
	h.write("market-maps/first.yaml", "title: The first map\nsegments:\n  - name: All\n    entries: [seller:acme]\n")
	h.open()
	a := h.agent()
	if before := a.call("get", args{"refs": []string{"seller:acme"}, "detail": "full"}); before.Items[0].Status != "found" {
		t.Fatal(before.whole)
	}
	offers := a.call("search", args{"seller": "acme", "limit": 100})
	if len(offers.Items) == 0 {
		t.Fatal(offers.whole)
	}
	refs := []string{"seller:acme"}
	for _, one := range offers.Items {
		refs = append(refs, one.URL)
	}
	h.withdraw("acme", "acme.example")
	got := a.call("get", args{"refs": refs, "detail": "full"})
	for i, one := range got.Items {
		if one.Status != "removed" || one.Document != nil {
			t.Errorf("%s: %s", refs[i], one.Status)
		}
	}
	if r := a.call("search", args{"seller": "acme"}); r.wrong || len(r.Items) > 0 {
		t.Errorf("search by the removed seller is not as by one that never was: %s", r.whole)
	}
	for _, one := range []struct {
		tool string
		args args
	}{
		{"search", args{"limit": 100, "detail": "full"}}, {"search", args{"limit": 100}}, {"suggest", args{"q": "a", "limit": 20}},
		{"categories", nil}, {"categories", args{"category": "product/robots"}}, {"articles", nil}, {"articles", args{"q": "robots"}},
		{"maps", nil}, {"maps", args{"map": "first"}}, {"maps", args{"map": "first", "segment": "All"}},
	} {
		if r := a.call(one.tool, one.args); r.shows("/companies/acme") || r.shows(`"acme`) {
			t.Errorf("%s %v shows the seller: %s", one.tool, one.args, r.whole)
		}
	}
}

func TestStreamedAgentsSeeARemovalInTheNextCall(t *testing.T) {
	h := newHouse(t)
	in, ask := io.Pipe()
	answer, out := io.Pipe()
	var gone atomic.Bool
	c := AgentsConfig{Build: h.Config.Build, Log: h.Log, Version: "1.2.3-test", Removals: func(ctx context.Context) (*catalog.Removals, error) {
		if gone.Load() {
			return nil, nil
		}
		return h.Verification.Ledger.Removals(ctx, nil, nil)
	}}
	ended := make(chan error, 1)
	go func() { ended <- ServeAgents(context.Background(), c, in, out) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: answer, Writer: ask}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if info := session.InitializeResult().ServerInfo; info.Version != c.Version || info.Title != "Test Market" {
		t.Errorf("the stream says that it is %+v", info)
	}
	a := &agent{h.test, session}
	if r := a.call("search", args{"seller": "acme"}); len(r.Items) == 0 {
		t.Fatal(r.whole)
	}
	var acme *catalog.Seller
	h.content().EachSeller(func(n *catalog.Node) {
		if n.Ref().Slug == "acme" {
			acme = n.Item().(*catalog.Seller)
		}
	})
	h.removeElsewhere(acme)
	get := a.call("get", args{"refs": []string{"seller:acme"}})
	for get.wrong { // on a slow machine a build takes longer than a call may
		if get.shows("acme") {
			t.Fatal(get.whole)
		}
		get = a.call("get", args{"refs": []string{"seller:acme"}})
	}
	if get.Items[0].Status != "removed" {
		t.Error(get.whole)
	}
	for range 2 { // with the ledger, and then without it
		if r := a.call("search", args{"limit": 100}); r.shows("/companies/acme") {
			t.Error(r.whole)
		}
		gone.Store(true)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("ServeAgents: %v", err)
	}
}

func TestMCPIsDiscoverableFromTheHomePage(t *testing.T) {
	h := newHouse(t)
	h.open()
	for _, path := range []string{"/", market} {
		links := strings.Join(h.ask("GET", path, "").header.Values("Link"), ", ")
		for _, relation := range []string{`</.well-known/api-catalog>; rel="api-catalog"`, `rel="service-desc"`, `rel="service-doc"`, `</.well-known/ai-catalog.json>; rel="service-meta"`,
			`</.well-known/ai-catalog.json>; rel="ai-catalog"`, `</.well-known/ard.json>; rel="ard"`} {
			if !strings.Contains(links, relation) {
				t.Errorf("%s has no Link %s: %s", path, relation, links)
			}
		}
	}
	catalogue := h.ask("GET", "/.well-known/ai-catalog.json", "")
	if ard := h.ask("GET", "/.well-known/ard.json", ""); ard.status != 200 || string(ard.body) != string(catalogue.body) || ard.header.Get("Content-Type") != catalogue.header.Get("Content-Type") {
		t.Errorf("ard.json is %d %v %s", ard.status, ard.header, ard.body)
	}
	card := h.ask("GET", "/.well-known/mcp/server-card.json", "")
	if catalogue.status != 200 || catalogue.header.Get("Content-Type") != "application/ai-catalog+json" || card.status != 200 || card.header.Get("Content-Type") != "application/mcp-server-card+json" {
		t.Fatalf("%d %v, %d %v", catalogue.status, catalogue.header, card.status, card.header)
	}
	var server struct {
		Version, Title string
		Remotes        []struct{ SupportedProtocolVersions []string }
	}
	if err := json.Unmarshal(card.body, &server); err != nil {
		t.Fatal(err)
	}
	// The card must not contradict the server's own metadata.
	const ask = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	said := h.ask("POST", "/mcp", ask, "Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Mcp-Method", "server/discover", "MCP-Protocol-Version", "2026-07-28")
	var discovered struct {
		Result struct {
			SupportedVersions []string
			Meta              struct {
				Info struct{ Version, Title string } `json:"io.modelcontextprotocol/serverInfo"`
			} `json:"_meta"`
		}
	}
	if err := json.Unmarshal(said.body, &discovered); err != nil {
		t.Fatalf("%v: %s", err, said.body)
	}
	if !slices.Equal(discovered.Result.SupportedVersions, server.Remotes[0].SupportedProtocolVersions) || discovered.Result.Meta.Info.Version != server.Version || discovered.Result.Meta.Info.Title != server.Title {
		t.Errorf("the card says %+v, the server %s", server, said.body)
	}
}

func TestAnyPageMayUseMCPBehindAProxy(t *testing.T) {
	h := newHouse(t)
	h.Verification.Trusted = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	h.open()
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	headers := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Origin", "https://elsewhere.example"}
	if a := h.ask("POST", "/mcp", list, headers...); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestLinksIncludeThePathThatAProxyRemoves(t *testing.T) {
	h := newHouse(t)
	h.Build.SiteURL = "https://x.example/shop"
	h.open()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.base+"/companies/?page=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	slashed, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	if to := slashed.Header.Get("Location"); to != "/shop/companies?page=1" || slashed.Body.Close() != nil {
		t.Errorf("a page with a slash behind it leads to %q", to)
	}
	for _, path := range []string{"/", market} {
		if links := strings.Join(h.ask("GET", path, "").header.Values("Link"), ", "); !strings.Contains(links, `</shop/.well-known/api-catalog>; rel="api-catalog"`) {
			t.Errorf("%s has the links %s", path, links)
		}
	}
}
