//go:build unix

package main

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestRemovalListContainsEveryAddress(t *testing.T) {
	dir := t.TempDir()
	i := installation{built(t), filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "var")}
	files := market(false)
	i.fill(t, files)
	i.build(t)
	// The company changes its name and slug before it is removed.
	for name, text := range files {
		if rest, own := strings.CutPrefix(name, "sellers/seller-03/"); own {
			delete(files, name)
			files["sellers/renamed/"+rest] = strings.Replace(text, "officialDomain: seller-03.", "id: seller-03\nofficialDomain: renamed.", 1)
		}
	}
	i.fill(t, files)
	r := i.running(t)
	address, body := r.ask("renamed")
	if status, text := r.call(http.MethodPost, address, body); status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	list := filepath.Join(dir, "removals.json")
	r.run("removals", "--export", list)
	r.end(syscall.SIGTERM)

	elsewhere := installation{i.program, i.content, filepath.Join(dir, "elsewhere"), filepath.Join(dir, "elsewhere-var")}
	if out, err := exec.Command(i.program, append(elsewhere.args(), "--removals", list)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := elsewhere.read(t)
	for _, stub := range []string{"seller-03", "seller-03/products/arm-0", "renamed", "renamed/products/arm-4"} {
		if got["api/v1/marketplace/companies/"+stub+".gone.json"].body == "" {
			t.Errorf("%s has no stub", stub)
		}
	}
	// People may edit the list, so it is validated.
	write(t, dir, map[string]string{"odd.yaml": "- {id: seller-03, addresses: companies/x}\n"})
	if out, err := exec.Command(i.program, append(elsewhere.args(), "--removals", filepath.Join(dir, "odd.yaml"))...).CombinedOutput(); err == nil || !strings.Contains(string(out), "addresses takes a list") {
		t.Errorf("%v: %s", err, out)
	}
}
