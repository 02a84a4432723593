// Package unit knows the units of measure in which attributes are written: which have the
// same dimension, how their spellings are parsed, and how an amount is converted to another
// unit, exactly, as a rational number. It does not know what an attribute is, or how
// amounts are stored, shown or compared.
//
// Factors are exact by definition, each with its source:
//
//   - SI: The International System of Units, SI Brochure, 9th edition (BIPM, 2019): tables 2 (base
//     units), 4 (derived units), 7 (prefixes), 8 (units used with the SI: min, h, d, °, ha, l, t)
//   - SP 811: NIST Special Publication 811 (2008), appendix B.8, where a factor in bold is exact
//   - yard and pound: the international yard and pound agreement of 1959: 1 yd = 0.9144 m, 1 lb = 0.45359237 kg
//   - IEC 80000-13:2008: bit, byte of 8 bits, and the prefixes kibi, mebi, gibi, tebi
//
// A unit without an exact factor has no known dimension here: a radian (π is irrational), a
// year and a month (their lengths vary), a "ton" (short, long, or metric), a calorie (which
// has several definitions). Such a unit is only compared with itself, which is never wrong.
package unit
