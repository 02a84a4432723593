"use strict";

// readLink returns the id and the token that a link or a code holds, or null.
// Mail gateways encode what follows the page's name once or more, pack the whole
// link into one of theirs, append parameters, and write & as an entity.
function readLink(text) {
  const plain = text.replace(/\s/g, "")
    .replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  const found = /((?:claim|removal)-[a-z2-7]{26})(?:\.|.*?token=)([\w-]{43})/.exec(plain);
  return found && { id: found[1], token: found[2] };
}

// Once read, the link leaves the address bar before anything else is done, so that
// neither the history nor a shared screen, bookmark or picture keeps it.
let secret = readLink(location.href);
history.replaceState(null, "", location.origin + location.pathname.replace(/(\/verify\/(?:claim|removal)).*/, "$1"));
