package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"souk/build/delivery/replica"
	"souk/build/index"
	"souk/build/release"
)

// isPrivate reports whether a key, or a file, is part of the private data next to the
// release, which servers copy and no host serves.
func isPrivate(key string) bool { return strings.HasPrefix(key, replica.PrivatePrefix) }

// privateFile is requested without credentials: if a host serves it, no other private data
// is uploaded.
const privateFile = replica.PrivatePrefix + "private"

const privateText = "What lies here is for servers with credentials. Nobody else may read it.\n"

// A companion is the private data published next to a release, for servers that copy it.
type companion struct {
	// bodies returns the content to upload, by file; entries describes it.
	bodies  map[string]func() ([]byte, error)
	entries map[string]release.Entry
	// tag is the store's tag of the head at the destination, or "".
	tag string
	// stale means that the search parts belong to another release. The head at the
	// destination then stays until they match this one.
	stale bool
}

// ErrBehind means that everything was published except the data for servers, because the
// search parts next to the release belong to another release. It is an ErrNewer, since they
// are being written.
var ErrBehind = fmt.Errorf("%w: its search data is missing: run 'souk build'; documents and removals are published, and servers keep the release that they have", ErrNewer)

// companionOf returns the private data that should be next to a release, or nothing if that
// was not requested. It trusts the record as long as the head at the destination is the
// recorded one and no listing was requested; otherwise it lists what is there.
func (p *Publisher) companionOf(ctx context.Context, e edition, known knowledge) (*companion, error) {
	if !p.options.ForServers {
		return &companion{}, nil
	}
	head, err := p.read(ctx, replica.HeadKey)
	if err != nil && !errors.Is(err, errAbsent) {
		return nil, fmt.Errorf("read the release metadata of %s: %w", p.name, err)
	}
	recorded := p.state.keys[replica.HeadKey]
	trusted := known == complete && err == nil && recorded.certain && release.DigestOf(head.data) == recorded.digest
	if !trusted || p.options.Adopt {
		if err := p.findCompanion(ctx, trusted); err != nil {
			return nil, err
		}
	}
	before := 0
	if old, err := replica.ParseHead(head.data); err == nil {
		before = len(old.Chunks)
	}
	b, err := p.layout.gather(e, before)
	if err != nil {
		return nil, err
	}
	b.tag = head.tag
	if b.stale = e.unsearched(); b.stale {
		b.keep(p.state)
	}
	return b, nil
}

// unsearched reports whether the search parts belong to another release.
func (e edition) unsearched() bool {
	head, err := index.ReadHead(filepath.Join(release.Folder(e.src.Path("")), path.Dir(replica.SearchHead)))
	return err == nil && head.Release != e.id
}

// keep keeps everything at the destination, except files that no longer exist here: search
// parts with removed sellers.
func (b *companion) keep(s *state) {
	here := b.entries
	b.entries = map[string]release.Entry{}
	for key, is := range s.keys {
		_, stays := here[key]
		if isPrivate(key) && is.certain && (stays || !strings.HasPrefix(key, replica.FilesFolder)) {
			b.entries[key] = release.Entry{Digest: is.digest}
		}
	}
}

// findCompanion adds to the record, as uncertain, all private data that it does not contain:
// an unrecorded search part would never be deleted, and might contain removed sellers.
// Recorded data stays certain if the record is trusted and the data exists.
func (p *Publisher) findCompanion(ctx context.Context, trusted bool) error {
	var listed map[string]bool
	err := p.retry(ctx, listing, func(ctx context.Context) error {
		listed = map[string]bool{}
		return p.store.listPrivate(ctx, func(key string) error {
			listed[key] = replica.Ours(key) || key == privateFile
			return nil
		})
	})
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("list the release metadata of %s (this needs the permission to list): %w", p.name, err)
		}
		return err
	}
	for key := range p.state.keys {
		if isPrivate(key) && !(trusted && listed[key]) {
			p.state.keys[key] = stored{}
		}
	}
	for key, ours := range listed {
		if _, recorded := p.state.keys[key]; ours && !recorded {
			p.state.keys[key] = stored{}
		}
	}
	return nil
}

