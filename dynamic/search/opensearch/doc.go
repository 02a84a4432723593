// Package opensearch holds the listings of releases in an OpenSearch cluster, which then
// matches, filters, counts and sorts for package search. It speaks HTTP and JSON and
// refuses to know what a text means, how words are spelled, who is withheld and why, and
// what an answer of the API looks like.
//
//	Parse   an address on the command line -> Target
//	Open    a Target -> Cluster, a search.Cluster
//	Hold    the Documents of a release -> an index, whole and counted, behind the alias
//	Ask     a search.Question -> one request of _search -> a search.Answer, or an error
//
// # Indexes
//
// A release is one index, named by the alias and the key of its documents, so that servers
// that have the same release fill and ask the same index, and each asks that of its own
// release while another one is filled. The alias leads to the last that was whole. The
// index that it led to before is kept, since other servers may ask it still; older ones
// are deleted.
//
// # Documents
//
//	n        the number of the listing, its rank by name, then address
//	w        its words; e, what its name or an SKU is as a whole; b, how names begin
//	i        its words with how much they say, a term for each bit; d, the same in degrees; t, those of its name with
//	         how many words that has
//	f.*      its ids of each filter
//	newest, lowest.*   what it is sorted by
//
// # Scores
//
// All scores are constants, whole numbers whose sums a float holds exactly: so they do
// not depend on which shard, replica or segment a listing is in, nor on the order of a sum.
// A step of strictness is worth more than all that words can add.
//
// # Failures
//
// A failed shard, a time-out, a total that is no exact one, a missing hit, or anything
// unexpected is an error: no Answer is of a part of the listings.
package opensearch
