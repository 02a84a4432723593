package unit

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSpellingsAreParsedAsTheirUnit(t *testing.T) {
	for text, want := range map[string]string{
		"mm": "mm", " MM ": "mm", "kilograms": "kg", "Kg": "kg", "KG.": "kg", "inch": "in", "inches": "in", `"`: "in", "″": "in", "Zoll": "in",
		"mW": "mW", "MW": "MW", "KW": "kW", "kw": "kW", "w": "W", "GHZ": "GHz", "mhz": "MHz", "hours": "h", "hrs": "h", "Std": "h", "Std.": "h",
		"Stunden": "h", "m2": "m²", "m^2": "m²", "m²": "m²", "M3": "m³", "nm": "nm", "Nm": "Nm", "N·m": "Nm", "N⋅m": "Nm", "µm": "µm", "μm": "µm", "um": "µm",
		"Mb": "Mbit", "MB": "MB", "GB": "GB", "gb": "GB", "Gb": "Gbit", "b": "bit", "B": "B", "KB": "kB", "kib": "KiB", "mbps": "Mbit/s", "Mb/s": "Mbit/s",
		"MB / s": "MB/s", "℃": "°C", "º C": "°C", "celsius": "°C", "K": "K", "\u212a": "K", "L": "l", "ML": "ml", "mAH": "mAh", "\u2126": "Ω", "percent": "%",
		"min⁻¹": "rpm", "min^-1": "rpm", "min-1": "rpm", "MIN⁻¹": "rpm", "U/min": "rpm", "r.p.m.": "rpm", "tr/min": "rpm", "s⁻¹": "Hz", "m·s⁻¹": "m/s", "m s^-1": "m/s", "l min⁻¹": "l/min", "m³ h⁻¹": "m³/h",
		"'": "ft", "′": "ft", "’": "ft", "''": "in", "′′": "in", "VDC": "V", "vdc": "V", "V DC": "V", "VAC": "V", "V~": "V", "kVAC": "kV", "mA DC": "mA", "Wp": "W", "kWp": "kW",
		"cc": "cm³", "CC": "cm³", "ltr": "l", "Ltr.": "l", "ltrs": "l", "kgf": "kgf", "KGF": "kgf", "kp": "kgf", "fl oz": "fl oz", "fl. oz.": "fl oz", "Fl Oz": "fl oz", "US fl oz": "fl oz", "fluid ounces": "fl oz",
		"quarts": "qt", "UK gal": "imp gal", "cu. ft.": "ft³", "cu.in": "in³", "sq. ft.": "ft²", "sq.m": "m²", "acres": "acre", "gms": "g", "short tons": "short ton", "carats": "carat",
		"N.m": "Nm", "N/mm²": "MPa", "N/mm2": "MPa", "kgf/cm2": "kgf/cm²", "kg/cm²": "kgf/cm²", "atm": "atm", "mm Hg": "mmHg", "torr": "Torr", "in-lb": "lbf·in", "oz-in": "ozf·in", "kg-cm": "kgf·cm", "kW·h": "kWh", "kW.h": "kWh", "A.h": "Ah",
		"ft/sec": "ft/s", "m/sec": "m/s", "m3/hr": "m³/h", "l/hour": "l/h", "MB/sec": "MB/s", "kmph": "km/h", "cc/min": "ml/min", "LPH": "l/h", "deg. C": "°C", "C°": "°C", "°K": "K", "BTU": "Btu", "BTU/hr": "Btu/h", "kcal": "kcal", "CV": "PS",
		"l / min": "l/min", "Pferdestarken": "PS", "ft-lb": "lbf·ft", "M/S": "m/s",
		"mPa·s": "mPa·s", "mPa s": "mPa·s", "mpas": "mPa·s", "centipoise": "cP", "CST": "cSt", "GPM": "gal/min", "gallons per minute": "gal/min", "CFM": "ft³/min",
	} {
		u, known := Parse(text)
		if !known || u.Symbol() != want {
			t.Errorf("Parse(%q) = %q, known %v; want %q", text, u.Symbol(), known, want)
		}
	}
}

