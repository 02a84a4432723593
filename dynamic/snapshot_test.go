//go:build unix

package dynamic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/internal/testing/markettest"
)

// mirror runs docs/mirror.py once, and returns how many requests it made and how many bytes
// it read.
func (h *house) mirror(folder string) (requests, size int) {
	h.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		h.Skip("there is no python3, which the mirror of docs/mirror.py runs in")
	}
	out, err := exec.CommandContext(h.Context(), python, "../docs/mirror.py", "--once", h.base+document.APIRoot, folder).CombinedOutput()
	if err != nil {
		h.Fatalf("%v: %s", err, out)
	}
	if _, err := fmt.Sscanf(string(out), "mirror: %d requests, %d bytes", &requests, &size); err != nil {
		h.Fatalf("%v: %s", err, out)
	}
	return requests, size
}

// filesOf returns the files of a folder with their bytes.
func filesOf(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(root, file))
		files[file] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// wantMirrored fails unless a mirror has the bytes of the release's snapshot.
func (h *house) wantMirrored(folder string) {
	h.Helper()
	want := filesOf(h.TB, filepath.Join(h.Config.Build.Public, "api", "v1", "snapshot"))
	if got := filesOf(h.TB, filepath.Join(folder, "snapshot")); !maps.Equal(got, want) {
		h.Fatalf("the mirror has %q, and the release %q, or other bytes of them", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	h.wantSnapshotTrue()
}

// wantSnapshotTrue checks that the lines of the snapshot are the documents of the release,
// each once, and that the manifest describes the shards.
func (h *house) wantSnapshotTrue() {
	h.Helper()
	public := h.Config.Build.Public
	api := filepath.Join(public, "api", "v1")
	lines := func(file string) [][]byte {
		data, err := os.ReadFile(filepath.Join(public, file))
		if err != nil {
			h.Fatal(err)
		}
		if data, err = release.Decompress(file, data); err != nil {
			h.Fatal(err)
		}
		return slices.Collect(bytes.Lines(data))
	}
	seen := map[string]bool{}
	for _, line := range lines(document.SnapshotManifest) {
		shard, err := document.ParseSnapshotShard(line)
		if err != nil {
			h.Fatal(err)
		}
		body, err := os.ReadFile(filepath.Join(public, shard.File()))
		if err != nil {
			h.Fatal(err)
		}
		documents := lines(shard.File())
		if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != shard.SHA256 || int64(len(body)) != shard.Bytes || len(documents) != shard.Items || shard.Items > catalog.ShardSize {
			h.Errorf("the manifest says %s, and the shard has %d bytes and %d lines", line, len(body), len(documents))
		}
		for _, one := range documents {
			var got map[string]any
			if err := json.Unmarshal(one, &got); err != nil {
				h.Fatalf("%s: %v", shard.Path, err)
			}
			_, address, _ := strings.Cut(got["apiUrl"].(string), document.APIRoot)
			if seen[address] {
				h.Errorf("%s has %s, which is in the snapshot already", shard.Path, address)
			}
			seen[address] = true
			data, err := os.ReadFile(api + address + ".json")
			if err != nil {
				h.Fatal(err)
			}
			var want map[string]any
			if err := json.Unmarshal(data, &want); err != nil {
				h.Fatal(err)
			}
			for _, list := range []string{"products", "services", "listings", "companies"} {
				if l, ok := want[list].(map[string]any); ok {
					want[list] = map[string]any{"total": l["total"]}
				}
			}
			if a, b := fmt.Sprint(got), fmt.Sprint(want); a != b {
				h.Errorf("%s has of %s\n%s, want\n%s", shard.Path, address, a, b)
			}
		}
	}
	h.content().EachSeller(func(n *catalog.Node) {
		address := "/marketplace/" + n.Ref().Path()
		_, err := os.Stat(filepath.Join(public, document.GoneFile(document.SellerFile(n.Ref().Slug))))
		if want := n.Current() && err != nil; want != seen[address] {
			h.Errorf("%s is in the snapshot: %t, want %t", address, seen[address], want)
		}
	})
}

// edit changes the descriptions of listings and waits until the release shows them.
func (h *house) edit(files []string) {
	h.Helper()
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(h.Config.Build.Content, file))
		if err != nil {
			h.Fatal(err)
		}
		h.write(file, string(data)+"\nEdited.\n")
	}
	h.close()
	h.open()
}

