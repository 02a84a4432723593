// Package cluster lets a cluster elsewhere, such as OpenSearch, match, filter, count and sort
// the listings of a release. It defines the questions in exact terms, numbers and ids, and
// does not know how they are sent.
package cluster