func TestAmbiguousAndUnknownUnitsHaveTheirOwnDimension(t *testing.T) {
	for text, want := range map[string]string{
		"Ports": "ports", "  users  per   Month ": "users per month", "mw": "mw", "mwh": "mwh", "NM": "NM", "MBPS": "MBPS", "ton": "ton", "M": "M",
		"rad": "rad", "k": "k", "H": "H", "Sièges": "sieges", "C": "c", "length": "length",
	} {
		u, known := Parse(text)
		if known || u.Symbol() != want || u.Dimension() != "own:"+want {
			t.Errorf("Parse(%q) = %q of %q, known %v", text, u.Symbol(), u.Dimension(), known)
		}
	}
	if u, known := Parse(" "); !known || u != (Unit{}) || u.Dimension() != "" || u.Symbol() != "" {
		t.Errorf("an empty text is %+v, known %v, not the unit of a bare number", u, known)
	}
}

// A prefix in the other case is another prefix: m is not M, and p is not P. A spelling in
// the wrong case is only accepted if nobody means the other unit.
func TestAPrefixInTheOtherCaseIsNotConfused(t *testing.T) {
	meant := map[string]string{
		"Mm": "mm", "Ml": "ml", "ML": "ml", "MAh": "mAh", "Mbar": "mbar", "MOhm": "MΩ", "mOhm": "mΩ", "Mg": "t", "mB": "MB", "mb": "MB", "mbit": "Mbit", "mB/s": "MB/s",
		"mbit/s": "Mbit/s", "mbps": "Mbit/s", "pB": "PB", "pb": "PB", "pbit": "Pbit", "PF": "pF", "mL": "ml", "Mb": "Mbit", "Pb": "Pbit", "Mbps": "Mbit/s",
	}
	for _, base := range strings.Fields("W Wh V A Ω Ohm F S J Hz Pa N Nm VA g l L m s B b bit Ah bar t B/s bit/s bps K min h K %") {
		for _, prefix := range []string{"m", "M", "p", "P"} {
			u, known := Parse(prefix + base)
			if want := meant[prefix+base]; known && u.Symbol() != prefix+base && u.Symbol() != want {
				t.Errorf("%s is taken for %s", prefix+base, u.Symbol())
			}
		}
	}
	for _, other := range []string{"mM", "μM", "nM", "cM", "kG", "mG", "Ns"} {
		if u, known := Parse(other); known || u.Symbol() != other {
			t.Errorf("%s, which is a unit of something else, is taken for %s", other, u.Symbol())
		}
	}
}

