package problem

import "testing"

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
