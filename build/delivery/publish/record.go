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

// A stored is what a record says of a key.
type stored struct {
	digest release.Digest
	form   uint64
	// certain: the store acknowledged exactly this. Otherwise anything may be
	// there, or nothing.
	certain bool
}

// A task is something that is owed for a changed file after it was published.
type task string

// The tasks: to purge the caches, to verify that a removed address is gone, and to
// announce it to search engines.
const (
	taskPurge    task = "purge"
	taskVerify   task = "verify"
	taskAnnounce task = "announce"
)

var tasks = []task{taskPurge, taskVerify, taskAnnounce}

// A state is what is known of a destination.
type state struct {
	// known: there was a record; otherwise anything may be at the destination.
	known bool
	keys  map[string]stored
	// described are the digests that the description of the release may have there, ""
	// for none, once a publish was begun, unless another machine published since.
	described []string
	// removing: a removal was begun and is not finished.
	removing bool
	owed     map[task]map[string]bool
}

func newState() *state {
	s := &state{keys: map[string]stored{}, owed: map[task]map[string]bool{}}
	for _, t := range tasks {
		s.owed[t] = map[string]bool{}
	}
	return s
}

// A note is one line of a record: something that became known.
type note struct {
	// Begin are keys that are about to be written or deleted: until more is noted
	// of one, it is not known what is there.
	Begin []string `json:"begin,omitempty"`
	// Key is there, with this Digest and Form.
	Key    string `json:"key,omitempty"`
	Digest string `json:"digest,omitempty"`
	Form   string `json:"form,omitempty"`
	// Gone are keys at which there is nothing.
	Gone []string `json:"gone,omitempty"`
	// Described are the digests that the description of the release may have from now
	// on, "" for none.
	Described []string `json:"described,omitempty"`
	// Removing begins or ends a removal.
	Removing *bool `json:"removing,omitempty"`
	// Owe and Paid are files for which Task is owed, or owed no longer.
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
	owed := s.owed[n.Task]
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

// stands returns the note that the store acknowledged an object.
func stands(o object) note {
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

// whole returns the notes of a whole state.
func (s *state) whole() []note {
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
		files := slices.Sorted(maps.Keys(s.owed[t]))
		notes = append(notes, inBatches(files, func(part []string) note { return note{Task: t, Owe: part} })...)
	}
	return notes
}

// recordMagic begins a record.
const recordMagic = "souk publish record 1\n"

// encode writes notes, a line each, with a checksum before it.
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

// decode returns the state of a record and the length of its good part: what
// follows a torn or damaged line is ignored. Only acknowledgements are ever lost
// this way, which costs a repetition.
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
