// Package merge merges two versions of a value that have a common base: maps field by
// field, lists item by item and texts line by line. It knows neither formats nor files.
package merge

import (
	"slices"
	"strings"
)

// A Value is nil (absent), a string, a Raw, a List or a Map.
type Value any

// Raw is a scalar that is written without quotes: a number, a truth value or a date. It
// equals the string with the same text.
type Raw string

// A List is a sequence of values.
type List []Value

// A Map keeps its keys in the order in which they were written.
type Map []Pair

// A Pair is a key of a Map with its value.
type Pair struct {
	Key   string
	Value Value
}

// Get returns the value of a key, or nil.
func (m Map) Get(key string) Value {
	if i := m.index(key); i >= 0 {
		return m[i].Value
	}
	return nil
}

// Text returns the text of a key's scalar, or "".
func (m Map) Text(key string) string {
	text, _ := Text(m.Get(key))
	return text
}

// List returns the list of a key, or nil.
func (m Map) List(key string) List {
	list, _ := m.Get(key).(List)
	return list
}

// Map returns the map of a key, or nil.
func (m Map) Map(key string) Map {
	below, _ := m.Get(key).(Map)
	return below
}

func (m Map) index(key string) int {
	return slices.IndexFunc(m, func(p Pair) bool { return p.Key == key })
}

// Set returns the map with a value, which replaces the one that the key has; nil removes it.
func (m Map) Set(key string, value Value) Map {
	i := m.index(key)
	switch {
	case value == nil && i < 0:
		return m
	case value == nil:
		return slices.Delete(slices.Clone(m), i, i+1)
	case i >= 0:
		m = slices.Clone(m)
		m[i].Value = value
		return m
	}
	return append(slices.Clip(m), Pair{key, value})
}

// Text returns the text of a scalar, and whether the value is one.
func Text(v Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case Raw:
		return string(v), true
	}
	return "", false
}

// Texts returns a list of texts.
func Texts(texts ...string) (list List) {
	for _, text := range texts {
		list = append(list, text)
	}
	return list
}

// Equal reports whether two values are the same. Empty lists and maps equal nil, and the
// order of keys makes no difference.
func Equal(a, b Value) bool {
	switch x := a.(type) {
	case nil:
		return size(b) == 0
	case Map:
		y, is := b.(Map)
		if len(x) == 0 || !is {
			return len(x) == 0 && size(b) == 0
		}
		return !slices.ContainsFunc(x, func(p Pair) bool { return !Equal(p.Value, y.Get(p.Key)) }) &&
			!slices.ContainsFunc(y, func(p Pair) bool { return size(p.Value) > 0 && x.index(p.Key) < 0 })
	case List:
		y, is := b.(List)
		if len(x) == 0 || !is {
			return len(x) == 0 && size(b) == 0
		}
		return slices.EqualFunc(x, y, Equal)
	}
	s, _ := Text(a)
	t, is := Text(b)
	return is && s == t
}

// size returns the number of entries of a list or map, 0 for nil and 1 for a scalar.
func size(v Value) int {
	switch v := v.(type) {
	case nil:
		return 0
	case Map:
		return len(v)
	case List:
		return len(v)
	}
	return 1
}

// A Conflict is a field that both sides changed differently.
type Conflict struct {
	Path               string
	Base, Ours, Theirs Value
}

// Accept says which side wins a conflict.
type Accept int

// The sides. Without a choice ours stays, and the base keeps its value, so that the next
// merge finds the conflict again.
const (
	Neither Accept = iota
	Ours
	Theirs
)

// Three merges ours and theirs. It returns the merged value, the base for the next merge,
// and the conflicts.
func Three(base, ours, theirs Value, accept Accept) (merged, next Value, conflicts []Conflict) {
	m := merger{accept: accept}
	merged, next = m.value("", base, ours, theirs)
	return merged, next, m.conflicts
}

type merger struct {
	accept    Accept
	conflicts []Conflict
}

