package problem

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, one := range []struct {
		word    string
		options []string
		want    string
	}{
		{"kachelkoenig", []string{"kachel", "kachel-koenig", "koenig"}, "kachel-koenig"},
		{"Kachel Koenig", []string{"kachel-koenig"}, "kachel-koenig"},
		{"kachel_kenig", []string{"kachel-koenig"}, "kachel-koenig"},
		{"a-b-c-d-e", []string{"abcde", "a-b-cde", "a-bcde"}, "a-b-cde"},
		{"ARM", []string{"arm", "art"}, "arm"},
		{"adress", []string{"name", "address"}, "address"},
		{"nmae", []string{"name", "mane"}, "name"},
		{"robots", []string{"grippers"}, ""},
		{"siteurl", []string{"siteUrl", "apiUrl"}, "siteUrl"},
		{"--", []string{"a", "--a"}, ""},
		{"", []string{"", "a"}, ""},
		{"a", []string{"", "--"}, ""},
		{"anything", nil, ""},
	} {
		if got, near := Closest(one.word, one.options); got != one.want || near != (got != "") {
			t.Errorf("%q of %q was meant to be %q, not %q", one.word, one.options, got, one.want)
		}
	}
	if got := Nearest("adress", []string{"address"}); got != `did you mean "address"?` {
		t.Error(got)
	}
}

// The options may be the names of all sellers.
func TestOptionsWithTooManyMissingLettersAreSkipped(t *testing.T) {
	var options []string
	for i := range 100 {
		options = append(options, fmt.Sprintf("xylophoneworks%02d", i))
	}
	if n := testing.AllocsPerRun(10, func() { Closest("brassbandandco16", options) }); n > 10 {
		t.Errorf("to find that 100 options are not near takes %v allocations", n)
	}
}

// The limits on the work do not change the result.
func TestClosestEqualsAnExhaustiveSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 14))
	word := func() string {
		letters := make([]byte, random.IntN(12))
		for i := range letters {
			letters[i] = "abcAB-"[random.IntN(6)]
		}
		return string(letters)
	}
	for range 20_000 {
		typed, options := word(), []string{word(), word(), word(), word(), word()}
		want, best := "", [2]int{max(1, len(stripped(typed))/3) + 1}
		for _, one := range options {
			near := [2]int{distance(stripped(typed), stripped(one), 100), distance(typed, one, 100)}
			if stripped(typed) != "" && stripped(one) != "" && (near[0] < best[0] || near[0] == best[0] && near[1] < best[1]) {
				want, best = one, near
			}
		}
		if got, _ := Closest(typed, options); got != want {
			t.Fatalf("%q of %q was meant to be %q, not %q", typed, options, got, want)
		}
	}
}
