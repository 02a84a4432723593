package markdown

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
)

// hostile returns named texts of about the given size, each expensive for a CommonMark
// parser without a budget.
func hostile(size int) map[string]string {
	all := map[string]string{}
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)+1) }
	for _, unit := range []string{
		"[a](", "[", "]", "[]", "![", "![a](", "[a]", "[a]\n", "[a][", "[a][b", "[a](b", "[a](<b", "[a](b \"", "[a](b 'c' ", "[a](b (", "[a](b)", "[a](b)\n",
		"[*a](b)", "*[a*](b) ", "![a](b)", "[![a](b)](c)", "[a] ", "(", "[a](\\", "[a](b\n", "[a\n](b\n",
		"*", "* a", "*a ", "a* ", "*a_ ", "*a**b ", "**a *", "a**b", "_", "_a ", "*_", "a**b*c", "***a ", "*a *", "_a__b ", "*a [b](c) ",
		"`", "`a``b", "a ` b `` c ``` d ", "<", "<a ", "<a b='", "<a b=\"' ", "<a b='\"' c=\"'\" ", "</a ", "<!--", "<?", "<!A", "<![CDATA[", "<a@b", "<http:",
		">", "> ", ">a\n", "> > a\n\n", "- ", "* ", "1. ", "- a\n", "- a\n\n", "#\n", "# é\n", "# [a](#a)\n", "a\n\n", "![](a)", "[](a)", "`a`", "~~a ", "~~a~~", "~a", "[a]: b\n\n[a]\n\n", "***\n", "- - - - a\n", "> - a\n\n", "\ta\n\n", "a|b\n-|-\n\n", "<a:b>", "-\n", "+ - ", "1) ", "> - ", "\t- ", "- >", "  - a\n",
		"[a]: b\n", "[a]: b 'c\n", "[a]: <b\n", "[a]:\n", "[a]: b\n===\n", "[a]: b\n\n", "[a\n", "[a]: b\n'c\n", "a\n===\n", "a\n---\n", "# a\n", "|a|b|\n", "|-|-|\n",
		"```\n", "~~~a\n", "    a\n", "\n", "\\", "&", "&amp;", "\r\n", "\r", "\x00", "a\\\n", "a  \n", "<b>\n", "<pre>\n", "é", "\xff",
	} {
		all[unit] = fill(unit)
	}
	half := size / 2
	join := func(a, b string) string { return strings.Repeat(a, half/len(a)+1) + strings.Repeat(b, half/len(b)+1) }
	for _, pair := range [][2]string{
		{"[", "]"}, {"[", "](a)"}, {"![", "](a)"}, {"*a ", "b* "}, {"- ", "\n"}, {"> ", "\n>"}, {"* a ", "a* "}, {"[a", "b]"}, {"(", ")"}, {"`a", "``"}, {"**", "* "},
	} {
		all[pair[0]+" … "+pair[1]] = join(pair[0], pair[1])
	}
	all["lists in lists, then empty lines"] = strings.Repeat("- ", 30) + "a" + fill("\n")
	all["quotes in quotes"] = fill(strings.Repeat(">", 60) + "a\n")
	all["one link to a far end"] = "[a](b" + fill("c ")
	all["labels of the longest kind"] = fill(strings.Repeat("[", 450) + strings.Repeat("]", 450))
	all["pictures in pictures"] = fill(strings.Repeat("![", 300) + "a" + strings.Repeat("](b) ccccc", 300))
	all["runs of backticks of all lengths"] = func() string {
		var b strings.Builder
		for n := 1; b.Len() < size; n++ {
			b.WriteString(strings.Repeat("`", n) + "a")
		}
		return b.String()
	}()
	all["a mark before many links"] = "*a " + fill("[b*](c) ")
	all["definitions and their uses"] = join("[a]: b\n", "\n[a]")
	return all
}

// ordinary returns a typical text of about the given size.
func ordinary(size int) string {
	const part = "## How to mend a lamp\n\nFirst *unplug* it, then see [the maker](https://lumen.example) and **the `fuse`**;\nit is < 5 minutes of work.\n\n" +
		"- one [screw](media/screw.svg)\n- two _screws_\n\n1. Take it apart.\n2. Put it together, see [the guide][g].\n\n> \"It works\", said one of us (on [Monday](article:monday)).\n\n[g]: article:guide\n\n"
	return strings.Repeat(part, size/len(part)+1)
}

func timed(text string) time.Duration {
	start := time.Now()
	Parse(text)
	return time.Since(start)
}

