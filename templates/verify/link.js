"use strict";

// readLink returns the id and the token in a link or code, or null. Mail gateways
// encode the part after the page's name once or more, wrap the whole link in one of
// theirs, append parameters, and write & as an entity. Proofpoint writes - for %
// and _ for /; Sophos encodes the whole link in base64.
function readLink(text) {
  const found = /((?:claim|removal)-[a-z2-7]{26})(?:\.|.*?token=)([\w-]{43})/.exec(unpacked(text.replace(/\s/g, "")));
  return found && { id: found[1], token: found[2] };
}

// unpacked unwraps the links of gateways around a link, outermost first. Each step makes
// the text shorter.
function unpacked(text) {
  const byte = (_, hex) => String.fromCharCode(parseInt(hex, 16));
  for (const step of [
    () => text.replace(/%(?:25)*([0-9a-f]{2})/gi, byte),
    () => text.replace(/https?-(?:25)*3a(?:__|-(?:25)*2f)[^&]*/gi, (packed) => packed.replace(/_/g, "/").replace(/-(?:25)*([0-9a-f]{2})/gi, byte)),
    () => text.replace(/aHR0c[\w+/-]+/g, (packed) => {
      try {
        return atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
      } catch {
        return packed;
      }
    }),
  ]) {
    const next = step();
    if (next !== text) {
      return unpacked(next);
    }
  }
  return text;
}

// Remove the link from the address bar before doing anything else, so that it is
// not kept in the history, a bookmark, a shared screen or a screenshot.
let secret = readLink(location.href);
history.replaceState(null, "", location.origin + location.pathname.replace(/(\/verify\/(?:claim|removal)).*/, "$1"));