func (m *merger) value(path string, base, ours, theirs Value) (merged, next Value) {
	switch {
	case Equal(ours, theirs), Equal(base, theirs):
		return ours, theirs
	case Equal(base, ours):
		return theirs, theirs
	}
	if b, o, t, are := all[Map](base, ours, theirs); are {
		return m.maps(path, b, o, t)
	}
	if b, o, t, are := all[List](base, ours, theirs); are {
		if merged, next, clean := m.lists(path, b, o, t); clean {
			return merged, next
		}
	}
	if b, o, t, are := all[string](base, ours, theirs); are && strings.Contains(b, "\n") {
		if merged, clean := sequences(split(b), split(o), split(t), false); clean {
			return strings.Join(merged, "\n"), theirs
		}
	}
	return m.conflict(path, base, ours, theirs)
}

// all reports whether three versions are of one type. The base may be absent.
func all[T Value](base, ours, theirs Value) (b, o, t T, are bool) {
	b, was := base.(T)
	o, is := ours.(T)
	t, too := theirs.(T)
	return b, o, t, is && too && (was || base == nil)
}

func (m *merger) conflict(path string, base, ours, theirs Value) (merged, next Value) {
	switch m.accept {
	case Ours:
		return ours, theirs
	case Theirs:
		return theirs, theirs
	}
	m.conflicts = append(m.conflicts, Conflict{path, base, ours, theirs})
	return ours, base
}

func split(text string) []string { return strings.Split(text, "\n") }

// maps merges each key. A key that only theirs has comes after the one before it there.
func (m *merger) maps(path string, base, ours, theirs Map) (merged, next Value) {
	var all, known Map
	add := func(at int, key string) {
		value, then := m.value(join(path, key), base.Get(key), ours.Get(key), theirs.Get(key))
		if value != nil {
			all = slices.Insert(all, at, Pair{key, value})
		}
		if then != nil {
			known = append(known, Pair{key, then})
		}
	}
	for _, p := range ours {
		add(len(all), p.Key)
	}
	at := 0
	for _, p := range theirs {
		if ours.index(p.Key) < 0 {
			add(at, p.Key)
		}
		if i := all.index(p.Key); i >= 0 {
			at = i + 1
		}
	}
	return all, known
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// lists merges lists whose items can be distinguished: first the set of items, then each
// item. It fails if one side removed an item that the other changed.
func (m *merger) lists(path string, base, ours, theirs List) (merged, next Value, clean bool) {
	b, o, t := Keys(base), Keys(ours), Keys(theirs)
	if b == nil || o == nil || t == nil {
		return nil, nil, false
	}
	for i, key := range b {
		inOurs, inTheirs := at(ours, o, key), at(theirs, t, key)
		if inOurs == nil && inTheirs != nil && !Equal(inTheirs, base[i]) || inTheirs == nil && inOurs != nil && !Equal(inOurs, base[i]) {
			return nil, nil, false
		}
	}
	order, clean := sequences(b, o, t, true)
	if !clean {
		return nil, nil, false
	}
	all, known := List{}, slices.Clone(theirs)
	for _, key := range order {
		value, then := m.value(path+"["+key+"]", at(base, b, key), at(ours, o, key), at(theirs, t, key))
		all = append(all, value)
		if i := slices.Index(t, key); i >= 0 && then != nil {
			known[i] = then
		}
	}
	return all, known, true
}

func at(list List, keys []string, key string) Value {
	if i := slices.Index(keys, key); i >= 0 {
		return list[i]
	}
	return nil
}

// identifying are the fields that tell the maps of a list apart, the best first.
var identifying = []string{"sku", "version", "ref", "url", "file", "label", "name", "title"}

// Keys returns what distinguishes the items of a list: scalars themselves, or a field
// of maps. It returns nil if nothing does.
func Keys(list List) []string {
	all := make([]string, len(list))
	seen := map[string]bool{}
	for i, item := range list {
		key, is := Text(item)
		if m, isMap := item.(Map); isMap {
			for _, name := range identifying {
				if text, has := Text(m.Get(name)); has {
					key, is = name+" "+text, true
					break
				}
			}
		}
		if !is || seen[key] {
			return nil
		}
		seen[key], all[i] = true, key
	}
	return all
}
