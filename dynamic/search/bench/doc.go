// Package bench compares search with bleve v2: the same listings, the same
// queries, the same machine, one after the other in one run. It is a module of
// its own, so that bleve is no dependency of the program. Run it by
//
//	SOUK_CNCF=folder go test -run Compare -v .
package bench
