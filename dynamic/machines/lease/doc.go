// Package lease keeps the lease by which a server may answer, beside others that
// share its ledger in PostgreSQL, and the one by which a process may make releases. It
// refuses to know what a release, a removal or a request is: a server has revisions,
// and who asks is told whether they count.
//
// # Why an answer is right
//
// A lease is granted for a second to a server that has at least what is settled: the
// removals that it withholds and its release are of that revision or a later one. A
// removal of revision r is answered once r is settled, and it is settled once no lease
// holds of a server that has less. Grants and settling come one after the other in the
// database. So take a request that begins after that answer, at a server that finds
// its lease valid then: if the lease was granted after the settling, the server had r,
// else none was granted; if before it, the lease held at the settling, since it still
// does, and the server had r, else nothing was settled. It has r, and keeps it: one
// look at the start of each request is enough, and a request that began earlier is
// promised nothing.
//
// The server counts its lease from before it sent the renewal, on clocks that also
// count while the process is stopped or the machine sleeps, and shortened by a margin;
// the database counts from when it carried the renewal out. So the lease ends here
// first. Whether it holds is computed when asked: a process that was stopped needs no
// event on waking. What is assumed is that clocks run at the same speed but for a
// tenth, that the clock of the database does not jump ahead, and that a commit of the
// database is not lost.
package lease
