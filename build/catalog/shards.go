package catalog

import (
	"iter"
	"slices"
)

// ShardSize is the maximum number of members of a shard.
const ShardSize = 500

// A Shard names a part of a set: the members whose digests begin with its bits. It is
// comparable.
type Shard struct {
	// Bits are the first Length bits of the digests, followed by zeros.
	Bits   uint64
	Length int
}

// String returns the bits as 0s and 1s; "" is the whole set.
func (s Shard) String() string {
	text := make([]byte, s.Length)
	for i := range text {
		text[i] = '0' + byte(s.Bits>>(63-i)&1)
	}
	return string(text)
}

// half returns the half of s that contains a digest, and which of the two it is.
func (s Shard) half(digest uint64) (half Shard, which int) {
	bit := digest >> (63 - s.Length) & 1
	return Shard{Bits: s.Bits | bit<<(63-s.Length), Length: s.Length + 1}, int(bit)
}

// Shards divides a set by the digests of its members. A shard of more than ShardSize members
// is split in two by one more bit. The shards depend only on the set, and adding or removing a
// member changes, splits or merges only its own shard. The zero value is the empty set.
type Shards[T interface {
	comparable
	Digest() uint64
}] struct {
	size    int
	members []T // if not split
	halves  *[2]Shards[T]
}

// Add adds a new member and calls touch, if it is not nil, for each shard that changes,
// appears or vanishes.
func (s *Shards[T]) Add(m T, touch func(Shard)) { s.add(Shard{}, m, touch) }

func (s *Shards[T]) add(at Shard, m T, touch func(Shard)) {
	s.size++
	if s.halves != nil {
		half, i := at.half(m.Digest())
		s.halves[i].add(half, m, touch)
		return
	}
	s.members = append(s.members, m)
	if touch != nil {
		touch(at)
	}
	if s.size <= ShardSize || at.Length == 64 {
		return
	}
	members := s.members
	s.members, s.halves = nil, &[2]Shards[T]{}
	for _, m := range members {
		half, i := at.half(m.Digest())
		s.halves[i].add(half, m, touch)
	}
}

// Remove removes an existing member, and calls touch as Add does.
func (s *Shards[T]) Remove(m T, touch func(Shard)) { s.remove(Shard{}, m, touch) }

func (s *Shards[T]) remove(at Shard, m T, touch func(Shard)) {
	s.size--
	if s.halves == nil {
		i := slices.Index(s.members, m)
		s.members = slices.Delete(s.members, i, i+1)
		touch(at)
		return
	}
	half, i := at.half(m.Digest())
	s.halves[i].remove(half, m, touch)
	if s.size > ShardSize {
		return
	}
	s.members = slices.Concat(s.halves[0].members, s.halves[1].members)
	s.halves = nil
	touch(at)
	other, _ := at.half(^m.Digest())
	touch(other)
}

// Of returns the shard that contains a digest.
func (s *Shards[T]) Of(digest uint64) Shard {
	at := Shard{}
	for s.halves != nil {
		half, i := at.half(digest)
		at, s = half, &s.halves[i]
	}
	return at
}

// Members returns the members of a shard in no particular order, or none if there is no such
// shard.
func (s *Shards[T]) Members(of Shard) []T {
	if s.Of(of.Bits) != of {
		return nil
	}
	for at := (Shard{}); s.halves != nil; {
		half, i := at.half(of.Bits)
		at, s = half, &s.halves[i]
	}
	return s.members
}

// Has reports whether a member is in the set.
func (s *Shards[T]) Has(m T) bool { return slices.Contains(s.Members(s.Of(m.Digest())), m) }

// All returns the non-empty shards in the order of their bits.
func (s *Shards[T]) All() iter.Seq[Shard] {
	return func(yield func(Shard) bool) { s.each(Shard{}, yield) }
}

func (s *Shards[T]) each(at Shard, yield func(Shard) bool) bool {
	if s.halves == nil {
		return s.size == 0 || yield(at)
	}
	zero, _ := at.half(0)
	one, _ := at.half(^uint64(0))
	return s.halves[0].each(zero, yield) && s.halves[1].each(one, yield)
}

// Split divides members of a shard into parts of at most most members, each by one more bit,
// and calls yield for each non-empty part in the order of the bits. Adding or removing a
// member changes, splits or merges only its own part.
func Split[T interface{ Digest() uint64 }](at Shard, members []T, most int, yield func(Shard, []T)) {
	if len(members) == 0 {
		return
	}
	if len(members) <= most || at.Length == 64 {
		yield(at, members)
		return
	}
	var halves [2][]T
	for _, m := range members {
		_, i := at.half(m.Digest())
		halves[i] = append(halves[i], m)
	}
	for i, digest := range []uint64{0, ^uint64(0)} {
		half, _ := at.half(digest)
		Split(half, halves[i], most, yield)
	}
}

// Has reports whether a digest begins with the bits.
func (s Shard) Has(digest uint64) bool { return s.Length == 0 || (digest^s.Bits)>>(64-s.Length) == 0 }
