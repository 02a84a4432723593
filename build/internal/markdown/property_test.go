package markdown

import (
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// check checks the properties of any source.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, source string) {
	t.Helper()
	d := Parse(source)
	end := 0
	placed := make([]bool, len(d.Targets))
	for _, e := range d.Edits {
		if e.Start < end || e.End < e.Start || e.End > len(source) || e.DestStart < e.Start || e.DestEnd < e.DestStart || e.DestEnd > e.End {
			t.Fatalf("edit %+v after %d is out of place in %q", e, end, source)
		}
		end = e.End
		if e.Target == Any {
			continue
		}
		if e.Target < 0 || e.Target >= len(d.Targets) {
			t.Fatalf("edit %+v has no target in %q", e, source)
		}
		if e.DestStart == e.Start {
			continue
		}
		target := d.Targets[e.Target]
		if placed[e.Target] || target.Offset != e.DestStart || written(source, e) != target.Destination {
			t.Fatalf("edit %+v is not where %+v is in %q", e, target, source)
		}
		placed[e.Target] = true
	}
	for i, ok := range placed {
		if !ok {
			t.Fatalf("target %+v has no place in %q", d.Targets[i], source)
		}
		if i > 0 && d.Targets[i].Offset <= d.Targets[i-1].Offset {
			t.Fatalf("targets out of order in %q", source)
		}
	}
	same := Apply(source, d.Edits, func(i int) (string, bool) { return d.Targets[i].Destination, true })
	if same != source {
		t.Fatalf("%q became %q though every target is kept", source, same)
	}
}

// checkDrop checks that no dropped target is found again, and that no HTML appears. Only
// destinations with the scheme "hi" count, since the text may contain others as words.
func checkDrop(t interface {
	Helper()
	Fatalf(string, ...any)
}, source string) {
	t.Helper()
	d := Parse(source)
	hidden := map[string]bool{}
	for _, target := range d.Targets {
		if strings.HasPrefix(target.Destination, "hi:") {
			hidden[target.Destination] = true
		}
	}
	if joinsCode(source, d.Edits) || endsList(source, d.Edits) {
		return
	}
	dropped := Apply(source, d.Edits, func(int) (string, bool) { return "", false })
	again := Parse(dropped)
	for _, target := range again.Targets {
		if hidden[target.Destination] {
			t.Fatalf("%q became %q, which still has %q", source, dropped, target.Destination)
		}
	}
	for _, h := range again.HTML {
		if len(d.HTML) == 0 {
			t.Fatalf("%q became %q, which has HTML: %q", source, dropped, h.Text)
		}
	}
}

// joinsCode reports whether pieces of links are between two backticks, or before three. If
// these belong to code spans, no backslash can keep two spans apart once the link is
// removed, or keep a span over several lines from becoming a fence.
func joinsCode(source string, edits []Edit) bool {
	start, end := -1, -1
	for _, e := range edits {
		if e.Start == e.End {
			continue
		}
		if e.Start != end {
			start = e.Start
		}
		end = e.End
		if strings.HasPrefix(source[end:], "```") {
			return true
		}
		if start > 0 && end < len(source) && source[start-1] == '`' && source[end] == '`' {
			return true
		}
	}
	return false
}

// endsList reports whether a definition may separate a list from indented lines, which
// would continue the list without it.
func endsList(source string, edits []Edit) bool {
	for _, e := range edits {
		if after := strings.TrimLeft(source[e.End:], "\r\n"); e.Start < e.End && source[e.End-1] == '\n' &&
			(strings.HasPrefix(after, " ") || strings.HasPrefix(after, "\t")) {
			return true
		}
	}
	return false
}

// drawMarkdown draws texts from pieces that matter to the syntax.
func drawMarkdown(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"[", "]", "(", ")", "![", "](", "][", "]:", "<", ">", "!", "\\", "`", "*", "**", "_", "&amp;", "&", "#",
		"hi:x", "hi:y", "hi:&#65;", "a", "b ", " ", "\n", "\n\n", "\r\n", "\t", "    ", "> ", "- ", "1. ", "===", "---", "```\n",
		"\"", "'", "[a](hi:x)", "![b](hi:y)", "<hi:z>", "[a]", "[a]: hi:x\n", "\n\n[b]: <hi:y> 't'\n", "[c][b]", "<b>", "<!--", "-->",
		"ä", "\xff", "\x00",
	}), 0, 24).Draw(t, "pieces"), "")
}

func TestEveryEditIsInItsPlaceInAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		check(t, drawMarkdown(t))
	})
}

func TestDroppedTargetsAreRemovedFromAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkDrop(t, drawMarkdown(t))
	})
}

func TestHalfOfTheTargetsCanBeDroppedFromAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := drawMarkdown(t)
		d := Parse(source)
		if joinsCode(source, d.Edits) || endsList(source, d.Edits) {
			return
		}
		keep := rapid.SliceOfN(rapid.Bool(), len(d.Targets), len(d.Targets)).Draw(t, "keep")
		kept := map[string]bool{}
		for i, target := range d.Targets {
			kept[target.Destination] = kept[target.Destination] || keep[i]
		}
		got := Apply(source, d.Edits, func(i int) (string, bool) { return d.Targets[i].Destination, keep[i] })
		for _, target := range Parse(got).Targets {
			if stays, known := kept[target.Destination]; known && !stays && strings.HasPrefix(target.Destination, "hi:") {
				t.Fatalf("%q became %q, which still has %q", source, got, target.Destination)
			}
		}
	})
}

