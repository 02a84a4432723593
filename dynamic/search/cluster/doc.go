// Package cluster lets a cluster elsewhere, such as OpenSearch, match, filter, count and sort
// the listings of a release. It says in exact terms, numbers and ids what is asked, and
// refuses to know how the cluster is asked.
package cluster
