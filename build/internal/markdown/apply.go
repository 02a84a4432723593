package markdown

import "strings"

// verdict is the caller's decision about a target.
type verdict struct {
	decided, keep bool
	destination   string
}

// Apply rewrites source, to which the edits belong. It calls resolve once per target for
// the new destination and whether to keep the link. A kept link gets the new destination,
// and keeps its bytes if the meaning is unchanged; for any other link only its text
// remains.
func Apply(source string, edits []Edit, resolve func(target int) (destination string, keep bool)) string {
	if len(edits) == 0 {
		return source
	}
	verdicts, dropped := ask(edits, resolve)
	var b strings.Builder
	done := 0
	for i, e := range edits {
		var v verdict
		if e.Target == Any {
			v.keep = !dropped
		} else {
			v = verdicts[e.Target]
		}
		switch {
		case v.keep && e.DestStart == e.Start:
			continue
		case v.keep && written(source, e) == v.destination:
			continue
		case v.keep:
			done = rewrite(&b, source, done, e, v.destination)
			continue
		}
		b.WriteString(source[done:e.Start])
		done = e.End
		if e.Start == e.End && !guarded(edits[:i], e.Start, verdicts, dropped) {
			b.WriteByte('\\')
		}
	}
	if done == 0 && b.Len() == 0 {
		return source
	}
	b.WriteString(source[done:])
	return b.String()
}

// ask resolves every target, and reports whether any is dropped.
func ask(edits []Edit, resolve func(int) (string, bool)) (verdicts []verdict, dropped bool) {
	last := -1
	for _, e := range edits {
		last = max(last, e.Target)
	}
	verdicts = make([]verdict, last+1)
	for _, e := range edits {
		if e.Target == Any || verdicts[e.Target].decided {
			continue
		}
		destination, keep := resolve(e.Target)
		verdicts[e.Target] = verdict{true, keep, destination}
		dropped = dropped || !keep
	}
	return verdicts, dropped
}

// guarded reports whether an earlier edit has put a backslash at the same position: two
// would show one.
func guarded(before []Edit, at int, verdicts []verdict, dropped bool) bool {
	for i := len(before) - 1; i >= 0 && before[i].Start == at && before[i].End == at; i-- {
		t := before[i].Target
		if t == Any && dropped || t != Any && !verdicts[t].keep {
			return true
		}
	}
	return false
}

func isAutolink(source string, e Edit) bool { return source[e.Start] == '<' }

// written returns the current destination of the piece.
func written(source string, e Edit) string {
	s := source[e.DestStart:e.DestEnd]
	if isAutolink(source, e) {
		return decodeAutolink(s)
	}
	return decode(s)
}

// atLineStart reports whether a destination, including its angle bracket, begins a line of
// its block, ignoring quote marks.
func atLineStart(source string, at int, angled bool) bool {
	if angled {
		at--
	}
	for at > 0 && strings.IndexByte(" \t>", source[at-1]) >= 0 {
		at--
	}
	return at == 0 || source[at-1] == '\n'
}

// rewrite replaces the destination of a piece and returns how far it got.
func rewrite(b *strings.Builder, source string, done int, e Edit, destination string) int {
	switch {
	case !isAutolink(source, e):
		b.WriteString(source[done:e.DestStart])
		angled := source[e.DestStart-1] == '<'
		if atLineStart(source, e.DestStart, angled) {
			encodeFirst(b, destination, angled)
			return e.DestEnd
		}
		encode(b, destination, angled)
		return e.DestEnd
	case isURI(destination):
		b.WriteString(source[done:e.DestStart])
		b.WriteString(destination)
		return e.DestEnd
	}
	// An autolink cannot contain this destination, but a link with it as its text can.
	b.WriteString(source[done:e.Start])
	b.WriteByte('[')
	escapeText(b, destination)
	b.WriteString("](")
	encode(b, destination, false)
	b.WriteByte(')')
	return e.DestEnd + 1
}