func TestParseIsSafeForConcurrentUse(t *testing.T) {
	want := Parse(article)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if got := Parse(article); !reflect.DeepEqual(got, want) {
					t.Errorf("got %+v, want %+v", got, want)
				}
			}
		})
	}
	group.Wait()
}

func TestAnyDestinationIsReadUnchangedOnceWritten(t *testing.T) {
	places := []string{"[a](x)", "> [a](\n> <x> 't')", "![a](x 't')", "[a]\n\n[a]: x\n't'\n", "<xx:y>"}
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.SampledFrom(places).Draw(t, "place")
		// The parser itself changes NUL and invalid UTF-8.
		want := rapid.StringMatching(`([a-z:/.()<>\[\]\\&;#*_" \n\r\t]|&amp;|\\\\|ä|https://){0,12}`).Draw(t, "destination")
		d := Parse(source)
		got := Apply(source, d.Edits, func(int) (string, bool) { return want, true })
		again := Parse(got)
		if len(again.Targets) != 1 || again.Targets[0].Destination != want {
			t.Fatalf("%q in %q is %q, read as %+v", want, source, got, again.Targets)
		}
	})
}

func TestParseTakesDeepNestingInReasonableTime(t *testing.T) {
	const n = 5000
	for name, source := range map[string]string{
		"opening":      strings.Repeat("[", n),
		"pictures":     strings.Repeat("![", n),
		"closing":      "[a](b)" + strings.Repeat("]", n),
		"pairs":        strings.Repeat("[", n) + strings.Repeat("]", n),
		"open links":   strings.Repeat("[a](", n),
		"links":        strings.Repeat("[a](b)", n),
		"nested":       strings.Repeat("[", n) + "a" + strings.Repeat("](b)", n),
		"nested pics":  strings.Repeat("![", n) + "a" + strings.Repeat("](b)", n),
		"less":         "<aa:b>" + strings.Repeat("<", n),
		"autolinks":    strings.Repeat("<aa:b>", n),
		"comments":     strings.Repeat("<!--", n),
		"tags":         strings.Repeat("<a ", n),
		"quotes":       strings.Repeat(">", n) + "[a](b)",
		"lists":        strings.Repeat("- ", n) + "[a](b)",
		"emphasis":     strings.Repeat("*a_ ", n) + "[a](b)",
		"code":         strings.Repeat("`a``", n) + "[a](b)",
		"definitions":  strings.Repeat("[a]: b\n", n),
		"same uses":    "[a]: b\n\n" + strings.Repeat("[a] ", n),
		"backslashes":  strings.Repeat("\\", n) + "![a](b)",
		"entities":     "[a](" + strings.Repeat("&a", n) + ")",
		"parentheses":  "[a](" + strings.Repeat("(", n),
		"titles":       strings.Repeat("[a](b \"", n),
		"bad labels":   strings.Repeat("[a][b", n),
		"bad defs":     strings.Repeat("[a]: b '\n", n),
		"bang closing": strings.Repeat("[a!](hi:b)", n),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			d := Parse(source)
			parsed := time.Since(start)
			Apply(source, d.Edits, func(int) (string, bool) { return "", false })
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("parsed in %v, applied in %v", parsed, took-parsed)
			}
		})
	}
}

var seeds = []string{
	article,
	"[Acme](seller:acme) ![alt](media/x.png 'T') <hi:x> [a](<hi:b c> \"t\") [b](hi:\\)\\&amp;(x))",
	"> [a\n> b](\n> hi:x\n> 't\n> u') c\n\n- [l][r]\n  [r]: hi:x\n\n  [r][] [r]",
	"[r]: <hi:x> 'T\nt'\n[r]: hi:y\n[s]:\nhi:z\ntext [r] ![p][s]\n===\n",
	"[![a](hi:m)](hi:l) [a [b](hi:x) c](hi:x) *[b*](hi:y)* `[c](hi:z)` \\[d](hi:d)",
	"<div>\n[a](hi:x)\n</div>\n\n<!-- [a](hi:x) --> <b>[a](hi:x)</b>\n\n    [c](hi:c)\n```\n[f](hi:f)\n```\n",
	"[    a](hi:x)\n\n[# a](hi:x)\n[1. a](hi:y)\n\n<<hi:x>hi:x>[a]<hi:x>(hi:x)\r\n\t[b](\thi:y\t)",
	"[a]:\nx\n\"t\" [b]: hi:y\n\n[a]:\n[b](hi:x)\n't' junk\n",
	"# [a](hi:x) #\n\n1) ![- a](hi:y)!\n2) [b!](hi:x)[c](hi:y)\n\n---\n\xff\x00[\xff](hi:\xff)",
}

func FuzzApplyIdentity(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) { check(t, source) })
}

func FuzzApplyDrop(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) { checkDrop(t, source) })
}

func BenchmarkParse(b *testing.B) {
	source := (article + strings.Repeat("Words in between, none of them special. ", 10))[:600]
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		Parse(source)
	}
}

func BenchmarkPlain(b *testing.B) {
	b.SetBytes(int64(len(article)))
	for b.Loop() {
		Plain(article)
	}
}

func BenchmarkParsePlainText(b *testing.B) {
	source := strings.Repeat("Words without any link. ", 25)
	for b.Loop() {
		Parse(source)
	}
}

func BenchmarkApply(b *testing.B) {
	d := Parse(article)
	resolve := public(d.Targets)
	for b.Loop() {
		Apply(article, d.Edits, resolve)
	}
}

func BenchmarkApplyUnchanged(b *testing.B) {
	d := Parse(article)
	for b.Loop() {
		Apply(article, d.Edits, func(i int) (string, bool) { return d.Targets[i].Destination, true })
	}
}
