"use strict";
// The pages work without this script. It completes what is typed into a search
// field, fills and narrows the page of a search, and sends the forms of a claim
// or a removal without leaving their page. It reaches the API and nothing else.
(() => {
  const api = document.body.dataset.api + "/marketplace";
  const language = document.documentElement.lang;
  const number = new Intl.NumberFormat(language);

  // element makes an element; what is not an element becomes text.
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== undefined && child !== ""));
    return made;
  }

  // here turns an address of this site into a path, so that a preview stays where
  // it is.
  const home = document.querySelector(".brand").href;
  const canonical = document.querySelector('link[rel="canonical"]').href;
  const site = canonical.slice(0, canonical.indexOf("/", canonical.indexOf("//") + 2));
  function here(address) {
    return address.startsWith(site + "/") ? address.slice(site.length) : address;
  }

  // Suggestions: a combobox as in the ARIA Authoring Practices Guide, whose list
  // shows links.
  function suggest(input) {
    const list = element("ul", { class: "suggestions", role: "listbox", id: input.form.className.replace(/\W/g, "") + "-suggestions", hidden: true });
    let asked = 0, timer, chosen = -1, away = false;
    for (const [key, value] of Object.entries({ role: "combobox", "aria-expanded": "false", "aria-controls": list.id, "aria-autocomplete": "list", autocomplete: "off" })) {
      input.setAttribute(key, value);
    }
    input.after(list);

    function close() {
      list.hidden = true;
      chosen = -1;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }
    function choose(to) {
      const options = list.children;
      if (options.length === 0) return;
      if (chosen >= 0) options[chosen].setAttribute("aria-selected", "false");
      chosen = (to + options.length) % options.length;
      options[chosen].setAttribute("aria-selected", "true");
      options[chosen].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", options[chosen].id);
    }
    function show(suggestions) {
      list.replaceChildren(...suggestions.map((one, i) => {
        const name = element("span");
        const letters = Array.from(one.name);
        let at = 0;
        for (const [from, to] of one.highlight) {
          name.append(letters.slice(at, from).join(""), element("mark", {}, letters.slice(from, to).join("")));
          at = to;
        }
        name.append(letters.slice(at).join(""));
        const option = element("li", { role: "option", id: list.id + "-" + i, "aria-selected": "false" }, name, element("small", {}, one.seller || ""));
        option.addEventListener("mousedown", (event) => event.preventDefault());
        option.addEventListener("click", () => location.assign(here(one.url)));
        option.address = here(one.url);
        return option;
      }));
      chosen = -1;
      list.hidden = suggestions.length === 0;
      input.setAttribute("aria-expanded", String(!list.hidden));
    }
    async function ask() {
      const text = input.value.trim(), turn = ++asked;
      if (text === "" || away) return close();
      try {
        const answer = await fetch(api + "/search/suggestions?limit=8&q=" + encodeURIComponent(text));
        if (!answer.ok) { away = answer.status === 404; return close(); }
        const found = await answer.json();
        if (turn === asked && document.activeElement === input) show(found.suggestions);
      } catch (unreachable) {
        close();
      }
    }
    input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
    input.addEventListener("blur", close);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !list.hidden) { event.preventDefault(); close(); }
      if (list.hidden) return;
      if (event.key === "ArrowDown") { event.preventDefault(); choose(chosen + 1); }
      if (event.key === "ArrowUp") { event.preventDefault(); choose(chosen < 0 ? -1 : chosen - 1); }
      if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); location.assign(list.children[chosen].address); }
    });
  }

  // The page of a search.
  function search(page) {
    const form = page.querySelector(".filters"), sets = form.querySelector(".sets"), results = page.querySelector(".results");
    const field = document.querySelector(".head .find input");
    const texts = page.dataset;
    const limit = 24;
    let turn = 0;

    function price(p) {
      const amount = new Intl.NumberFormat(language, { minimumFractionDigits: (p.amount.split(".")[1] || "").length }).format(p.amount);
      return (p.from ? texts.from + " " : "") + (language.startsWith("en") ? p.currency + "\u00a0" + amount : amount + "\u00a0" + p.currency) + (p.unit ? " / " + p.unit : "");
    }
    function marked(name, query) {
      const words = query.toLocaleLowerCase(language).split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
      const shown = element("a", {});
      for (const part of name.split(/([^\p{L}\p{N}]+)/u)) {
        const hit = words.some((word) => part.toLocaleLowerCase(language).startsWith(word));
        shown.append(hit ? element("mark", {}, part) : part);
      }
      return shown;
    }
    function card(one, query) {
      const picture = one.image
        ? element("span", { class: "shot" }, element("img", { src: here(one.image.url), alt: "", width: one.image.width, height: one.image.height, loading: "lazy" }))
        : element("span", { class: "shot none", "aria-hidden": "true" }, Array.from(one.name)[0]);
      const link = marked(one.name, query);
      link.href = here(one.url);
      const matched = one.matched && element("p", {}, texts.matched + ": " + [one.matched.variant, one.matched.sku].filter(Boolean).join(" "));
      return element("li", { class: "card" }, picture, element("h3", {}, link), one.summary ? element("p", {}, one.summary) : "", matched || "",
        element("p", { class: "meta" }, element("a", { href: here(one.seller.url) }, one.seller.name), one.price ? element("span", { class: "price" }, price(one.price)) : ""));
    }
    function filter(one) {
      const radio = one.name === "kind";
      const box = (value, label, count, selected) => element("label", {},
        element("input", { type: radio ? "radio" : "checkbox", name: one.name, value: value, checked: selected }), label, count === undefined ? "" : element("span", { class: "n" }, " " + number.format(count)));
      const boxes = one.values.map((v) => box(v.value, v.label, v.count, v.selected));
      if (radio) boxes.unshift(box("", texts.all, undefined, !one.values.some((v) => v.selected)));
      const set = element("fieldset", {}, element("legend", {}, texts[one.name] || one.name), ...boxes.slice(0, 8));
      if (boxes.length > 8) set.append(element("details", { open: one.values.slice(8).some((v) => v.selected) }, element("summary", {}, texts.more), ...boxes.slice(8)));
      return set;
    }
    function at(parameters, offset) {
      const other = new URLSearchParams(parameters);
      other.delete("offset");
      if (offset > 0) other.set("offset", offset);
      return location.pathname + "?" + other;
    }
    function show(found, parameters) {
      const pager = element("nav", { class: "pager" });
      if (found.offset > 0) pager.append(element("a", { rel: "prev", href: at(parameters, Math.max(0, found.offset - found.limit)) }, "← " + texts.previous));
      if (found.next) pager.append(element("a", { rel: "next", href: at(parameters, found.offset + found.limit) }, texts.next + " →"));
      sets.replaceChildren(...found.filters.filter((one) => one.values.length > 0).map(filter));
      const direct = [found.sellerMatch, found.categoryMatch].filter(Boolean).map((one) => element("p", { class: "direct" }, element("a", { href: here(one.url) }, one.name)));
      results.replaceChildren(...direct, element("p", { class: "meta" }, texts.found.replace("{number}", number.format(found.total))),
        found.total === 0 ? element("p", { class: "nothing" }, texts.none) : element("ul", { class: "cards" }, ...found.listings.map((one) => card(one, found.query))), pager);
    }
    async function load() {
      const parameters = new URLSearchParams(location.search), mine = ++turn;
      for (const [name, value] of [...parameters]) if (value === "") parameters.delete(name, value);
      field.value = form.elements.q.value = parameters.get("q") || "";
      const asked = new URLSearchParams(parameters);
      if (!asked.has("limit")) asked.set("limit", limit);
      results.setAttribute("aria-busy", "true");
      try {
        const answer = await fetch(api + "/listings/search?" + asked);
        const found = await answer.json();
        if (mine !== turn) return;
        if (answer.ok) show(found, parameters);
        else results.replaceChildren(element("p", { class: "nothing" }, answer.status === 400 ? found.detail : texts.away));
      } catch (unreachable) {
        if (mine === turn) results.replaceChildren(element("p", { class: "nothing" }, texts.away));
      }
      results.removeAttribute("aria-busy");
    }
    function go(parameters) {
      const address = location.pathname + "?" + parameters;
      if (address !== location.pathname + location.search) history.pushState(null, "", address);
      load();
    }
    form.addEventListener("change", () => {
      const chosen = new URLSearchParams(new FormData(form));
      for (const [name, value] of [...chosen]) if (value === "") chosen.delete(name, value);
      go(chosen);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    field.form.addEventListener("submit", (event) => {
      event.preventDefault();
      field.dispatchEvent(new Event("blur"));
      go(new URLSearchParams({ q: field.value }));
    });
    results.addEventListener("click", (event) => {
      const link = event.target.closest(".pager a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      history.pushState(null, "", link.href);
      scrollTo(0, 0);
      load();
    });
    addEventListener("popstate", load);
    if (!("filled" in page.dataset)) load();
    else sets.querySelector("button").hidden = true;
  }

  // The forms that start a claim or a removal. The answer is one of the texts that
  // the page has for it.
  function request(form) {
    const outcomes = form.querySelectorAll("[data-outcome]"), button = form.querySelector("button");
    function tell(which) {
      for (const one of outcomes) one.hidden = one.dataset.outcome !== which;
    }
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      tell("");
      try {
        const answer = await fetch(form.dataset.api, {
          method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": form.dataset.key || (form.dataset.key = crypto.randomUUID()) },
          body: JSON.stringify({ requesterName: form.elements.requesterName.value, requesterEmail: form.elements.requesterEmail.value }),
        });
        const said = await answer.json();
        if (!answer.ok) delete form.dataset.key;
        tell({ 202: "sent", 410: "gone", 404: "gone", 429: "later" }[answer.status] || (said.code === "email-domain-mismatch" ? "domain" : answer.status === 422 ? "invalid" : "away"));
      } catch (unreachable) {
        tell("away");
      }
      button.disabled = false;
    });
  }

  for (const input of document.querySelectorAll(".find input[name=q]")) suggest(input);
  for (const page of document.querySelectorAll("[data-search]")) search(page);
  for (const form of document.querySelectorAll("form.request")) request(form);
})();
