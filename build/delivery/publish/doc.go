// Package publish copies a release from the public folder to where the public reads it:
// another folder, or a bucket of an object store. It knows keys, metadata and the order in
// which a change becomes visible. It does not know what is in a document, how a release is
// built, or what the host answers to a request.
//
// A record says what is at the destination. The difference between the record and the
// release's manifest is what is done, so the number of requests depends on the size of a
// change rather than of the tree. The destination is listed, for its 410 stubs, only if the
// record is not complete.
//
//	judgement nothing is sent of a release that would make a removed seller public
//	          again, according to the recorded removals or a stub at the destination.
//	intents   every key that is about to be written is durably recorded as uncertain,
//	          together with the addresses to purge.
//	mark      the release's description at the destination says that this publish is
//	          in progress. If it is killed here, or later, no other machine trusts
//	          its own record, and each judges all stubs there.
//	upload    each key that the store acknowledged is recorded with its new state.
//	          If killed here, the next run writes the uncertain keys again, or
//	          deletes them if the release no longer has them.
//	purge     an address is crossed off once the caches were notified.
//	          If killed here, the next run notifies them.
//
// A removal comes before everything else except the mark: its stubs are written and its
// documents deleted before any document is uploaded.
package publish