// limit returns how long parsing an unusual text may take. The limit is generous, for busy
// machines; without a budget, large texts of the kinds below take minutes.
func limit(size int) (usual, most time.Duration) {
	usual = timed(ordinary(size))
	return usual, 30*usual + 12*time.Second
}

func TestNoTextTakesMuchLongerThanAnOrdinaryOne(t *testing.T) {
	check := func(size int, texts map[string]string) {
		usual, most := limit(size)
		worst, at := time.Duration(0), ""
		for name, text := range texts {
			took := timed(text)
			if took > most { // the machine may have been busy
				took = min(took, timed(text))
			}
			if took > worst {
				worst, at = took, name
			}
			if took > most {
				t.Errorf("%q: took %v, an ordinary text %v", name, took, usual)
			}
		}
		t.Logf("%d KB: an ordinary text took %v, the worst of %d, %q, %v", size>>10, usual, len(texts), at, worst)
	}
	const small, large = 16 << 10, 256 << 10
	texts := hostile(small)
	units := slices.Sorted(maps.Keys(texts))
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 { // random ones
		var unit string
		for range 2 + random.IntN(4) {
			unit += units[random.IntN(len(units))]
		}
		if len(unit) < 200 {
			texts["mixed "+unit] = strings.Repeat(unit, small/len(unit)+1)
		}
	}
	check(small, texts)
	texts = hostile(large)
	maps.DeleteFunc(texts, func(name, _ string) bool {
		return !slices.Contains([]string{
			"[a](", "[", "![a](", "[a]\n", "[a](b \"", "*a_ ", "<a b=\"' ", "> - ", "[a]: b\n", "runs of backticks of all lengths",
			"lists in lists, then empty lines", "a mark before many links", "pictures in pictures",
		}, name)
	})
	check(large, texts)
}

func TestTextThatIsTooCostlyHasAPosition(t *testing.T) {
	texts := hostile(512 << 10)
	for name, want := range map[string]string{
		"- a\n": Crowded, "# a\n": Crowded, "[": Crowded, "![a](b)": Crowded, "a\n===\n": Crowded, "a\\\n": Crowded, "[a](": "[", "*a_ ": "*", "runs of backticks of all lengths": "`", "> - ": Nested, "> ": Nested, "lists in lists, then empty lines": Crowded, "[a]: b\n": "[",
	} {
		text := "An ordinary beginning.\n\n" + texts[name]
		document := Parse("[a](b)\n\n" + text)
		if document.Excess == nil || document.Excess.Mark != want || document.Excess.Offset < 32 || document.Targets != nil {
			t.Errorf("%q: %+v with %d targets, want too much of %s", name, document.Excess, len(document.Targets), want)
		}
	}
}

func TestUsesOfLongDefinitionsAreLimited(t *testing.T) {
	text := "[a]: https://e.example/ \"" + strings.Repeat("t", 100_000) + "\"\n\n"
	if d := Parse(text + strings.Repeat("[a]\n\n", 20)); d.Excess != nil || len(d.Targets) == 0 {
		t.Errorf("%+v", d.Excess)
	}
	if d := Parse(text + strings.Repeat("[a]\n\n", 5000)); d.Excess == nil || d.Excess.Mark != Defined {
		t.Errorf("too much of %+v", d.Excess)
	}
}

func TestOrdinaryTextIsFarFromTooCostly(t *testing.T) {
	const size = 256 << 10
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	for name, text := range map[string]string{
		"of many kinds": ordinary(size), "one long list": fill("- the [screws](media/screw.svg) *fit*, say `all` of <https://e.example/>\n"),
		"a table": "| part | size | of |\n|---|---|---|\n" + fill("| a long screw | 12 mm | by Lumen, in Graz |\n"), "short lines": fill("of a long poem\n"), "code": "```\n" + fill("[a](b) *c* | `d` | _e_\n"),
		"a list of 20 levels": nested(20, "- "), "quotes of 20 levels": nested(20, "> "),
		"a long paragraph of links": strings.Repeat("[a](b)\n", 1000), "definitions": strings.Repeat("[a]: b\n", 1000) + "\n[a]",
		"what was left open": fill("Someone [left](this open, *and <that as well, and then `even this in one line.\n\n"), "one long line": strings.Repeat("a *b* [c](d), ", 1000),
	} {
		f := read(text)
		if f.excess != nil {
			t.Errorf("%s is too much of %s", name, f.excess.Mark)
		}
		if all := newBudget(text).remaining; f.remaining < all/2 {
			t.Errorf("%s took %d of %d steps", name, all-f.remaining, all)
		}
	}
}

