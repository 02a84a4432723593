// Package oidc finds the workspace that the bearer of an OpenID Connect access
// token acts for. It alone knows go-oidc and go-jose. It refuses to know HTTP
// requests and answers, what a workspace may do, and tokens of any other kind.
//
// A token is a JWT that the configured issuer signed for the configured
// audience, as in RFC 9068; since many issuers do not set its type, a plain JWT
// passes too. Keys and algorithms are those that the issuer last published:
//
//	nothing yet         fetched at the first token, and again after a pause that
//	                    grows while the issuer does not answer
//	older than a while  fetched again before the next token is validated; if the
//	                    issuer does not answer, the old keys are used for a day
//	a key unknown       fetched again once, and then not for some seconds, so
//	                    that a flood of forged tokens is no flood of requests
//
// No error contains a token or a part of one.
package oidc
