// Package javascript runs the programs that hosts writes for Cloudflare and
// CloudFront, as they stand in testdata beside it, against requests. What these
// services give to a program is imitated here, since they run nowhere else.
// It has no code of its own.
package javascript
