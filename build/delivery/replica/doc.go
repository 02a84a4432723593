// Package replica copies a release from an object store or a shared folder: it defines what
// is stored there, and copies, verifies and follows it. It does not know how a store is
// accessed, what a document says or who is removed.
//
// Next to a release at prefix/, at prefix.release/, is data that only servers read. It is
// private: search parts contain words that are in no public document.
//
//	manifest/{digest}.jsonl.gz  a chunk: a line for each file of prefix/ (path,
//	                            digest, size, time) and each owner of addresses,
//	                            for the paths whose SHA-256 begins with its bits
//	files/{digest}              a file of the release folder: a search part, …
//	head                        names the release, its chunks and its files
//
// All objects except head are immutable and named by the first half of their SHA-256. head
// is written last, with If-Match, so that one of two publishers fails. Until then it
// describes the previous release, whose chunks and files are deleted afterwards. So a
// reader either has a complete release, or something is missing or has another digest, and
// then it waits for the next head. A removal comes first: stubs are written, and documents
// and old search parts deleted, before anything is uploaded.
//
// A copy costs a GET of head and of each chunk, file and document: for 1,000,000 files in
// about 1,000 chunks, 1,001,000 requests (some $0.40 at $0.0004 per thousand, and 10
// minutes with 100 concurrent requests of 60 ms each), once. An interrupted copy keeps what
// was fetched. The snapshot could provide the documents of things, but not lists, pages or
// stubs: it would save less than it would complicate. Following costs one conditional GET
// of head each time. A release that changes k files costs head (60 KB at 1,000,000 files),
// at most k chunks of some 1,000 lines (30 KB), the k files and the changed search parts.
// Publishing costs as many PUTs, and as many deletions of replaced chunks and files.
//
//	fetch   what is missing is fetched to a separate folder, by digest, and
//	        verified. If killed here, the next run fetches what is still missing.
//	ready   the head is written next to it. If killed here, the next run
//	        continues without the store.
//	apply   new files are placed in the release folder (old ones are deleted first if
//	        anything was removed); then the release is committed like by a build,
//	        stubs first, and the file that names the search parts is replaced. Each
//	        step may be repeated.
package replica
