package publish

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"

	"souk/build/release"
)

// A stored is the recorded state of a key.
type stored struct {
	digest release.Digest
	form   uint64
	// certain means that the store acknowledged exactly this. Otherwise anything, or
	// nothing, may be there.
	certain bool
}

// A task is something to do for a changed file after it was published.
type task string

// The tasks: purge the caches, verify that a removed address is gone, and announce it to
// search engines.
const (
	taskPurge    task = "purge"
	taskVerify   task = "verify"
	taskAnnounce task = "announce"
)

var tasks = []task{taskPurge, taskVerify, taskAnnounce}

// A state is what is known about a destination.
type state struct {
	// known means that there was a record; otherwise anything may be at the destination.
	known bool
	keys  map[string]stored
	// described are the possible digests of the release's description at the destination,
	// "" for none, since a publish began, unless another machine has published since.
	described []string
	// removing means that a removal was begun and is not finished.
	removing bool
	pending  map[task]map[string]bool
}

func newState() *state {
	s := &state{keys: map[string]stored{}, pending: map[task]map[string]bool{}}
	for _, t := range tasks {
		s.pending[t] = map[string]bool{}
	}
	return s
}

// A note is a line of a record: something that became known.
type note struct {
	// Begin are keys that are about to be written or deleted: their state is unknown until
	// another note describes it.
	Begin []string `json:"begin,omitempty"`
	// Key is there, with this Digest and Form.
	Key    string `json:"key,omitempty"`
	Digest string `json:"digest,omitempty"`
	Form   string `json:"form,omitempty"`
	// Gone are keys that do not exist.
	Gone []string `json:"gone,omitempty"`
	// Described are the possible digests of the release's description from now on, "" for
	// none.
	Described []string `json:"described,omitempty"`
	// Removing begins or ends a removal.
	Removing *bool `json:"removing,omitempty"`
	// Owe and Paid are files for which Task is owed, or no longer owed.
	Task task     `json:"task,omitempty"`
	Owe  []string `json:"owe,omitempty"`
	Paid []string `json:"paid,omitempty"`
}

func (s *state) apply(n note) {
	for _, key := range n.Begin {
		s.keys[key] = stored{}
	}
	if n.Key != "" {
		digest, err := hex.DecodeString(n.Digest)
		form, err2 := strconv.ParseUint(n.Form, 16, 64)
		k := stored{form: form}
		k.certain = err == nil && err2 == nil && copy(k.digest[:], digest) == len(k.digest)
		s.keys[n.Key] = k
	}
	for _, key := range n.Gone {
		delete(s.keys, key)
	}
	if len(n.Described) > 0 {
		s.described = n.Described
	}
	if n.Removing != nil {
		s.removing = *n.Removing
	}
	owed := s.pending[n.Task]
	if owed == nil {
		return
	}
	for _, file := range n.Owe {
		owed[file] = true
	}
	for _, file := range n.Paid {
		delete(owed, file)
	}
}

// acknowledged returns the note that the store acknowledged an object.
func acknowledged(o object) note {
	return note{Key: o.key, Digest: o.entry.Digest.String(), Form: strconv.FormatUint(o.form, 16)}
}

// inBatches splits a list, so that no line of a record grows with the tree.
func inBatches(list []string, make func(part []string) note) []note {
	var notes []note
	for part := range slices.Chunk(list, 500) {
		notes = append(notes, make(part))
	}
	return notes
}

// allNotes returns the notes of a complete state.
func (s *state) allNotes() []note {
	var notes []note
	var uncertain []string
	for _, key := range slices.Sorted(maps.Keys(s.keys)) {
		k := s.keys[key]
		if !k.certain {
			uncertain = append(uncertain, key)
			continue
		}
		notes = append(notes, note{Key: key, Digest: k.digest.String(), Form: strconv.FormatUint(k.form, 16)})
	}
	notes = append(notes, inBatches(uncertain, func(part []string) note { return note{Begin: part} })...)
	if len(s.described) > 0 {
		notes = append(notes, note{Described: s.described})
	}
	if s.removing {
		notes = append(notes, note{Removing: &s.removing})
	}
	for _, t := range tasks {
		files := slices.Sorted(maps.Keys(s.pending[t]))
		notes = append(notes, inBatches(files, func(part []string) note { return note{Task: t, Owe: part} })...)
	}
	return notes
}

// recordMagic is the first line of a record.
const recordMagic = "souk publish record 1\n"

// encode writes notes, one per line, each preceded by a checksum.
func encode(notes []note) ([]byte, error) {
	var b bytes.Buffer
	for _, n := range notes {
		line, err := json.Marshal(n)
		if err != nil {
			return nil, err
		}
		b.WriteString(strconv.FormatUint(uint64(crc32.ChecksumIEEE(line)), 16))
		b.WriteByte(' ')
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// decode returns the state of a record and the length of its intact part; everything after
// a damaged line is ignored. Only acknowledgements can be lost this way, which only causes
// repeated work.
func decode(data []byte) (s *state, good int64) {
	s = newState()
	rest, ours := bytes.CutPrefix(data, []byte(recordMagic))
	if !ours {
		return s, 0
	}
	s.known, good = true, int64(len(recordMagic))
	lines := bufio.NewReader(bytes.NewReader(rest))
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return s, good
		}
		sum, text, cut := strings.Cut(line[:len(line)-1], " ")
		want, err := strconv.ParseUint(sum, 16, 32)
		var n note
		if !cut || err != nil || uint32(want) != crc32.ChecksumIEEE([]byte(text)) || json.Unmarshal([]byte(text), &n) != nil {
			return s, good
		}
		s.apply(n)
		good += int64(len(line))
	}
}