func TestAmountsConvertExactly(t *testing.T) {
	for _, c := range []struct{ amount, from, to, want string }{
		{"1", "in", "mm", "25.4"}, {"1", "lb", "g", "453.59237"}, {"16", "oz", "lb", "1"}, {"1", "hp", "W", "745.69987158227022"},
		{"1", "PS", "W", "735.49875"}, {"1", "GiB", "MB", "1073.741824"}, {"8", "GB", "Gbit", "64"}, {"90", "min", "h", "1.5"},
		{"3000", "rpm", "Hz", "50"}, {"1", "gal", "l", "3.785411784"}, {"36", "km/h", "m/s", "10"}, {"100", "°C", "°F", "212"},
		{"-40", "°F", "°C", "-40"}, {"0", "K", "°C", "-273.15"}, {"1", "kWh", "MJ", "3.6"}, {"6", "m³/h", "l/min", "100"},
		{"1", "mi", "ft", "5280"}, {"1", "bar", "kPa", "100"}, {"5000", "mAh", "Ah", "5"},
		{"1", "cP", "mPa·s", "1"}, {"1", "Pa·s", "cP", "1000"}, {"1", "cSt", "mm²/s", "1"}, {"1", "gal/min", "l/min", "3.785411784"}, {"1", "ft³/min", "l/min", "28.316846592"},
		{"1", "fl oz", "ml", "29.5735295625"}, {"1", "imp fl oz", "ml", "28.4130625"}, {"1", "kgf", "N", "9.80665"}, {"1", "kgf/cm²", "bar", "0.980665"}, {"1", "atm", "Pa", "101325"}, {"1", "lbf·ft", "lbf·in", "12"},
		{"1", "kgf·m", "kgf·cm", "100"}, {"1", "acre", "ft²", "43560"}, {"16", "ozf·in", "lbf·in", "1"}, {"1", "stone", "lb", "14"}, {"1", "kcal", "kJ", "4.184"}, {"760", "Torr", "atm", "1"}, {"1", "ft/s", "ft/min", "60"},
	} {
		from, _ := Parse(c.from)
		to, _ := Parse(c.to)
		amount, _ := ParseDecimal(c.amount)
		if got, exact := Decimal(to.FromBase(from.Base(amount))); got != c.want || !exact || from.Dimension() != to.Dimension() {
			t.Errorf("%s %s = %s %s (exact %v), want %s", c.amount, c.from, got, c.to, exact, c.want)
		}
	}
}

func TestEveryUnitOfADimensionConvertsToEveryOtherAndBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		group := rapid.SampledFrom(table).Draw(t, "dimension")
		from := parsed(t, rapid.SampledFrom(group.units).Draw(t, "from").symbol)
		to := parsed(t, rapid.SampledFrom(group.units).Draw(t, "to").symbol)
		amount := big.NewRat(rapid.Int64().Draw(t, "numerator"), rapid.Int64Range(1, 1<<40).Draw(t, "denominator"))
		there := to.FromBase(from.Base(amount))
		if back := from.FromBase(to.Base(there)); back.Cmp(amount) != 0 {
			t.Fatalf("%s of %s is %s there and %s back", amount, from.Symbol(), there, back)
		}
	})
}

func parsed(t *rapid.T, symbol string) Unit {
	u, known := Parse(symbol)
	if !known || u.Symbol() != symbol {
		t.Fatalf("the symbol %q is read as %q", symbol, u.Symbol())
	}
	return u
}

func TestEverySpellingInTheTableIsParsedAsItsUnit(t *testing.T) {
	names, ones := map[string]bool{}, map[string]int{}
	for _, group := range table {
		if names[group.name] {
			t.Errorf("two dimensions are called %q", group.name)
		}
		names[group.name] = true
		for _, r := range group.units {
			for _, text := range spellings(r.symbol + "|" + r.symbols + "|" + r.words) {
				if u, known := Parse(text); !known || u.Symbol() != r.symbol || u.Dimension() != group.name {
					t.Errorf("%q is read as %q of %q, want %q", text, u.Symbol(), u.Dimension(), r.symbol)
				}
			}
			if product(r.factor).Sign() <= 0 {
				t.Errorf("%s: the factor %s is not positive", r.symbol, r.factor)
			}
			if r.factor == "1" && r.offset == "" {
				ones[group.name]++
			}
		}
	}
	for name := range names {
		if ones[name] != 1 && name != "proportion" {
			t.Errorf("%s has %d base units", name, ones[name])
		}
	}
}

