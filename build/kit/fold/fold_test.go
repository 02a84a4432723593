package fold

import "testing"

func TestFoldingRemovesCaseAndAccents(t *testing.T) {
	for text, want := range map[string]string{"GRÖSSE": "grosse", "Größe": "grosse", "Ｕｓｂ": "usb", "Łódź": "lodz", "कि": "कि", "ﬁ": "fi", "": "",
		"ශ්\u200dරී": "ශ්රී", "می\u200cخواهم": "میخواهم", "أُدوات": "ادوات", "مكتبة": "مكتبه", "٢٠ ۴": "20 4", "カメラ": "かめら"} {
		if got := Text(text); got != want {
			t.Errorf("%q is folded to %q, not %q", text, got, want)
		}
	}
}

func TestCanonicalIgnoresJoinersAndComposesAccents(t *testing.T) {
	for text, want := range map[string]string{"Gro\u0308ße": "Größe", "می\u200cخواهم": "میخواهم", "ශ්\u200dරී": "ශ්රී", "É 1": "É 1"} {
		if got := Canonical(text); got != want {
			t.Errorf("%q is compared as %q, not %q", text, got, want)
		}
	}
}
