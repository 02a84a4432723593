package unit

// row is a unit of the table. Its factor is what one of it is in the
// dimension's base unit, as a product and quotient of decimals ("0.3048*0.3048",
// "5/9"); offset, for temperatures alone, is added to an amount before the
// factor applies. Symbols are read in their case first; words, "(s)" for an
// optional s, in any.
type row struct {
	symbol, factor, offset string
	symbols, words         string // further ones, separated by "|"
}

// table holds the dimensions with their units. The factor of a dimension's base
// unit is 1.
var table = []struct {
	dimension string
	units     []row
}{
	{"length", []row{ // SI; yard and pound: in, ft, yd, mi; SP 811: nautical mile
		{symbol: "m", factor: "1", words: "meter(s)|metre(s)|mtr"},
		{symbol: "nm", factor: "0.000000001", words: "nanometer(s)|nanometre(s)"},
		{symbol: "µm", factor: "0.000001", symbols: "um", words: "micrometer(s)|micrometre(s)|micron(s)|mikrometer"},
		{symbol: "mm", factor: "0.001", words: "millimeter(s)|millimetre(s)"},
		{symbol: "cm", factor: "0.01", words: "centimeter(s)|centimetre(s)|zentimeter"},
		{symbol: "dm", factor: "0.1", words: "decimeter(s)|decimetre(s)|dezimeter"},
		{symbol: "km", factor: "1000", words: "kilometer(s)|kilometre(s)"},
		{symbol: "in", factor: "0.0254", symbols: "\"|″|”|''", words: "inch|inches|zoll"},
		{symbol: "ft", factor: "0.3048", words: "foot|feet"},
		{symbol: "yd", factor: "0.9144", words: "yard(s)|yds"},
		{symbol: "mi", factor: "1609.344", words: "mile(s)"},
		{symbol: "nmi", factor: "1852", words: "nautical mile(s)|seemeile|seemeilen"},
	}},
	{"mass", []row{ // SI; yard and pound: lb, oz
		{symbol: "kg", factor: "1", symbols: "kgs", words: "kilogram(s)|kilogramme(s)|kilogramm|kilo(s)"},
		{symbol: "µg", factor: "0.000000001", symbols: "ug", words: "microgram(s)|mikrogramm"},
		{symbol: "mg", factor: "0.000001", words: "milligram(s)|milligramm"},
		{symbol: "g", factor: "0.001", words: "gram(s)|gramme(s)|gramm"},
		{symbol: "t", factor: "1000", symbols: "Mg", words: "tonne(s)|metric ton(s)|tonnen"},
		{symbol: "lb", factor: "0.45359237", symbols: "lbs", words: "pound(s)"},
		{symbol: "oz", factor: "0.45359237/16", words: "ounce(s)"},
	}},
	{"power", []row{ // SI; SP 811: horsepower (550 ft·lbf/s), horsepower (metric)
		{symbol: "W", factor: "1", symbols: "w", words: "watt(s)"},
		{symbol: "µW", factor: "0.000001", symbols: "uW", words: "microwatt(s)|mikrowatt"},
		{symbol: "mW", factor: "0.001", words: "milliwatt(s)"},
		{symbol: "kW", factor: "1000", words: "kilowatt(s)"},
		{symbol: "MW", factor: "1000000", words: "megawatt(s)"},
		{symbol: "GW", factor: "1000000000", words: "gigawatt(s)"},
		{symbol: "hp", factor: "550*0.3048*0.45359237*9.80665", words: "horsepower"},
		{symbol: "PS", factor: "75*9.80665", words: "pferdestärke|pferdestärken"},
	}},
	{"apparent power", []row{ // SI Brochure, 5.4.6: V·A
		{symbol: "VA", factor: "1", words: "volt ampere(s)|voltampere"},
		{symbol: "mVA", factor: "0.001"},
		{symbol: "kVA", factor: "1000"},
		{symbol: "MVA", factor: "1000000"},
	}},
	{"energy", []row{ // SI; 1 W·h = 3600 J
		{symbol: "J", factor: "1", words: "joule(s)"},
		{symbol: "µJ", factor: "0.000001", symbols: "uJ", words: "microjoule(s)|mikrojoule"},
		{symbol: "mJ", factor: "0.001", words: "millijoule(s)"},
		{symbol: "kJ", factor: "1000", words: "kilojoule(s)"},
		{symbol: "MJ", factor: "1000000", words: "megajoule(s)"},
		{symbol: "GJ", factor: "1000000000", words: "gigajoule(s)"},
		{symbol: "mWh", factor: "3.6", words: "milliwatt hour(s)"},
		{symbol: "Wh", factor: "3600", words: "watt hour(s)|wattstunde|wattstunden"},
		{symbol: "kWh", factor: "3600000", words: "kilowatt hour(s)|kilowattstunde|kilowattstunden"},
		{symbol: "MWh", factor: "3600000000", words: "megawatt hour(s)|megawattstunde|megawattstunden"},
		{symbol: "GWh", factor: "3600000000000", words: "gigawatt hour(s)|gigawattstunde|gigawattstunden"},
	}},
	{"voltage", []row{ // SI
		{symbol: "V", factor: "1", symbols: "v", words: "volt(s)"},
		{symbol: "µV", factor: "0.000001", symbols: "uV", words: "microvolt(s)|mikrovolt"},
		{symbol: "mV", factor: "0.001", words: "millivolt(s)"},
		{symbol: "kV", factor: "1000", words: "kilovolt(s)"},
		{symbol: "MV", factor: "1000000", words: "megavolt(s)"},
	}},
	{"current", []row{ // SI
		{symbol: "A", factor: "1", words: "ampere(s)|amp(s)"},
		{symbol: "pA", factor: "0.000000000001"},
		{symbol: "nA", factor: "0.000000001"},
		{symbol: "µA", factor: "0.000001", symbols: "uA", words: "microampere(s)|mikroampere"},
		{symbol: "mA", factor: "0.001", words: "milliampere(s)|milliamp(s)"},
		{symbol: "kA", factor: "1000", words: "kiloampere(s)"},
	}},
	{"resistance", []row{ // SI
		{symbol: "Ω", factor: "1", words: "ohm(s)"},
		{symbol: "mΩ", factor: "0.001", symbols: "mOhm", words: "milliohm(s)"},
		{symbol: "kΩ", factor: "1000", symbols: "kOhm", words: "kiloohm(s)|kilohm(s)"},
		{symbol: "MΩ", factor: "1000000", symbols: "MOhm", words: "megaohm(s)|megohm(s)"},
	}},
	{"conductance", []row{ // SI
		{symbol: "S", factor: "1", words: "siemens"},
		{symbol: "nS", factor: "0.000000001"},
		{symbol: "µS", factor: "0.000001", symbols: "uS"},
		{symbol: "mS", factor: "0.001"},
	}},
	{"capacitance", []row{ // SI; a bare F is left out, since many mean °F by it
		{symbol: "µF", factor: "1", symbols: "uF", words: "microfarad(s)|mikrofarad"},
		{symbol: "pF", factor: "0.000001", words: "picofarad(s)"},
		{symbol: "nF", factor: "0.001", words: "nanofarad(s)"},
		{symbol: "mF", factor: "1000", words: "millifarad(s)"},
	}},
	{"charge", []row{ // SI; a bare C is left out, since many mean °C by it
		{symbol: "Ah", factor: "1", symbols: "A·h", words: "ampere hour(s)|amp hour(s)|amperestunde|amperestunden"},
		{symbol: "mAh", factor: "0.001", symbols: "mA·h", words: "milliampere hour(s)|milliamp hour(s)"},
	}},
	// IEC 80000-13. b is the bit and B the byte in their case; in small letters
	// alone, gb is what people mean by it: bytes.
	{"data", []row{
		{symbol: "bit", factor: "1", symbols: "b", words: "bits"},
		{symbol: "kbit", factor: "1000", symbols: "Kb", words: "kilobit(s)"},
		{symbol: "Mbit", factor: "1000000", symbols: "Mb", words: "megabit(s)"},
		{symbol: "Gbit", factor: "1000000000", symbols: "Gb", words: "gigabit(s)"},
		{symbol: "Tbit", factor: "1000000000000", symbols: "Tb", words: "terabit(s)"},
		{symbol: "B", factor: "8", words: "byte(s)"},
		{symbol: "kB", factor: "8*1000", symbols: "KB", words: "kilobyte(s)"},
		{symbol: "MB", factor: "8*1000000", symbols: "mb", words: "megabyte(s)"},
		{symbol: "GB", factor: "8*1000000000", symbols: "gb", words: "gigabyte(s)"},
		{symbol: "TB", factor: "8*1000000000000", symbols: "tb", words: "terabyte(s)"},
		{symbol: "PB", factor: "8*1000000000000000", symbols: "pb", words: "petabyte(s)"},
		{symbol: "Pbit", factor: "1000000000000000", symbols: "Pb", words: "petabit(s)"},
		{symbol: "Kibit", factor: "1024", symbols: "Kib", words: "kibibit(s)"},
		{symbol: "Mibit", factor: "1048576", symbols: "Mib", words: "mebibit(s)"},
		{symbol: "Gibit", factor: "1073741824", symbols: "Gib", words: "gibibit(s)"},
		{symbol: "KiB", factor: "8*1024", symbols: "kib", words: "kibibyte(s)"},
		{symbol: "MiB", factor: "8*1048576", symbols: "mib", words: "mebibyte(s)"},
		{symbol: "GiB", factor: "8*1073741824", symbols: "gib", words: "gibibyte(s)"},
		{symbol: "TiB", factor: "8*1099511627776", words: "tebibyte(s)"},
		{symbol: "PiB", factor: "8*1125899906842624", words: "pebibyte(s)"},
	}},
	{"data rate", []row{ // IEC 80000-13, per second
		{symbol: "bit/s", factor: "1", symbols: "b/s|bps", words: "bits/s|bit per second|bits per second"},
		{symbol: "kbit/s", factor: "1000", symbols: "kb/s|Kb/s|kbps|Kbps", words: "kilobit(s) per second"},
		{symbol: "Mbit/s", factor: "1000000", symbols: "Mb/s|Mbps|mbps", words: "megabit(s) per second"},
		{symbol: "Gbit/s", factor: "1000000000", symbols: "Gb/s|Gbps|gbps", words: "gigabit(s) per second"},
		{symbol: "Tbit/s", factor: "1000000000000", symbols: "Tb/s|Tbps|tbps", words: "terabit(s) per second"},
		{symbol: "B/s", factor: "8", symbols: "Bps", words: "byte(s)/s|byte(s) per second"},
		{symbol: "kB/s", factor: "8*1000", symbols: "KB/s|kBps|KBps", words: "kilobyte(s) per second"},
		{symbol: "MB/s", factor: "8*1000000", symbols: "MBps", words: "megabyte(s) per second"},
		{symbol: "GB/s", factor: "8*1000000000", symbols: "GBps", words: "gigabyte(s) per second"},
		{symbol: "TB/s", factor: "8*1000000000000", symbols: "TBps", words: "terabyte(s) per second"},
		{symbol: "KiB/s", factor: "8*1024"},
		{symbol: "MiB/s", factor: "8*1048576"},
		{symbol: "GiB/s", factor: "8*1073741824"},
	}},
	{"time", []row{ // SI; a week is 7 days
		{symbol: "s", factor: "1", words: "sec(s)|second(s)|sek|sekunde|sekunden"},
		{symbol: "ps", factor: "0.000000000001", words: "picosecond(s)|pikosekunden"},
		{symbol: "ns", factor: "0.000000001", words: "nanosecond(s)|nanosekunden"},
		{symbol: "µs", factor: "0.000001", symbols: "us", words: "microsecond(s)|mikrosekunden"},
		{symbol: "ms", factor: "0.001", words: "millisecond(s)|msec|millisekunden"},
		{symbol: "min", factor: "60", words: "mins|minute(s)|minuten"},
		{symbol: "h", factor: "3600", words: "hr(s)|hour(s)|std|stunde|stunden"},
		{symbol: "d", factor: "86400", words: "day(s)|tag|tage"},
		{symbol: "wk", factor: "604800", words: "wks|week(s)|woche|wochen"},
	}},
	{"frequency", []row{ // SI; SP 811: revolution per minute as a frequency, 1/60 Hz
		{symbol: "Hz", factor: "1", words: "hertz"},
		{symbol: "kHz", factor: "1000", words: "kilohertz"},
		{symbol: "mHz", factor: "0.001", words: "millihertz"},
		{symbol: "MHz", factor: "1000000", symbols: "mhz", words: "megahertz"},
		{symbol: "GHz", factor: "1000000000", words: "gigahertz"},
		{symbol: "THz", factor: "1000000000000", words: "terahertz"},
		{symbol: "rpm", factor: "1/60", symbols: "r/min|1/min|U/min", words: "revolution(s) per minute"},
	}},
	{"area", []row{ // SI; yard and pound: in², ft²
		{symbol: "m²", factor: "1", symbols: "qm|sqm|sq m", words: "square meter(s)|square metre(s)|quadratmeter"},
		{symbol: "mm²", factor: "0.000001", symbols: "sq mm", words: "square millimeter(s)|square millimetre(s)|quadratmillimeter"},
		{symbol: "cm²", factor: "0.0001", symbols: "sq cm", words: "square centimeter(s)|square centimetre(s)|quadratzentimeter"},
		{symbol: "km²", factor: "1000000", symbols: "sq km", words: "square kilometer(s)|square kilometre(s)|quadratkilometer"},
		{symbol: "ha", factor: "10000", words: "hectare(s)|hektar"},
		{symbol: "in²", factor: "0.0254*0.0254", symbols: "sq in", words: "square inch|square inches"},
		{symbol: "ft²", factor: "0.3048*0.3048", symbols: "sq ft|sqft", words: "square foot|square feet"},
	}},
	{"volume", []row{ // SI; SP 811: gallon (US) of 231 in³
		{symbol: "m³", factor: "1", symbols: "cbm", words: "cubic meter(s)|cubic metre(s)|kubikmeter"},
		{symbol: "ml", factor: "0.000001", symbols: "mL", words: "milliliter(s)|millilitre(s)"},
		{symbol: "µl", factor: "0.000000001", symbols: "ul|µL|uL", words: "microliter(s)|microlitre(s)|mikroliter"},
		{symbol: "cl", factor: "0.00001", symbols: "cL", words: "centiliter(s)|centilitre(s)|zentiliter"},
		{symbol: "l", factor: "0.001", symbols: "L|ℓ", words: "liter(s)|litre(s)"},
		{symbol: "hl", factor: "0.1", symbols: "hL", words: "hectoliter(s)|hectolitre(s)|hektoliter"},
		{symbol: "mm³", factor: "0.000000001", words: "cubic millimeter(s)|cubic millimetre(s)|kubikmillimeter"},
		{symbol: "cm³", factor: "0.000001", symbols: "ccm", words: "cubic centimeter(s)|cubic centimetre(s)|kubikzentimeter"},
		{symbol: "gal", factor: "231*0.0254*0.0254*0.0254", symbols: "gal (US)|US gal", words: "gallon(s)|us gallon(s)"},
		{symbol: "ft³", factor: "0.3048*0.3048*0.3048", symbols: "cu ft", words: "cubic foot|cubic feet"},
	}},
	{"speed", []row{ // SI; yard and pound: mph; SP 811: knot
		{symbol: "m/s", factor: "1", words: "m per second|meter(s) per second|metre(s) per second|meter pro sekunde|metre(s) par seconde"},
		{symbol: "mm/s", factor: "0.001"},
		{symbol: "cm/s", factor: "0.01"},
		{symbol: "m/min", factor: "1/60"},
		{symbol: "km/h", factor: "1000/3600", symbols: "kmh|kph", words: "km per hour|kilometer(s) per hour|kilometre(s) per hour|kilometer pro stunde"},
		{symbol: "mph", factor: "1609.344/3600", symbols: "mi/h", words: "mile(s) per hour"},
		{symbol: "kn", factor: "1852/3600", symbols: "kts", words: "knot(s)|knoten"},
	}},
	{"pressure", []row{ // SI; SP 811: bar, psi (lbf/in²)
		{symbol: "Pa", factor: "1", words: "pascal(s)"},
		{symbol: "mPa", factor: "0.001", words: "millipascal(s)"},
		{symbol: "hPa", factor: "100", words: "hectopascal(s)|hektopascal"},
		{symbol: "kPa", factor: "1000", words: "kilopascal(s)"},
		{symbol: "MPa", factor: "1000000", words: "megapascal(s)"},
		{symbol: "mbar", factor: "100", words: "millibar(s)"},
		{symbol: "bar", factor: "100000", words: "bars"},
		{symbol: "psi", factor: "0.45359237*9.80665/0.0254/0.0254", symbols: "lbf/in²|lb/in²"},
	}},
	// SI: t/°C = T/K − 273.15; SP 811: T/K = (t/°F + 459.67)/1.8.
	{"temperature", []row{
		{symbol: "K", factor: "1", words: "kelvin(s)"},
		{symbol: "°C", factor: "1", offset: "273.15", symbols: "º C|° C|ºC", words: "degc|deg c|celsius|degree(s) celsius|grad celsius"},
		{symbol: "°F", factor: "5/9", offset: "459.67", symbols: "º F|° F|ºF", words: "degf|deg f|fahrenheit|degree(s) fahrenheit|grad fahrenheit"},
	}},
	{"force", []row{ // SI; SP 811: pound-force
		{symbol: "N", factor: "1", words: "newton(s)"},
		{symbol: "mN", factor: "0.001", words: "millinewton(s)"},
		{symbol: "kN", factor: "1000", words: "kilonewton(s)"},
		{symbol: "MN", factor: "1000000", words: "meganewton(s)"},
		{symbol: "lbf", factor: "0.45359237*9.80665", words: "pound force|pound-force"},
	}},
	{"torque", []row{ // SI; SP 811: pound-force foot
		{symbol: "Nm", factor: "1", symbols: "N·m|N m|N*m", words: "newton meter(s)|newton metre(s)|newtonmeter"},
		{symbol: "mNm", factor: "0.001", symbols: "mN·m"},
		{symbol: "Ncm", factor: "0.01", symbols: "N·cm"},
		{symbol: "kNm", factor: "1000", symbols: "kN·m"},
		{symbol: "MNm", factor: "1000000", symbols: "MN·m"},
		{symbol: "lbf·ft", factor: "0.3048*0.45359237*9.80665", symbols: "lb·ft|ft·lb|lb-ft|ft-lb|lbf-ft|ft·lbf"},
	}},
	{"flow", []row{ // SI: l, min, h; SP 811: gallon (US), cubic foot
		{symbol: "m³/s", factor: "1"},
		{symbol: "m³/h", factor: "1/3600", symbols: "cbm/h", words: "m3 per hour|m3 pro stunde|m3 par heure|cubic meter(s) per hour|cubic metre(s) per hour|kubikmeter pro stunde"},
		{symbol: "m³/min", factor: "1/60"},
		{symbol: "ml/min", factor: "0.000001/60", symbols: "mL/min"},
		{symbol: "l/min", factor: "0.001/60", symbols: "L/min|lpm", words: "l per minute|liter(s) per minute|litre(s) per minute|liter pro minute|litre(s) par minute"},
		{symbol: "l/h", factor: "0.001/3600", symbols: "L/h", words: "l per hour|liter(s) per hour|litre(s) per hour|liter pro stunde|litre(s) par heure"},
		{symbol: "l/s", factor: "0.001", symbols: "L/s", words: "liter(s) per second|litre(s) per second"},
		{symbol: "gal/min", factor: "231*0.0254*0.0254*0.0254/60", symbols: "gpm|GPM|US gpm", words: "gallon(s) per minute|us gallon(s) per minute"},
		{symbol: "ft³/min", factor: "0.3048*0.3048*0.3048/60", symbols: "cfm|CFM|cu ft/min", words: "cubic foot per minute|cubic feet per minute"},
	}},
	{"viscosity", []row{ // SI Brochure, table 5: Pa s; SP 811: centipoise
		{symbol: "Pa·s", factor: "1", symbols: "Pa s|Pa*s|Pas", words: "pascal second(s)"},
		{symbol: "mPa·s", factor: "0.001", symbols: "mPa s|mPa*s|mPas", words: "millipascal second(s)"},
		{symbol: "cP", factor: "0.001", words: "centipoise"},
	}},
	{"kinematic viscosity", []row{ // SI; SP 811: centistokes
		{symbol: "m²/s", factor: "1"},
		{symbol: "mm²/s", factor: "0.000001"},
		{symbol: "cSt", factor: "0.000001", words: "centistokes"},
	}},
	{"proportion", []row{ // SI Brochure, 5.4.7
		{symbol: "%", factor: "0.01", symbols: "pct", words: "percent|per cent|prozent"},
		{symbol: "‰", factor: "0.001", words: "permille|per mille|promille"},
		{symbol: "ppm", factor: "0.000001", words: "parts per million"},
	}},
	{"luminous flux", []row{{symbol: "lm", factor: "1", words: "lumen(s)"}}},                    // SI
	{"illuminance", []row{{symbol: "lx", factor: "1", words: "lux"}}},                           // SI
	{"luminance", []row{{symbol: "cd/m²", factor: "1", symbols: "nt", words: "nit(s)"}}},        // SI
	{"level", []row{{symbol: "dB", factor: "1", words: "decibel(s)|dezibel"}}},                  // SI, table 8
	{"weighted level", []row{{symbol: "dB(A)", factor: "1", symbols: "dBA|dB A"}}},              // IEC 61672-1: not what dB is
	{"angle", []row{{symbol: "°", factor: "1", symbols: "deg", words: "degree(s)|winkelgrad"}}}, // SI, table 8
}