func TestDecimalsAreWrittenExactlyOrRounded(t *testing.T) {
	for _, c := range []struct {
		numerator, denominator int64
		text, below, above     string
		exact                  bool
	}{
		{1, 10, "0.1", "0.1", "0.1", true}, {-25, 2, "-12.5", "-12.5", "-12.5", true}, {100, 1, "100", "100", "100", true},
		{1, 3, "0.333333333", "0.333333333", "0.333333334", false}, {-1, 3, "-0.333333333", "-0.333333334", "-0.333333333", false},
		{2, 3, "0.666666667", "0.666666666", "0.666666667", false}, {100000000000, 3, "33333333300", "33333333300", "33333333400", false},
		{2999999999, 3000000000, "1", "0.999999999", "1", false}, {1, 3000000, "0.000000333333333", "0.000000333333333", "0.000000333333334", false},
	} {
		amount := big.NewRat(c.numerator, c.denominator)
		if text, exact := Decimal(amount); text != c.text || exact != c.exact {
			t.Errorf("Decimal(%s) = %s, %v; want %s, %v", amount, text, exact, c.text, c.exact)
		}
		if below, above := DecimalBelow(amount), DecimalAbove(amount); below != c.below || above != c.above {
			t.Errorf("%s lies within %s and %s, want %s and %s", amount, below, above, c.below, c.above)
		}
	}
}

func TestOnlyDecimalsAreParsed(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "+1.50": "1.5", ".5": "0.5", "1e3": "1000", "2.5E-3": "0.0025", "007": "7", strings.Repeat("9", 60): strings.Repeat("9", 60),
	} {
		amount, ok := ParseDecimal(text)
		if !ok {
			t.Errorf("%q is not read", text)
		} else if got, _ := Decimal(amount); got != want {
			t.Errorf("%q is read as %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		"", " 1", "1 ", "1,5", "1_000", "0x10", "1/2", "1.", ".", "-", "--1", "1e", "1e+", "1e41", "1e999999999", "1e-999999999", "1e99999999999999999999",
		"NaN", "Inf", "1.2.3", "1e2e3", "٣", "1e1.5", strings.Repeat("9", 61), "1e_1", "0b1", "1p3",
	} {
		if amount, ok := ParseDecimal(text); ok {
			t.Errorf("%q is read as %s", text, amount)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"mm", "KW", `"`, "m^2", "", "Zoll", "°C", "\u05b7", "\xff", "  a  b ", "N⋅m", "ﬁ", "İ", "..", "K", "mw", ".M", "m s-1", "fl. oz", "-1", "a-1-1", "·-1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, known := Parse(text)
		again, still := Parse(u.Symbol())
		if again != u || still != known {
			t.Fatalf("Parse(%q) is %q, which is read as %q", text, u.Symbol(), again.Symbol())
		}
	})
}

func FuzzParseDecimal(f *testing.F) {
	for _, text := range []string{"0", "-1.5", "1e40", "1e999999999", ".5", "+.5e-3", "1_0", "0x1p3", "1/3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		amount, ok := ParseDecimal(text)
		if !ok {
			return
		}
		written, exact := Decimal(amount)
		if !exact || len(written) > 2*maxDecimal+maxExponent {
			t.Fatalf("%q is written as %q, exact %v", text, written, exact)
		}
		if len(written) > maxDecimal {
			return
		}
		if again, ok := ParseDecimal(written); !ok || again.Cmp(amount) != 0 {
			t.Fatalf("%q is written as %q, which is read as %v", text, written, again)
		}
	})
}

func TestLinesHaveEveryUnitAndSpelling(t *testing.T) {
	spellings := 0
	for _, line := range Lines() {
		columns := strings.Split(line, "\t")
		if len(columns) != 5 {
			t.Fatalf("%q has %d columns", line, len(columns))
		}
		factor, _ := new(big.Rat).SetString(columns[1])
		offset, _ := new(big.Rat).SetString(columns[2])
		for _, text := range strings.Split(columns[3]+"|"+columns[4], "|") {
			if text == "" {
				continue
			}
			spellings++
			u, known := Parse(text)
			if !known || u.Dimension() != columns[0] || u.Base(big.NewRat(7, 1)).Cmp(new(big.Rat).Mul(new(big.Rat).Add(big.NewRat(7, 1), offset), factor)) != 0 {
				t.Errorf("%q is %v, want %q", text, u, line)
			}
		}
	}
	if spellings != len(exact)+len(folded) {
		t.Errorf("%d spellings, want %d", spellings, len(exact)+len(folded))
	}
}
