// Package release brings documents into the public folder: it compares them
// with what stands there, stages what changed, commits that with one durable
// record, and renames it into place. It knows files, digests, compressed twins
// and 410 stubs. What is in a document is no concern of it, nor who may see it:
// it remembers whose the addresses of a companySlug are, as it was told, and
// leaves it to its caller to judge by that.
//
// A release goes through these steps, and a process that is killed in between
// leaves this behind:
//
//	stage    every changed file is written aside, under a folder named stage-N.
//	         Killed here: the next Open finds no record N and discards the folder.
//	commit   the staged files are synced, then the folders that lead to them;
//	         the changes are appended to the log as record N, which is synced.
//	         Killed here: the next Open finds both and applies them. Where the
//	         record can neither be made durable nor taken back, that is as if
//	         it was killed here: whoever reads the log may see it.
//	apply    each staged file is renamed into place, 410 stubs first, and what
//	         the release no longer has is deleted. Every step may be repeated.
//	         Killed here: as above.
//	settle   the folders of what changed are synced. Killed here: as above.
//	clean    the stage folder is deleted. From here on a Reader takes the
//	         release for what other hosts of the folder show.
//
// A machine that fails leaves what a killed process does, since nothing is relied
// on before it is synced. Only the first release, which replaces nothing, waits
// for no disk: its record names the run of the machine, and in another one every
// file is read.
//
// The log is also the manifest: it tells each file's digest, size and time, so
// that a build compares without reading. Its first record is a whole one and lies
// as it is read, files sorted by path, so that a Reader maps it; the others are what
// each commit changed, and once they are an eighth of the first, the file gives way
// to another with one record. No byte of the first record ever changes in its place.
// The log lives in a folder beside the public one, which Folder names and no host
// serves, and may be lost at any time; then the public folder is read once.
package release
