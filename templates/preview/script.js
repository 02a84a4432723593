"use strict";
// Reloads a preview after each change: the server reports the state of the content,
// and the page is fetched again if that state is not the one shown.
(() => {
  const shown = document.currentScript.dataset.state;
  const source = new EventSource("/-/preview/events");
  source.onmessage = (event) => {
    if (event.data === shown) return;
    source.close();
    location.reload();
  };
})();
