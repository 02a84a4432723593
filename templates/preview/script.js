"use strict";
// A preview shows each change by itself: the server tells what it shows now, and
// the page is asked for again where that is something else.
(() => {
  const shown = document.currentScript.dataset.state;
  const source = new EventSource("/-/preview/events");
  source.onmessage = (event) => {
    if (event.data === shown) return;
    source.close();
    location.reload();
  };
})();
