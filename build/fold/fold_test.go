package fold

import "testing"

func TestFoldingTakesCaseAndAccentsAway(t *testing.T) {
	for text, want := range map[string]string{"GRÖSSE": "grosse", "Größe": "grosse", "Ｕｓｂ": "usb", "Łódź": "lodz", "कि": "कि", "ﬁ": "fi", "": ""} {
		if got := Text(text); got != want {
			t.Errorf("%q is folded to %q, not %q", text, got, want)
		}
	}
}
