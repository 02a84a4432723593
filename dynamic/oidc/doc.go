// Package oidc tells which workspace the bearer of an OpenID Connect access
// token acts for. It alone knows go-oidc and go-jose. It refuses to know HTTP
// requests and answers, what a workspace may do, and tokens of any other kind.
//
// A token is a JWT that the configured issuer signed for the configured
// audience, as RFC 9068 has it; since many issuers do not set its type, a plain
// JWT passes too. What the issuer published last decides on keys and
// algorithms:
//
//	nothing yet         asked for at the first token, and again after a pause
//	                    that grows while the issuer does not answer
//	older than a while  asked for again before the next token is judged; where
//	                    the issuer does not answer, the old keys go on for a day
//	a key unknown       asked for again once, and not again for some seconds,
//	                    so that a flood of forged tokens is no flood of requests
//
// No error holds a token or a part of one.
package oidc
