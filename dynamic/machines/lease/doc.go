// Package lease keeps two leases: one that lets a server answer requests while other
// servers share its ledger in PostgreSQL, and one that lets a process build releases. It
// does not know what a release, a removal or a request is: a server has revisions, and
// callers are told whether they are recent enough.
//
// # Why an answer is never stale
//
// A server gets a lease for a second if it has at least the settled revision: the removals
// that it withholds and its release have that revision or a later one. A removal with
// revision r is answered once r is settled, and r is settled once no server with less holds
// a lease. The database serializes grants and settling.
//
// Take a request that begins after that answer, at a server whose lease is valid at that
// time. If the lease was granted after r was settled, the server had r, since the lease
// would not have been granted otherwise. If the lease was granted before, it was still
// valid when r was settled, because it is valid now; so the server had r, since r would not
// have been settled otherwise. In both cases the server has r, and keeps it. So one check
// at the start of each request is enough; a request that began earlier is promised nothing.
//
// The server counts its lease from before it sent the renewal, minus a margin, on clocks
// that also count while the process is stopped or the machine sleeps. The database counts
// from when it carried out the renewal. So the lease ends at the server first. Whether the
// lease is valid is computed on demand, so a process that was stopped needs no event when
// it continues.
//
// This assumes that the clocks' speeds differ by at most a tenth, that the database's clock
// does not jump ahead, and that the database loses no commit.
package lease
