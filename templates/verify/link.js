"use strict";

// readLink returns the id and the token that a link or a code holds, or null.
// Mail gateways encode what follows the page's name once or more, pack the whole
// link into one of theirs, append parameters, and write & as an entity. Proofpoint
// writes - for % and _ for /, Sophos the whole link in base64.
function readLink(text) {
  const found = /((?:claim|removal)-[a-z2-7]{26})(?:\.|.*?token=)([\w-]{43})/.exec(unpacked(text.replace(/\s/g, "")));
  return found && { id: found[1], token: found[2] };
}

// unpacked takes off what gateways wrapped around a link, the outermost first. Each step
// makes the text shorter.
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

// Once read, the link leaves the address bar before anything else is done, so that
// neither the history nor a shared screen, bookmark or picture keeps it.
let secret = readLink(location.href);
history.replaceState(null, "", location.origin + location.pathname.replace(/(\/verify\/(?:claim|removal)).*/, "$1"));
