// Package publish carries a release from the public folder to where the public
// reads it: another folder, or a bucket of an object store. It knows keys,
// metadata and the order in which a change becomes visible; what is in a
// document, how a release is made and what the host answers to a request are not
// its concern.
//
// What is at the destination is known from a record: the difference between the
// record and the release's manifest is what is done, so that a change costs
// requests by its size and not by that of the tree. Only where the record is not
// complete is the destination listed, for its 410 stubs.
//
//	judgement nothing is sent of a release that would bring a removed seller back,
//	          by the record of removals or by a stub at the destination.
//	intents   every key that is about to be written is recorded as uncertain,
//	          durably, together with the addresses to purge.
//	mark      the description of the release at the destination says that a publish
//	          is under way, as no other does. Killed here, or later: no other
//	          machine trusts what its record says, and judges all stubs there.
//	upload    each key that the store acknowledged is recorded as it is now.
//	          Killed here: the next run writes the uncertain ones again, or
//	          deletes them if the release no longer has them.
//	purge     an address is crossed off once the caches were notified.
//	          Killed here: the next run notifies them.
//
// A removal comes before everything else but the mark: its stubs are written and its
// documents deleted before any document is uploaded.
package publish
