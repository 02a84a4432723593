package codes

import "testing"

func TestAGTINHasALengthAndACheckDigit(t *testing.T) {
	for code, want := range map[string]bool{
		"4006381333931": true, "96385074": true, "036000291452": true, "10614141000415": true, "9783161484100": true,
		"4006381333930": false, "400638133393": false, "4006381333931 ": false, "400638133393x": false, "": false, "00000": false,
	} {
		if got := GTIN(code); got != want {
			t.Errorf("%q is a GTIN: %t", code, got)
		}
	}
}
