// Package mcp answers the Model Context Protocol (modelcontextprotocol.io):
// 2026-07-28, and the older versions that its SDK speaks, over HTTP and on
// standard input and output. Six tools read the market; none changes anything,
// claims and removals are none of them. It alone knows the SDK, and it refuses
// to know how anything is found, rendered or withheld: it is handed a search and
// a reader of the release's documents, so that who is removed is gone here when
// these no longer show it.
//
// # Answers
//
// Every tool answers with the same envelope (type answer): items, each with
// kind, url and apiUrl, and status where an item was asked for by name;
// truncated and next where there is more. The documents themselves are those of
// the API, described in its OpenAPI document. Beside them is a short table for
// people, never the JSON again. An answer has a budget of bytes: what does not
// fit is left to the next call, and a document that alone is too long is cut and
// says so.
//
// # What others wrote
//
// Sellers wrote most of what is read here, and an agent's model reads it beside
// its instructions. The tools and the table say that it is data. In the table it
// stands between marks that it cannot hold itself, and control, bidirectional
// and invisible characters are taken out of all text.
//
// # Bounds
//
// Nothing is kept between calls: there are no sessions and no subscriptions. The
// body of a request, the calls of a batch and the time of a call are limited.
package mcp
