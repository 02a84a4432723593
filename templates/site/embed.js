"use strict";
// An embedded page takes its appearance from its query: theme=light or dark,
// columns=1 to 12, size=small or large. Without this script, or with other values,
// it follows the reader's system.
(() => {
  const asked = new URLSearchParams(location.search);
  const page = document.documentElement;
  for (const [name, values] of [["theme", /^(light|dark)$/], ["size", /^(small|large)$/], ["columns", /^([1-9]|1[0-2])$/]]) {
    const value = asked.get(name) || "";
    if (values.test(value)) page.dataset[name] = value;
  }
  if (page.dataset.columns) page.style.setProperty("--columns", page.dataset.columns);
})();
