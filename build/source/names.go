package source

import (
	"fmt"
	"path"
	"strings"

	"souk/build/kit/journal"
	"souk/build/kit/problem"
)

// This file decides by name which files are content. All code that reads or watches the
// content folder or a theme uses it.

// wellKnown is the only content folder that begins with a dot (RFC 8615).
const wellKnown = siteFolder + "/.well-known"

// leftovers are names, and endings of names, of files and folders that programs leave behind,
// in lower case.
var leftovers = map[string]bool{
	"thumbs.db": true, "ehthumbs.db": true, "desktop.ini": true, "icon\r": true, "__macosx": true, "@eadir": true, "lost+found": true,
	".tmp": true, ".temp": true, ".bak": true, ".orig": true, ".rej": true, ".swp": true, ".swo": true, ".part": true, ".partial": true,
	".filepart": true, ".download": true, ".crdownload": true, ".opdownload": true,
}

// probe is the file that Vim creates briefly to test whether a folder is writable. A seller
// may have the same slug, so only a file of that name is ignored.
const probe = "4913"

// Hidden reports whether a path, relative to the content folder, and everything below it is
// not content: a part of it begins with a dot or is a leftover of editors, browsers or
// systems, or it is in the imports folder.
func Hidden(file string) bool {
	below := strings.TrimPrefix(file, wellKnown)
	if below != "" && below[0] != '/' {
		below = file
	}
	if below == journal.Folder || strings.HasPrefix(below, journal.Folder+"/") {
		return true
	}
	for part := range strings.SplitSeq(below, "/") {
		if leftover(strings.ToLower(part)) {
			return true
		}
	}
	return false
}

// leftover reports whether a program left a file or folder of that name. Lock files of office
// programs begin with "~$", those of Emacs with "#". Backup copies end in "~", or in
// "___jb_tmp___" and "___jb_old___" for JetBrains editors.
func leftover(name string) bool {
	marked := strings.IndexAny(name, ".~#$") == 0 || strings.HasSuffix(name, "~") || strings.HasSuffix(name, "___")
	return marked || leftovers[name] || leftovers[path.Ext(name)]
}

// Unread reports whether nothing read depends on a path: it is hidden, and no link points
// there.
func Unread(file string) bool { return Hidden(linked(file)) }

// linked removes from the target of a link the folders in which Kubernetes puts the files of a
// volume, such as ..2026_11_29 and the link ..data to it.
func linked(file string) string {
	if !strings.Contains(file, "..") {
		return file
	}
	var parts []string
	for part := range strings.SplitSeq(file, "/") {
		if !strings.HasPrefix(part, "..") {
			parts = append(parts, part)
		}
	}
	return path.Join(parts...)
}

// devices are reserved names on Windows, whatever their extension.
var devices = func() map[string]bool {
	all := map[string]bool{"con": true, "prn": true, "aux": true, "nul": true, "conin$": true, "conout$": true}
	for number := range strings.SplitSeq("1 2 3 4 5 6 7 8 9 ¹ ² ³", " ") {
		all["com"+number], all["lpt"+number] = true, true
	}
	return all
}()

func isDevice(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	return devices[strings.TrimSpace(stem)]
}

// notOnWindows returns a warning about a file that Windows cannot store because of its own
// name or, for a seller, its folder's name.
func notOnWindows(file string) *problem.Problem {
	name := path.Base(file)
	if folder := path.Base(path.Dir(file)); strings.TrimSuffix(name, path.Ext(name)) == "seller" {
		name = folder
	}
	if !isDevice(name) || Hidden(file) {
		return nil
	}
	return &problem.Problem{File: file, Text: fmt.Sprintf("Windows cannot hold a file or a folder called %q", name), Meant: "give it another name", Warning: true}
}

// spaced returns what is wrong with a stray path, in particular an invisible space.
func spaced(p *problem.Problem, parts []string) *problem.Problem {
	for _, part := range parts {
		if bare := strings.TrimSpace(part); bare != part {
			p.Text, p.Meant, p.Warning = fmt.Sprintf("the name %q begins or ends with a space", part), fmt.Sprintf("name it %q", bare), false
			return p
		}
	}
	return p
}

// forPeople reports whether a file is for people who work on the content, or a probe.
func forPeople(file string) bool {
	return strings.EqualFold(file, "README.md") || path.Base(file) == probe
}