// TestMirrorOfARealMarketFetchesDifferencesAndIsIdentical runs docs/mirror.py, which knows
// only two manifests.
func TestMirrorOfARealMarketFetchesDifferencesAndIsIdentical(t *testing.T) {
	h := newHouseOf(t, markettest.Content(t))
	h.Config.Build.Precompress = release.NoPrecompress
	h.open()
	folder := filepath.Join(h.home, "mirror")
	requests, size := h.mirror(folder)
	h.wantMirrored(folder)
	t.Logf("the whole market: %d requests, %d bytes", requests, size)
	if again, _ := h.mirror(folder); again != 1 {
		t.Errorf("a mirror that has everything made %d requests, want 1", again)
	}

	r := rand.New(rand.NewPCG(1, 2))
	offers, err := filepath.Glob(filepath.Join(h.Config.Build.Content, "sellers", "*", "products", "*.md"))
	if err != nil || len(offers) < 100 {
		t.Fatal(len(offers), err)
	}
	for i := range offers {
		if offers[i], err = filepath.Rel(h.Config.Build.Content, offers[i]); err != nil {
			t.Fatal(err)
		}
	}
	r.Shuffle(len(offers), func(i, j int) { offers[i], offers[j] = offers[j], offers[i] })
	h.edit(offers[:100])
	requests, size = h.mirror(folder)
	h.wantMirrored(folder)
	t.Logf("100 scattered edits: %d requests, %d bytes", requests, size)

	bySeller := map[string][]string{}
	for _, file := range offers {
		seller := strings.Split(filepath.ToSlash(file), "/")[1]
		bySeller[seller] = append(bySeller[seller], file)
	}
	var most string
	for _, seller := range slices.Sorted(maps.Keys(bySeller)) {
		if len(bySeller[seller]) > len(bySeller[most]) {
			most = seller
		}
	}
	leaving := "umlauf"
	if _, there := bySeller[leaving]; !there || leaving == most {
		leaving = slices.Sorted(maps.Keys(bySeller))[0]
	}
	h.withdraw(leaving, h.seller(leaving).OfficialDomain)
	h.edit(bySeller[most][:min(10, len(bySeller[most]))])
	requests, size = h.mirror(folder)
	h.wantMirrored(folder)
	t.Logf("one removal, and %d edits in one seller: %d requests, %d bytes", min(10, len(bySeller[most])), requests, size)
	if requests > 40 {
		t.Errorf("one removal and 10 edits in one seller took %d requests, want at most 40", requests)
	}
	for file, data := range filesOf(t, folder) {
		data, err := release.Decompress(file, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(`/companies/`+leaving+`"`)) || bytes.Contains(data, []byte(`/companies/`+leaving+`/`)) {
			t.Errorf("%s of the mirror shows %s, which was removed", file, leaving)
		}
	}
}

// An agent that follows the links of llms.txt meets no error.
func TestLLMsTxtLinksAnswerGET(t *testing.T) {
	for _, snapshot := range []bool{false, true} {
		h := newHouse(t)
		h.Config.Build.Snapshot = snapshot
		h.open()
		text := string(h.ask(http.MethodGet, "/"+document.LLMsFile, "").body)
		links := regexp.MustCompile(`\]\(https://market\.example(/[^)]*)\)`).FindAllStringSubmatch(text, -1)
		if len(links) < 5 {
			t.Fatalf("these are links: %q of\n%s", links, text)
		}
		for _, link := range links {
			if a := h.ask(http.MethodGet, link[1], ""); a.status != http.StatusOK {
				t.Errorf("%s answers %d", link[1], a.status)
			}
		}
	}
}
