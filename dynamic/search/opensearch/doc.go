// Package opensearch stores the listings of releases in an OpenSearch cluster, which then
// matches, filters, counts and sorts for package search. It speaks HTTP and JSON and does not
// know what a text means, how words are spelled, which sellers are withheld and why, or what a
// response of the API looks like.
//
//	Parse   an address on the command line -> Target
//	Open    a Target -> Cluster, a search.Cluster
//	Hold    the Documents of a release -> a complete index behind the alias
//	Ask     a search.Question -> one request of _search -> a search.Answer, or an error
//
// # Indexes
//
// A release is one index, named by the alias and the key of its documents, so that servers
// with the same release fill and query the same index, and each queries the index of its own
// release while another one is filled. The alias points to the last complete one. The previous
// index is kept, because other servers may still use it; older ones are deleted.
//
// # Documents
//
//	n        the number of the listing, its rank by name, then address
//	w        its words; e, whole names and SKUs; b, the beginnings of names
//	i        its words with their importance, a term for each bit; d, the same in degrees; t,
//	         the words of its name with the name's length
//	f.*      its ids of each filter
//	newest, lowest.*   its sort keys
//
// # Scores
//
// All scores are constants, whole numbers whose sums a float represents exactly, so they do
// not depend on the shard, replica or segment of a listing, nor on the order of a sum. A step
// of strictness is worth more than all that words can add.
//
// # Failures
//
// A failed shard, a time-out, an inexact total, a missing hit, or anything unexpected is an
// error: an Answer is never partial.
package opensearch