// gather returns the private data of a release: the chunks of its manifest, the files of
// the release folder, and the head that names them.
func (l layout) gather(e edition, before int) (*companion, error) {
	b := &companion{bodies: map[string]func() ([]byte, error){}, entries: map[string]release.Entry{}}
	b.add(privateFile, []byte(privateText))
	h := replica.Head{Release: e.id, Extensionless: l.extensionless, Files: map[string]replica.Blob{}}
	_, h.Revision = e.src.BuiltFrom()
	owners := map[string]release.Owner{}
	e.src.EachOwner(func(slug string, o release.Owner) { owners[slug] = o })
	if e.outdated() {
		return nil, ErrNewer
	}
	m := replica.NewManifest(e.entries, owners, before)
	for at := range m.Chunks() {
		chunk, err := m.Chunk(at)
		if err != nil {
			return nil, err
		}
		blob := replica.Blob{Digest: release.DigestOf(chunk), Size: int64(len(chunk))}
		h.Chunks = append(h.Chunks, blob)
		key := replica.ChunkKey(blob.Digest)
		b.entries[key] = release.Entry{Digest: blob.Digest, Size: blob.Size}
		b.bodies[key] = func() ([]byte, error) {
			chunk, err := m.Chunk(at)
			if err != nil {
				return nil, err
			}
			return replica.Compress(chunk)
		}
	}
	if err := b.addFolder(release.Folder(e.src.Path("")), &h); err != nil {
		return nil, err
	}
	head, err := h.Encode()
	b.add(replica.HeadKey, head)
	return b, err
}

func (b *companion) add(key string, data []byte) {
	b.entries[key] = release.Entry{Digest: release.DigestOf(data), Size: int64(len(data))}
	b.bodies[key] = func() ([]byte, error) { return data, nil }
}

// addFolder adds the files of the release folder. A file named after its digest is read
// when it is uploaded; others might be replaced until then, and are read now.
func (b *companion) addFolder(folder string, h *replica.Head) error {
	err := filepath.WalkDir(folder, func(at string, e fs.DirEntry, err error) error {
		if err != nil || at == folder {
			return absentOK(err)
		}
		name, err := filepath.Rel(folder, at)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case !replica.InRelease(name) && e.IsDir():
			return fs.SkipDir
		case !replica.InRelease(name), !e.Type().IsRegular():
			return nil
		}
		blob, err := b.addFile(at)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %s is gone", ErrNewer, name)
		}
		h.Files[name] = blob
		return err
	})
	if errors.Is(err, ErrNewer) || err == nil {
		return err
	}
	return fmt.Errorf("read the release metadata: %w", err)
}

func (b *companion) addFile(at string) (blob replica.Blob, err error) {
	d, named := replica.DigestIn(path.Base(filepath.ToSlash(at)))
	if !named {
		data, err := os.ReadFile(at)
		blob = replica.Blob{Digest: release.DigestOf(data), Size: int64(len(data))}
		if err == nil {
			b.add(replica.FileKey(blob.Digest), data)
		}
		return blob, err
	}
	info, err := os.Stat(at)
	if err != nil {
		return blob, err
	}
	blob = replica.Blob{Digest: d, Size: info.Size()}
	key := replica.FileKey(d)
	b.entries[key] = release.Entry{Digest: d, Size: blob.Size}
	b.bodies[key] = func() ([]byte, error) {
		data, err := os.ReadFile(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%w: %s is gone", ErrNewer, at)
		case err == nil && release.DigestOf(data) != d:
			return nil, fmt.Errorf("the content of %s does not match its name: delete it and build again", at)
		}
		return data, err
	}
	return blob, nil
}

// guard fails if the private data could be read without credentials.
func (r *run) guard(ctx context.Context) error {
	uploads := slices.ContainsFunc(slices.Concat(r.difference.jobs[phaseDocuments], r.difference.jobs[phaseHead]),
		func(j job) bool { return j.put != nil && isPrivate(j.put.key) })
	store, asks := r.publisher.store.(interface {
		exposed(ctx context.Context, key string) (bool, error)
	})
	if !uploads || !asks {
		return nil
	}
	var exposed bool
	err := r.publisher.retry(ctx, 0, func(ctx context.Context) (err error) {
		exposed, err = store.exposed(ctx, privateFile)
		return err
	})
	if err == nil && exposed {
		err = fmt.Errorf("%w: %s.release can be read without credentials, and it contains words that are in no public document; "+
			"it was not uploaded. Change the bucket's policy so that only %s/ is public, or publish without --for-servers", ErrExposed, r.publisher.name, r.publisher.name)
	}
	return err
}

// ErrExposed means that data for servers would be public.
var ErrExposed = errors.New("the destination would make private data public")
