package hosts

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/document"
)

// TestPatternsMatchTheSameAddressesAsSoukServe compares the configurations' patterns for
// paths with package document.
func TestPatternsMatchTheSameAddressesAsSoukServe(t *testing.T) {
	nginx, _ := Lookup("nginx")
	v, err := newView(nginx, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	api := regexp.MustCompile("^(?:" + v.API + ")$")
	hidden := regexp.MustCompile("^(?:" + v.Paths.Hidden + ")$")
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"/", "api", "index", "errors", "a", ".gone", ".html", ".md", ".", "404", "-"})
		path := "/" + strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "path"), "")
		if strings.Contains(path, "//") {
			return // no server has this address
		}
		if got, want := api.MatchString(path), document.BelowAPI(path); got != want {
			t.Fatalf("%s: below the API: %v, want %v", path, got, want)
		}
		if got, want := hidden.MatchString(path), document.BelowAPI(path) || document.IsPageName(strings.TrimPrefix(path, "/")); got != want {
			t.Fatalf("%s: hidden: %v, want %v", path, got, want)
		}
	})
}

func TestVercelListIsSplitIntoRulesWithinTheLimit(t *testing.T) {
	vercel, _ := Lookup("vercel")
	v := view{Host: vercel}
	for i := range 200_000 {
		v.Removed = append(v.Removed, fmt.Sprintf("/api/v1/marketplace/companies/acme-%d/products/arm", i))
		if i == 1000 {
			if err := v.fits(); err != nil {
				t.Errorf("1,001 addresses: %v", err)
			}
			all := v.RemovedPatterns()
			if got := strings.Join(all, "|"); got != strings.Join(v.Removed, "|") {
				t.Error("the rules do not hold each address once")
			}
			for _, one := range all {
				if len(one) > longestPattern {
					t.Errorf("a rule has %d characters", len(one))
				}
			}
		}
	}
	if err := v.fits(); err == nil {
		t.Error("200,000 addresses fit")
	}
	v.Host, _ = Lookup("cloudfront")
	if err := v.fits(); err != nil {
		t.Error(err)
	}
}
