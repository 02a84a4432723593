// Package mcp implements the Model Context Protocol (modelcontextprotocol.io), version
// 2026-07-28 and the older versions that its SDK supports, over HTTP and standard input and
// output. Its six tools read the market; none changes anything, and none handles claims or
// removals. Only this package knows the SDK. It does not know how anything is found,
// rendered or withheld: it uses a search and a reader of the release's documents, so
// removed sellers are gone here once those no longer show them.
//
// # Answers
//
// Every tool answers with the same envelope (type answer): items, each with kind, url and
// apiUrl, and a status if an item was requested by name; truncated and next if there is
// more. The documents are those of the API, described in its OpenAPI document. The text
// part is a short table for people, and never repeats the JSON. An answer has a budget in
// bytes: items that do not fit are left to the next call, and a single document that is too
// long is cut and says so.
//
// # Text written by others
//
// Sellers wrote most of the text here, and an agent's model reads it along with its
// instructions. The tools and the table say that it is data. In the table it is enclosed in
// marks that it cannot contain itself. Control, bidirectional and invisible characters are
// removed from all text.
//
// # Limits
//
// Nothing is kept between calls: there are no sessions and no subscriptions. The size of a
// request, the number of calls in a batch and the duration of a call are limited.
package mcp
