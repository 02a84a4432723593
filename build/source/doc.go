// Package source reads a content folder and tells the catalog what is in it.
// It alone knows YAML, front matter, the folder's layout and the cache that
// saves a second reading. It finds what one file alone shows to be wrong, all
// of it in one reading; what is wrong between files is the catalog's to find,
// and what is public is no concern of it.
package source
