// Package oidc finds the workspace for which the bearer of an OpenID Connect access token
// acts. Only this package knows go-oidc and go-jose. It does not know HTTP requests and
// answers, what a workspace may do, or other kinds of tokens.
//
// A token is a JWT that the configured issuer signed for the configured audience, as in RFC
// 9068. Since many issuers do not set its type, a plain JWT is accepted too. The valid keys
// and algorithms are those that the issuer last published:
//
//	nothing yet         fetched at the first token, and again after a pause that
//	                    grows while the issuer does not answer
//	older than a while  fetched again before the next token is validated; if the
//	                    issuer does not answer, the old keys are used for a day
//	a key unknown       fetched again once, and then not for some seconds, so
//	                    that a flood of forged tokens does not flood the issuer
//
// No error contains a token or a part of one.
package oidc