// readable cuts a text to the part that can be parsed.
func readable(text string) string {
	for d := Parse(text); d.Excess != nil; d = Parse(text) {
		text = text[:min(d.Excess.Offset, len(text)*9/10)]
	}
	return text
}

// peak returns the peak memory of a call, or 0 if it allocates at most bound in total.
func peak(bound uint64, call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc <= bound {
		return 0
	}
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() uint64 { metrics.Read(sample); return sample[0].Value.Uint64() }
	runtime.GC()
	least, most := heap(), uint64(0)
	done, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for tick := time.NewTicker(200 * time.Microsecond); ; {
			select {
			case <-tick.C:
				most = max(most, heap())
			case <-done:
				return
			}
		}
	}()
	call()
	most = max(most, heap())
	close(done)
	<-stopped
	return most - min(most, least)
}

func TestHostileTextsTakeLinearMemory(t *testing.T) {
	const size = 256 << 10
	read := func(bound uint64, text string) uint64 { return peak(bound, func() { Parse(text) }) }
	render := func(bound uint64, text string) uint64 {
		return peak(bound, func() { ToHTML(text, 2, func(to string, _ bool) Link { return Link{Destination: to} }) })
	}
	usual := max(read(0, ordinary(size)), render(0, ordinary(size)))
	texts := hostile(size)
	for _, row := range []string{"| a | b |\n", "|a|b\n", strings.Repeat("|a", 200) + "\n", "b\n"} {
		columns := strings.Count(row, "|")
		if columns == 0 {
			columns = 300 // which each row omits
		}
		head := strings.Repeat("|a", columns) + "\n" + strings.Repeat("|-", columns) + "\n"
		small := head + strings.Repeat(row, 5) + "\n"
		texts["a table of "+row], texts["tables of "+row] = head+strings.Repeat(row, size/len(row)), strings.Repeat(small, 1+size/len(small))
	}
	// Tables of links, of which a text may have some thousands.
	for _, cell := range []string{"[a](b)", "[a link](https://maker.example/an/address)", "[*a*](b)", "[`a`](b)", "![a](b)", "[a][g]", "<https://maker.example/a>", "[a](b) and words beside it, as in a list of parts"} {
		for _, columns := range []int{1, 2, 6} {
			row := strings.Repeat("| "+cell+" ", columns) + "|\n"
			texts[fmt.Sprint("a table of ", columns, " links ", cell)] = strings.Repeat("|a", columns) + "\n" + strings.Repeat("|-", columns) + "\n" + strings.Repeat(row, size/len(row))
		}
	}
	for row, beside := range map[string]string{
		"| [part %d](https://maker.example/parts/%d) | a screw |\n": "", "| <https://maker.example/parts/%d/of/%d> | a screw |\n": "",
		"| [part %d][%d] | a screw |\n": "[%d]: https://maker.example/parts/%d\n", "| [%d] [%d] |\n": "[%d]: /%d 'a title'\n",
	} {
		var table, below strings.Builder
		for n := 0; table.Len()+below.Len() < size-100; n++ {
			fmt.Fprintf(&table, row, n, n)
			if beside != "" {
				fmt.Fprintf(&below, beside, n, n)
			}
		}
		texts["a table of different "+row] = "|a|b|\n|-|-|\n" + table.String() + "\n" + below.String()
	}
	worst, at := uint64(0), ""
	for name, text := range texts {
		text = text[:min(size, len(text))]
		took := max(read(3*usual, text), render(3*usual, readable(text)))
		if took > worst {
			worst, at = took, name
		}
		if took > 3*usual {
			t.Errorf("%q took %d KB, an ordinary text %d KB", name, took>>10, usual>>10)
		}
	}
	t.Logf("an ordinary text took %d KB, the worst of %d, %q, %d KB", usual>>10, len(texts), at, worst>>10)
}

// nested returns lists or quotes with the given number of levels.
func nested(levels int, mark string) string {
	var b strings.Builder
	for level := range levels {
		b.WriteString(strings.Repeat(map[string]string{"- ": "  ", "> ": "> "}[mark], level) + mark + "a\n")
	}
	return b.String()
}

func BenchmarkParseHostile(b *testing.B) {
	texts := hostile(256 << 10)
	texts["ordinary"] = ordinary(256 << 10)
	for _, name := range []string{"ordinary", "[a](", "[a](b)", "*a_ ", "`", "<a ", "- ", "[a]: b\n"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(texts[name])))
			for b.Loop() {
				Parse(texts[name])
			}
		})
	}
}
