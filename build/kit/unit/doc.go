// Package unit knows the units of measure that attributes are written in: which
// are of one dimension, how their spellings are read, and how an amount in one
// is told in another, exactly, as a rational number. It refuses to know what an
// attribute is, and how amounts are stored, shown or compared.
//
// Factors are exact by definition, each with its source:
//
//   - SI: The International System of Units, SI Brochure, 9th edition (BIPM, 2019): tables 2 (base
//     units), 4 (derived units), 7 (prefixes), 8 (units used with the SI: min, h, d, °, ha, l, t)
//   - SP 811: NIST Special Publication 811 (2008), appendix B.8, where a factor in bold is exact
//   - yard and pound: the international yard and pound agreement of 1959: 1 yd = 0.9144 m, 1 lb = 0.45359237 kg
//   - IEC 80000-13:2008: bit, byte of 8 bits, and the prefixes kibi, mebi, gibi, tebi
//
// What has no exact factor is no unit of a known dimension here: a radian
// (π is irrational), a year and a month (of what length), a "ton" (short, long,
// or metric), a calorie (of which definition). Such a unit is compared with
// itself alone, which is never wrong.
package unit
