package hosts

import (
	"fmt"
	"strings"
	"testing"
)

func TestListOfVercelIsCutIntoRulesThatItTakes(t *testing.T) {
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
