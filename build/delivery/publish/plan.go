package publish

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"souk/build/delivery/replica"
	"souk/build/document"
	"souk/build/kit/twin"
	"souk/build/release"
)

// An Action is what a Step does.
type Action string

// The actions of steps.
const (
	ActionUpload Action = "upload"
	ActionDelete Action = "delete"
)

// A Step is one change of the destination.
type Step struct {
	Phase  string `json:"phase"`
	Action Action `json:"action"`
	Key    string `json:"key"`
	// Bytes is the size of an upload, including twins.
	Bytes int64 `json:"bytes"`
}

// A Plan is what a publish does, in this order; the steps of a phase run concurrently.
type Plan struct {
	// Release is the id of the release.
	Release string `json:"release"`
	Steps   []Step `json:"steps"`
	// Unchanged is the number of objects that are there already.
	Unchanged int `json:"unchanged"`
	// Removals is the number of addresses that will be gone.
	Removals int `json:"removals"`
}

// A job is the work of one goroutine: an upload and the deletions that belong to it, or a
// deletion.
type job struct {
	put    *object
	remove []string
	// file is the document whose address changes.
	file string
}

// A difference is what has to be done so that a destination has a release.
type difference struct {
	jobs      [phases][]job
	unchanged int
	// removed are the documents whose addresses will be gone.
	removed []string
	// stay are the stubs that stay although the release does not have them.
	stay map[string]bool
}

// compare computes the difference between a release and the known state of the destination,
// where some stubs have to stay.
func (l layout) compare(entries map[string]release.Entry, s *state, stay map[string]bool) *difference {
	d := &difference{stay: stay}
	wanted := make(map[string]bool, len(entries))
	deleted := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(entries)) {
		o := l.object(file, entries[file])
		wanted[o.key] = true
		was, there := s.keys[o.key]
		if was.certain && was.digest == o.entry.Digest && was.form == o.form {
			d.unchanged++
			continue
		}
		j := job{put: &o, file: file}
		if isPrivate(file) {
			j.file = ""
		}
		if document, gone := document.IsGone(file); gone {
			j.file = document
			j.remove = l.withdrawn(document, s.known && (!there || was.certain))
			d.removed = append(d.removed, document)
			for _, key := range j.remove {
				deleted[key] = true
			}
		}
		at := phaseOf(file)
		d.jobs[at] = append(d.jobs[at], j)
	}
	removing := s.removing || len(d.removed) > 0
	goes := slices.DeleteFunc(slices.Sorted(maps.Keys(s.keys)), func(key string) bool { return wanted[key] || deleted[key] || stay[key] })
	inTheWay := l.inTheWay(goes, wanted)
	for _, key := range goes {
		if isPrivate(key) {
			at := phaseOfPrivate(key, removing)
			d.jobs[at] = append(d.jobs[at], job{remove: []string{key}})
			continue
		}
		at, file := phaseDeletions, fileOf(key)
		_, gone := entries[document.GoneFile(file)]
		// The pictures of a removed company cannot be distinguished from others.
		if gone || inTheWay[key] || removing && strings.HasPrefix(file, document.MediaFolder) {
			at = phaseRemovals
		}
		document, _ := document.IsGone(file)
		d.jobs[at] = append(d.jobs[at], job{remove: []string{key}, file: document})
	}
	// The description says so while anything changes, and is restored at the end.
	if e, described := entries[document.ReleaseFile]; described && d.steps() > 0 && len(d.jobs[phaseDescription]) == 0 {
		o := l.object(document.ReleaseFile, e)
		d.jobs[phaseDescription] = []job{{put: &o, file: o.file}}
		d.unchanged--
	}
	return d
}

