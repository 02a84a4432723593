// Package release puts documents into the public folder: it compares them with
// what is there, stages what changed, commits that with one durable record, and
// renames it into place. It knows files, digests and compressed twins; what is in
// a document, and who may see it, is not its concern.
//
// A release goes through these steps, and a process that is killed in between
// leaves this behind:
//
//	stage    every changed file is written aside, under a folder named stage-N.
//	         Killed here: the next Open finds no record N and discards the folder.
//	commit   the changes are appended to the log as record N, which is synced.
//	         Killed here: the next Open finds both and applies them.
//	apply    each staged file is renamed into place, 410 stubs first, and what
//	         the release no longer has is deleted. Every step may be repeated.
//	         Killed here: as above.
//	clean    the stage folder is deleted.
//
// The log is also the manifest: it has each file's digest, size and time, so that
// a build can compare without reading. It is in the state folder and may be lost
// at any time; the public folder is then read once.
package release
