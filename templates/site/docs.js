"use strict";
// The API reference works without this script. The script filters the page by a
// search and shows answers in place. It sends requests only to the API.
(() => {
  const page = document.querySelector(".api");
  if (!page) return;
  const root = document.body.dataset.api;

  const narrow = page.querySelector("form.narrow"), told = narrow.querySelector("[role=status]");
  const parts = Array.from(page.querySelectorAll(".endpoint"), (part) => ({ part, text: part.textContent.toLowerCase() }));
  narrow.hidden = false;
  narrow.addEventListener("submit", (event) => event.preventDefault());
  narrow.elements.text.addEventListener("input", () => {
    const words = narrow.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { part, text } of parts) {
      part.hidden = !words.every((word) => text.includes(word));
      if (!part.hidden) shown++;
    }
    for (const entry of page.querySelectorAll("[data-for]")) entry.hidden = document.getElementById(entry.dataset.for).hidden;
    for (const group of page.querySelectorAll(".group")) group.hidden = words.length > 0 && !group.querySelector(".endpoint:not([hidden])");
    told.textContent = words.length > 0 ? shown + " of " + parts.length : "";
  });

  // filled fills a form's fields with the parts of a real address.
  function filled(form, address) {
    const at = new URL(address);
    const real = at.href.slice(root.length).split(/[?#]/)[0].split("/");
    form.dataset.path.split("/").forEach((part, i) => {
      const name = /^\{(.+)\}(.*)$/.exec(part);
      if (name && real[i]) form.elements[name[1]].value = decodeURIComponent(real[i]).slice(0, real[i].length - name[2].length);
    });
    for (const [name, value] of at.searchParams) form.elements[name].value = value;
  }

  function composed(form) {
    const at = new URL(root + form.dataset.path.replace(/\{(.+?)\}/g, (_, name) => encodeURIComponent(form.elements[name].value)));
    for (const field of form.querySelectorAll("[data-in=query]")) if (field.value !== "") at.searchParams.append(field.name, field.value);
    return at.href;
  }

  for (const form of page.querySelectorAll("form.try")) {
    const link = form.previousElementSibling.querySelector("a"), shown = form.nextElementSibling;
    filled(form, link.href);
    form.hidden = false;
    form.previousElementSibling.hidden = true;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const address = composed(form);
      shown.hidden = false;
      shown.textContent = "GET " + address + "\n…";
      try {
        const answer = await fetch(address, { credentials: "omit" });
        const text = await answer.text();
        let body = text;
        try { body = JSON.stringify(JSON.parse(text), null, 2); } catch { /* it is no JSON, and shown as it is */ }
        shown.textContent = "GET " + address + "\n" + answer.status + "\n\n" + body.slice(0, 100000);
      } catch {
        shown.textContent = "GET " + address + "\nThere is no answer.";
      }
    });
  }
})();
