// Package javascript tests the programs that package hosts writes for Cloudflare and
// CloudFront, as they are in its testdata, with requests. The tests imitate these services'
// interfaces, since the services cannot run locally. The package has no other code.
package javascript
