// Package replica keeps a copy of a release that lies in an object store, or in a
// shared folder: it says what lies there, and copies, verifies and follows it. It
// refuses to know how a store is reached, what a document says and who is removed.
//
// A release of prefix/ has beside it, at prefix.release/, what only servers read.
// It is private: search parts hold words that are in no public document.
//
//	manifest/{digest}.jsonl.gz  a chunk: a line for each file of prefix/ (path,
//	                            digest, size, time) and each owner of addresses,
//	                            for the paths whose SHA-256 begins with its bits
//	files/{digest}              a file of the release folder: a search part, …
//	head                        names the release, its chunks and its files
//
// All but head is immutable and named by the first half of its SHA-256. head is
// written last, with If-Match, so that of two publishers one fails; until then it
// describes the release before, whose chunks and files are deleted after it. So a
// reader has a whole release, or something is missing or has another digest, and
// then it waits for the next head. A removal comes first: stubs are written,
// documents and old search parts deleted, before anything is uploaded.
//
// A copy costs a GET of head, of each chunk, file and document: of 1,000,000 files
// in about 1,000 chunks, 1,001,000 requests (some $0.40 at $0.0004 a thousand, and
// 10 minutes at 100 at a time of 60 ms each), once; what was fetched stays when it
// is stopped. The snapshot could carry the documents of things, and neither lists
// nor pages nor stubs: it would save less than it would complicate. Following
// costs one conditional GET of head each time it asks; a release that changes k
// files costs head (60 KB at 1,000,000), at most k chunks of some 1,000 lines
// (30 KB), the k files and the search parts that changed. Publishing costs as
// many PUTs, and as many deletions of chunks and files that are replaced.
//
//	fetch   what is missing is fetched aside, by digest, each verified. Killed
//	        here: the next run fetches what is still missing.
//	ready   the head is written beside it. Killed here: the next run goes on
//	        without the store.
//	apply    new files are placed in the release folder; old ones deleted first if
//	         anything was removed; then the release is committed as a build does
//	         it, stubs first, and what names the search parts is replaced. Each
//	         step may be repeated.
package replica