// inTheWay returns the keys to delete that conflict with wanted ones: a key with the name
// of a folder of a wanted key, or in a folder with the name of a wanted key. Folders cannot
// contain both, and neither can some buckets. Without extensions, a page and those below it
// are such a pair.
func (l layout) inTheWay(goes []string, wanted map[string]bool) map[string]bool {
	in := map[string]bool{}
	if len(goes) == 0 || l.extensionless {
		return in
	}
	folders := map[string]bool{}
	for key := range wanted {
		for folder := path.Dir(key); !folders[folder]; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	for _, key := range goes {
		in[key] = folders[key] || l.twins && (folders[key+twin.Gzip] || folders[key+twin.Brotli])
		for folder := path.Dir(key); folder != "." && !in[key]; folder = path.Dir(folder) {
			in[key] = wanted[folder] || l.twins && wanted[twin.Of(folder)]
		}
	}
	return in
}

// phaseOfPrivate returns the phase in which private data is deleted: when no head refers to
// it, and first of all if it may be a search part of a removed company.
func phaseOfPrivate(key string, removing bool) phase {
	switch {
	case key == replica.HeadKey:
		return phaseHead
	case removing && strings.HasPrefix(key, replica.FilesFolder):
		return phaseRemovals
	}
	return phaseReplaced
}

// removals returns the part of a difference that removes what has to be gone.
func (d *difference) removals() *difference {
	part := &difference{unchanged: d.unchanged, removed: d.removed}
	part.jobs[phaseRemovals] = d.jobs[phaseRemovals]
	return part
}

// withdrawn returns the keys to delete with a document whose stub is new. They are deleted
// whether they are recorded or not. If no record is trusted, this includes what another
// tool or layout may have left.
func (l layout) withdrawn(file string, trusted bool) []string {
	keys := []string{l.keyOf(file)}
	if trusted {
		return keys
	}
	for _, key := range []string{file, layout{extensionless: true}.keyOf(file), file + twin.Gzip, file + twin.Brotli} {
		if !slices.Contains(keys, key) && !l.twins {
			keys = append(keys, key)
		}
	}
	return keys
}

// puts returns the objects to upload.
func (d *difference) puts() (all []object) {
	for _, jobs := range d.jobs {
		for _, j := range jobs {
			if j.put != nil {
				all = append(all, *j.put)
			}
		}
	}
	return all
}

// steps returns the number of uploads and deletions.
func (d *difference) steps() (n int) {
	for _, jobs := range d.jobs {
		for _, j := range jobs {
			n += len(j.remove)
			if j.put != nil {
				n++
			}
		}
	}
	return n
}

// changed returns the files whose addresses change, sorted.
func (d *difference) changed() []string {
	var files []string
	for _, jobs := range d.jobs {
		for _, j := range jobs {
			if j.file != "" {
				files = append(files, j.file)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// begin returns the keys to be written or deleted: an unacknowledged deletion may have been
// carried out or not. It includes the stubs that stay, in case the record does not contain
// them.
func (d *difference) begin() []string {
	keys := slices.Collect(maps.Keys(d.stay))
	for _, jobs := range d.jobs {
		for _, j := range jobs {
			if j.put != nil {
				keys = append(keys, j.put.key)
			}
			keys = append(keys, j.remove...)
		}
	}
	return keys
}

// plan returns the difference as a Plan for a release.
func (d *difference) plan(id string, l layout) Plan {
	p := Plan{Release: id, Steps: []Step{}, Unchanged: d.unchanged, Removals: len(d.removed)}
	for at, jobs := range d.jobs {
		for _, j := range jobs {
			if j.put != nil {
				p.Steps = append(p.Steps, Step{phase(at).String(), ActionUpload, j.put.key, l.size(*j.put)})
			}
			for _, key := range j.remove {
				p.Steps = append(p.Steps, Step{phase(at).String(), ActionDelete, key, 0})
			}
		}
	}
	return p
}

// size returns the number of bytes that uploading an object sends.
func (l layout) size(o object) int64 {
	switch {
	case l.twins:
		return o.entry.Size + o.entry.Gzip + o.entry.Brotli
	case o.encoding != "":
		return o.entry.Gzip
	}
	return o.entry.Size
}

// byWeight sorts large uploads first, so that no large one runs alone at the end.
func byWeight(jobs []job) []job {
	weight := func(j job) int64 {
		if j.put == nil {
			return 0
		}
		return j.put.entry.Size >> 16
	}
	slices.SortStableFunc(jobs, func(a, b job) int { return cmp.Compare(weight(b), weight(a)) })
	return jobs
}
