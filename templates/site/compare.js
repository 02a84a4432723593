"use strict";
// Builds the comparison table on a host that runs no server, from the documents of the
// listings, like dynamic/compare. The build prepends units, which has a line for each
// unit (build/kit/unit): dimension, factor, offset, and the spellings that are and are
// not case-sensitive.
const compareListings = (() => {
  const exact = new Map(), folded = new Map(), others = new Map();
  const ratio = (text) => { const [n, d] = text.split("/"); return [BigInt(n), BigInt(d || 1)]; };
  const add = ([a, b], [c, d]) => [a * d + c * b, b * d];
  const times = ([a, b], [c, d]) => [a * c, b * d];
  const over = (x, [c, d]) => c < 0n ? times(x, [-d, -c]) : times(x, [d, c]);
  const minus = ([a, b]) => [-a, b];
  const one = [1n, 1n], none = [0n, 1n], bare = { dimension: "", factor: one, offset: none };
  for (const line of units.split("\n")) {
    const [dimension, factor, offset, spelt, inAnyCase] = line.split("\t");
    const unit = { dimension: dimension, factor: ratio(factor), offset: ratio(offset) };
    for (const text of spelt.split("|")) exact.set(text, unit);
    for (const text of inAnyCase.split("|")) if (text) folded.set(text, unit);
  }
  // decimal parses a number; it returns null if the number has more digits than any
  // measurement.
  function decimal(text) {
    const m = /^([+-]?)(\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
    if (!m || text.length > 60 || !m[2] && !m[3] || Math.abs(m[4] || 0) > 40) return null;
    const fraction = m[3] || "", digits = BigInt((m[1] === "-" ? "-" : "") + (m[2] + fraction)), power = (m[4] | 0) - fraction.length;
    return power < 0 ? [digits, 10n ** BigInt(-power)] : [digits * 10n ** BigInt(power), 1n];
  }
  function lowest([n, d]) {
    let a = n < 0n ? -n : n, b = d;
    while (b) [a, b] = [b, a % b];
    return a ? [n / a, d / a] : [n, d];
  }
  // finite writes a fraction as a decimal number; it returns null if the decimals
  // do not end.
  function finite([n, d]) {
    [n, d] = lowest([n, d]);
    let rest = d, twos = 0, fives = 0;
    for (; rest % 2n === 0n; twos++) rest /= 2n;
    for (; rest % 5n === 0n; fives++) rest /= 5n;
    if (rest !== 1n) return null;
    const places = Math.max(twos, fives);
    const digits = String((n < 0n ? -n : n) * 10n ** BigInt(places) / d).padStart(places + 1, "0");
    return (n < 0n ? "-" : "") + digits.slice(0, digits.length - places) + (places ? "." + digits.slice(-places) : "");
  }

  // The functions below parse units like build/kit/unit.
  const signs = { "⋅": "·", "∙": "·", "•": "·", "−": "-", "″": '"', "′′": '"', "''": '"', "’’": '"', "”": '"', "′": "'", "’": "'" };
  function normal(text) {
    text = text.normalize("NFKC").replace(/\^|\*\*|[⋅∙•−″”]|′′|''|’’|[′’]/g, (sign) => signs[sign] || "");
    text = text.trim().replace(/\s+/g, " ").replace(/ \/ | \/|\/ /g, "/");
    return text.replace(/[. ]+$/, "").trim().normalize("NFKC");
  }
  const foldUnit = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{Mn}/gu, "").normalize("NFKC");
  const elsewhere = ["mM", "μM", "uM", "nM", "cM", "kG", "mG", "Ns", "MF", "MA"];
  function respelled(text) {
    if (text.endsWith("-1")) {
      text = text.slice(0, -2);
      const at = Math.max(...["·", "*", " "].map((sign) => text.lastIndexOf(sign)));
      text = at < 0 ? "1/" + text : text.slice(0, at) + "/" + text.slice(at + 1);
    }
    const per = (text + " ").replace(/\/(sec|second|mn|minute|hr|hour) /g, (_, word) => "/" + { s: "s", m: "min", h: "h" }[word[0]]);
    for (let other of [text, text.replace(/\./g, ""), per]) {
      other = normal(other);
      const known = exact.get(other) || folded.get(foldUnit(other));
      if (known) return known;
    }
  }
  function own(text) {
    if (!others.has(text)) others.set(text, { ...bare, dimension: "own:" + text });
    return others.get(text);
  }
  function unit(symbol) {
    let text = normal(symbol || "");
    for (let i = 0; i < 4; i++) {
      if (text === "") return bare;
      if (exact.has(text)) return exact.get(text);
      if (elsewhere.includes(text)) return own(text);
      const small = foldUnit(text), known = folded.get(small) || respelled(text);
      if (known) return known;
      const again = normal(small);
      if (again === small && small !== "") return own(exact.has(small) || respelled(small) ? text : small);
      text = again;
    }
    return own(text);
  }
  const base = (q) => times(add(q.amount, q.unit.offset), q.unit.factor);

  // fold removes case, accents and the strokes of letters, like build/kit/fold.
  const letters = { "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "ς": "σ", "ة": "ه", "ى": "ي" };
  const fold = (text) => text.trim().normalize("NFKD").replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670\u0640\u200c\u200d]/g, "").toLowerCase()
    .replace(/[ßæœþøđðłħıςةى]/g, (letter) => letters[letter]).replace(/[٠-٩۰-۹]/g, (digit) => digit.charCodeAt(0) & 15)
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60)).normalize("NFKC");

  function quantity(cell, rowUnit) {
    const amount = cell.number !== undefined && decimal(cell.number);
    return amount && { amount: amount, unit: unit(rowUnit || cell.unit) };
  }
  // align converts the cells of a row to the unit of the first, if all converted values
  // have finitely many decimals.
  function align(row) {
    const first = row.cells.find(Boolean), to = quantity(first), done = [];
    for (const cell of row.cells) {
      const q = cell && quantity(cell);
      if (cell && (!q || !to || q.unit.dimension !== to.unit.dimension)) return;
      const number = q && (q.unit === to.unit ? cell.number : finite(add(over(base(q), to.unit.factor), minus(to.unit.offset))));
      if (number === null && cell) return;
      done.push(cell && { number: number, original: cell.unit !== first.unit ? { number: cell.number, unit: cell.unit } : undefined });
    }
    row.cells = done;
    row.unit = first.unit;
  }
  // said returns a key that is equal for cells with the same content.
  function said(cell, rowUnit) {
    if (cell.currency) return JSON.stringify([...lowest(decimal(cell.amount) || none).map(String), cell.currency, cell.unit, cell.from, cell.list]);
    const q = quantity(cell, rowUnit);
    if (q) return q.unit.dimension + " " + lowest(base(q)).join("/");
    const texts = cell.values || (typeof cell.value === "string" ? [cell.value] : undefined);
    return texts ? JSON.stringify(texts.map(fold).sort()) : String(cell.number === undefined ? cell.value : cell.number) + " " + (cell.unit || "");
  }
  // parse keeps the digits of numbers in documents as they are written.
  const parse = (text) => JSON.parse(text.replace(/"value":(-?\d[\d.eE+-]*)/g, '"number":"$1"'));
  function compare(offers) {
    const rows = [], known = new Map();
    offers.forEach((offer, i) => {
      const had = {};
      for (const { name, ...cell } of offer.attributes) {
        const folded = fold(name), key = folded + "\n" + (had[folded] = (had[folded] || 0) + 1);
        if (!known.has(key)) {
          known.set(key, { name: name, cells: offers.map(() => null) });
          rows.push(known.get(key));
        }
        known.get(key).cells[i] = cell;
      }
    });
    rows.forEach(align);
    for (const field of ["price", "delivery", "availability"]) {
      const cells = offers.map((offer) => offer[field] === undefined ? null : field === "price" ? offer.price : { value: offer[field] });
      if (cells.some(Boolean)) rows.push({ field: field, cells: cells });
    }
    for (const row of rows) row.differs = row.cells.some((cell) => !cell || said(cell, row.unit) !== said(row.cells[0] || cell, row.unit));
    return rows;
  }
  return { parse: parse, compare: compare };
})();
