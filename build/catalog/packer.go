package catalog

import (
	"encoding/binary"
	"math"
	"time"
)

// A packer writes values in sequence, or reads them in the same order, so that one method per
// type does both. Writing does not modify the values, since other goroutines may read them.
type packer struct {
	reading bool
	out     []byte
	// in is the unread input. Values that are read share its memory.
	in string
	// torn means that the input was too short or malformed.
	torn bool
}

func (p *packer) tear() {
	p.torn, p.in = true, ""
}

func (p *packer) uint(v *uint64) {
	if !p.reading {
		p.out = binary.AppendUvarint(p.out, *v)
		return
	}
	if len(p.in) > 0 && p.in[0] < 0x80 { // the usual case
		*v, p.in = uint64(p.in[0]), p.in[1:]
		return
	}
	*v = 0
	for i := range min(len(p.in), binary.MaxVarintLen64) {
		*v |= uint64(p.in[i]&0x7f) << (7 * i)
		if p.in[i] < 0x80 {
			p.in = p.in[i+1:]
			return
		}
	}
	*v = 0
	p.tear()
}

// integer reads or writes any whole number.
func integer[T ~int | ~int64 | ~uint8 | ~uint16 | ~uint32](p *packer, v *T) {
	u := uint64(int64(*v)<<1) ^ uint64(int64(*v)>>63) // zigzag: small negative numbers stay short
	p.uint(&u)
	if p.reading {
		*v = T(int64(u>>1) ^ -int64(u&1))
	}
}

// flag reads or writes a bool.
func (p *packer) flag(v *bool) {
	n := 0
	if *v {
		n = 1
	}
	integer(p, &n)
	if p.reading {
		*v = n == 1
	}
}

func (p *packer) text(v *string) {
	n := uint64(len(*v))
	p.uint(&n)
	switch {
	case !p.reading:
		p.out = append(p.out, *v...)
	case n > uint64(len(p.in)):
		*v = ""
		p.tear()
	default:
		*v, p.in = p.in[:n], p.in[n:]
	}
}

func (p *packer) texts(list ...*string) {
	for _, v := range list {
		p.text(v)
	}
}

// listOf reads or writes a list. An empty list is read as nil.
func listOf[T any](p *packer, all *[]T, each func(*packer, *T)) {
	n := uint64(len(*all))
	p.uint(&n)
	if p.reading {
		*all = nil
		if n > uint64(len(p.in)) { // each takes at least a byte
			p.tear()
			return
		}
		if n == 0 {
			return
		}
		*all = make([]T, n)
	}
	for i := range *all {
		each(p, &(*all)[i])
	}
}

// maybe reads or writes an optional value.
func maybe[T any](p *packer, v **T, one func(*packer, *T)) {
	there := *v != nil
	p.flag(&there)
	if p.reading {
		if *v = nil; there {
			*v = new(T)
		}
	}
	if there {
		one(p, *v)
	}
}

func (p *packer) moment(v *time.Time) {
	var seconds int64
	var nanoseconds int
	if !p.reading && !v.IsZero() {
		// The zero time takes a byte. No other time has the same number of seconds.
		seconds, nanoseconds = v.Unix()-zeroSeconds, v.Nanosecond()
	}
	integer(p, &seconds)
	integer(p, &nanoseconds)
	if !p.reading {
		return
	}
	if *v = (time.Time{}); (seconds != 0 || nanoseconds != 0) && nanoseconds >= 0 && nanoseconds < 1e9 {
		*v = time.Unix(seconds+zeroSeconds, int64(nanoseconds)).UTC()
	}
}

var zeroSeconds = time.Time{}.Unix()

func (p *packer) position(v *Position) {
	integer(p, &v.Line)
	integer(p, &v.Column)
}

func (p *packer) ref(v *Ref) {
	kinds := uint64(v.Kind) + uint64(v.Root)*uint64(len(kindNames))
	p.uint(&kinds)
	p.text(&v.Company)
	p.text(&v.Slug)
	if !p.reading {
		return
	}
	v.Kind, v.Root = Kind(kinds%uint64(len(kindNames))), Kind(kinds/uint64(len(kindNames)))
	if v.Root >= Kind(len(kindNames)) {
		*v = Ref{}
		p.tear()
	}
}

// packed returns the bytes written, in a slice without spare capacity.
func (p *packer) packed() string {
	if len(p.out) > math.MaxInt32 {
		panic("catalog: an item of more than 2 GB")
	}
	return string(p.out)
}
