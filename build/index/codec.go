package index

import (
	"encoding/binary"
	"slices"
	"time"

	"souk/build/catalog"
)

// An encoder appends values: varints, and texts preceded by their length.
type encoder struct{ data []byte }

func (e *encoder) number(n uint64) { e.data = binary.AppendUvarint(e.data, n) }

func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.data = append(e.data, s...)
}

func (e *encoder) texts(list []string) {
	e.number(uint64(len(list)))
	for _, s := range list {
		e.text(s)
	}
}

func (e *encoder) truth(b bool) {
	n := uint64(0)
	if b {
		n = 1
	}
	e.number(n)
}

func (e *encoder) date(d catalog.Date) {
	e.truth(!d.Time.IsZero())
	if !d.Time.IsZero() {
		e.truth(d.Day)
		e.data = binary.AppendVarint(e.data, d.Time.Unix())
		e.number(uint64(d.Time.Nanosecond()))
	}
}

// A decoder reads the output of an encoder. Its texts share the input's memory. From malformed
// input it reads zeros, empty texts and short lists.
type decoder struct{ data string }

func (d *decoder) fail() { d.data = "" }

func (d *decoder) number() (n uint64) {
	for shift := 0; shift < 64 && len(d.data) > 0; shift += 7 {
		b := d.data[0]
		d.data = d.data[1:]
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	d.fail()
	return 0
}

func (d *decoder) signed() int64 {
	n := d.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (d *decoder) truth() bool { return d.number() != 0 }

func (d *decoder) text() (s string) {
	n := d.number()
	if n > uint64(len(d.data)) {
		d.fail()
		return ""
	}
	s, d.data = d.data[:n], d.data[n:]
	return s
}

// kind reads a valid kind.
func (d *decoder) kind() catalog.Kind { return catalog.Kind(d.most(uint64(catalog.KindFile))) }

func (d *decoder) valueKind() catalog.ValueKind {
	return catalog.ValueKind(d.most(uint64(catalog.BooleanValue)))
}

// most reads a number up to a maximum.
func (d *decoder) most(most uint64) uint64 {
	n := d.number()
	if n > most {
		d.fail()
		return 0
	}
	return n
}

// length reads the length of a list whose elements each take at least the given number of
// bytes.
func (d *decoder) length(each int) int {
	n := d.number()
	if n > uint64(len(d.data)/each) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) texts(into []string) []string {
	list := sized(into, d.length(1))
	for i := range list {
		list[i] = d.text()
	}
	return list
}

// sized returns a list of length n that reuses the memory and elements of another as far as
// possible, or nil if both are empty.
func sized[T any](list []T, n int) []T { return slices.Grow(list[:0], n)[:n] }

func (d *decoder) date() (date catalog.Date) {
	if !d.truth() {
		return date
	}
	date.Day = d.truth()
	seconds := d.signed()
	date.Time = time.Unix(seconds, int64(d.number()%1e9)).UTC()
	return date
}
