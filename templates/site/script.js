"use strict";
// The pages work without this script. The script suggests searches, shows and
// filters search results, submits claims and removals without leaving the page, and
// forwards links from mails to their page. It sends requests only to the API.
(() => {
  const { api: root, site, path, suggested, company, products, services } = document.body.dataset;
  // If a mail gateway has moved a link's secret to the path or query, a host without
  // a rule for it answers with the 404 page. Pass all of it on to the link's page in
  // the fragment, which is never sent.
  const linked = /\/verify(?:\/|%2f)(claim|removal)(.*token.*)/i.exec(location.pathname + location.search);
  if (linked) {
    location.replace(path + "verify/" + linked[1] + "#" + linked[2]);
    return;
  }
  const api = root + "/marketplace";
  const language = document.documentElement.lang;
  const number = new Intl.NumberFormat(language);

  // element creates an element; children that are not elements become text.
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== undefined && child !== null && child !== false && child !== ""));
    return made;
  }

  // here turns an address of this site into a path, so that links in a preview stay
  // in the preview.
  function here(address) {
    if (address === site) return path;
    return address.startsWith(site + "/") ? path + address.slice(site.length + 1) : address;
  }

  // decimal formats a number and keeps all its digits, like the pages that the build
  // renders.
  function decimal(text, groups) {
    if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
    const digits = (text.split(".")[1] || "").length;
    return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: groups !== false }).format(text);
  }
  // price formats an amount with the usual decimals of its currency, and further ones if they
  // are not zero.
  function price(p, texts) {
    const [, odd] = new RegExp(p.currency + " (\\d)").exec(texts.digits) || [, 2];
    const written = (p.amount.split(".")[1] || "").replace(/0+$/, "").length;
    const digits = Math.min(20, Math.max(odd, written));
    const amount = (of) => new Intl.NumberFormat(language, { style: "currency", currency: p.currency, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(of);
    const shown = element("span", { class: "price" }, (p.from ? texts.from + " " : "") + amount(p.amount));
    if (p.unit) shown.append(" ", element("small", {}, "/ " + p.unit));
    if (p.list) shown.append(" ", element("del", {}, amount(p.list)));
    return shown;
  }

  // The last searches, stored only in this browser.
  const recent = {
    key: "souk.recent " + path, most: 5,
    read() {
      try { return JSON.parse(localStorage.getItem(this.key) || "[]").filter((text) => typeof text === "string").slice(0, this.most); } catch (barred) { return []; }
    },
    write(all) {
      try { localStorage.setItem(this.key, JSON.stringify(all.slice(0, this.most))); } catch (barred) { /* Nothing is stored. */ }
    },
    suggested() {
      const all = this.read().map((text) => ({ kind: "recent", name: text, highlight: [], url: site + "/search?" + new URLSearchParams({ q: text }) }));
      return all.length > 0 ? [...all, { name: document.body.dataset.clear, highlight: [], open: () => this.write([]) }] : [];
    },
  };

  // Suggestions: a combobox as in the ARIA Authoring Practices Guide, with a list
  // of links.
  function suggest(input, index) {
    const id = "suggestions-" + index;
    const list = element("ul", { class: "suggestions", role: "listbox", id: id, "aria-label": input.getAttribute("aria-label"), hidden: true });
    const status = element("span", { class: "away", role: "status" });
    let asked = 0, timer, chosen = -1, away = false;
    for (const [key, value] of Object.entries({ role: "combobox", "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list", autocomplete: "off" })) {
      input.setAttribute(key, value);
    }
    input.after(list, status);

    function close() {
      clearTimeout(timer);
      asked++;
      list.hidden = true;
      chosen = -1;
      status.textContent = "";
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }
    function choose(to) {
      const options = list.children;
      if (chosen >= 0) options[chosen].setAttribute("aria-selected", "false");
      chosen = (to + options.length) % options.length;
      options[chosen].setAttribute("aria-selected", "true");
      options[chosen].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", options[chosen].id);
    }
    function option(one, i) {
      const name = element("span");
      const letters = Array.from(one.name);
      let at = 0;
      for (const [from, to] of one.highlight) {
        name.append(letters.slice(at, from).join(""), element("mark", {}, letters.slice(from, to).join("")));
        at = to;
      }
      name.append(letters.slice(at).join(""));
      // Distinguish equal names: a product or service also shows its seller.
      const of = { recent: document.body.dataset.recent, seller: company, category: one.rootKind === "service" ? services : products }[one.kind];
      const made = element("li", { role: "option", id: id + "-" + i, "aria-selected": "false" }, name, element("small", {}, one.seller || of));
      made.addEventListener("mousedown", (event) => event.preventDefault());
      made.address = one.url && here(one.url);
      made.open = () => { close(); one.open ? one.open() : location.assign(made.address); };
      made.addEventListener("click", made.open);
      return made;
    }
    function show(suggestions) {
      close();
      if (suggestions.length === 0) return;
      list.replaceChildren(...suggestions.map(option));
      list.hidden = false;
      status.textContent = suggested.replace("{number}", number.format(suggestions.length));
      input.setAttribute("aria-expanded", "true");
    }
    // If no server answers, show no suggestions and no error.
    async function ask() {
      const text = input.value.trim(), turn = ++asked;
      if (text === "" && !input.dataset.kind) return show(recent.suggested());
      if (text === "" || away) return close();
      try {
        const answer = await fetch(api + "/search/suggestions?limit=8&q=" + encodeURIComponent(text) + (input.dataset.kind ? "&kind=" + input.dataset.kind : ""));
        if (!answer.ok) throw answer.status;
        const found = await answer.json();
        if (turn === asked && document.activeElement === input) show(found.suggestions);
      } catch (failed) {
        away = failed === 404 || failed === 405;
        if (turn === asked) close();
      }
    }
    input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
    input.addEventListener("click", () => { if (input.value === "") ask(); });
    input.addEventListener("blur", close);
    // Handle submit and not the Enter key: phone keyboards do not always report it,
    // and some browsers submit the form anyway.
    input.form.addEventListener("submit", (event) => {
      if (chosen >= 0) {
        event.preventDefault();
        event.stopImmediatePropagation();
        return list.children[chosen].open();
      }
      const text = input.value.trim();
      if (text !== "" && !input.dataset.kind) recent.write([text, ...recent.read().filter((other) => other !== text)]);
      close();
    });
    input.addEventListener("keydown", (event) => {
      if (event.isComposing || event.ctrlKey || event.metaKey) return;
      if (list.hidden) {
        if (event.key === "ArrowDown") { event.preventDefault(); ask(); }
        return;
      }
      const act = {
        ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen < 0 ? -1 : chosen - 1), Escape: close,
        Home: chosen >= 0 && (() => choose(0)), End: chosen >= 0 && (() => choose(-1)),
      }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
  }

  // The page of a search.
  function search(page) {
    const form = page.querySelector(".filters"), sets = form.querySelector(".sets"), results = page.querySelector(".results"), count = page.querySelector(".count");
    const field = document.querySelector("main .find input") || document.querySelector(".head .find input");
    const texts = page.dataset, of = texts.search || "listings", ofCompanies = of === "companies";
    const within = texts.within; // the category whose page this is
    const shownValues = 8, shownSets = 8;
    let turn = 0, shown = location.search;

    // marked highlights parts of a text; positions count code points.
    function marked(text, found) {
      const letters = Array.from(text), parts = [];
      let at = 0;
      for (const [from, to] of found) {
        parts.push(letters.slice(at, from).join(""), element("mark", {}, letters.slice(from, to).join("")));
        at = to;
      }
      return [...parts, letters.slice(at).join("")];
    }
    // Like build/site/picture.go, for a frame of the kind "card" or "company".
    function shot(image, at, sizes, width, height, of) {
      const forms = image.variants || [];
      const all = forms.length > 0 && forms[forms.length - 1].width < 1280 ? [...forms, image] : forms;
      const known = image.width && image.height;
      return element("img", {
        src: here(image.url), srcset: all.map((form) => here(form.url) + " " + form.width + "w").join(", ") || undefined,
        sizes: all.length > 0 ? sizes : undefined, alt: "", class: of,
        width: known ? image.width : width, height: known ? image.height : height, loading: at > 0 ? "lazy" : undefined,
      });
    }
    const letter = (one, of) => element("span", { class: of + " none", "aria-hidden": "true" }, (Array.from(one.name).find((c) => /[\p{L}\p{N}]/u.test(c)) || "·").toUpperCase());
    const regions = new Intl.DisplayNames(language, { type: "region" });
    function firm(one, at) {
      const { city, region, country } = one.headquarters || {}, said = one.tagline || one.summary;
      const place = [city, region, country && regions.of(country)].filter(Boolean).join(", ");
      return element("li", { class: "company" }, one.logo ? shot(one.logo, at, "3.75rem", 60, 60, "logo") : letter(one, "logo"),
        element("div", {}, element("h3", {}, element("a", { href: here(one.url) }, one.name)), said && element("p", {}, said), place && element("p", { class: "meta" }, place)));
    }
    // firms shows the companies in an answer. An answer about listings contains only the first few,
    // and a link to all.
    function firms(found) {
      const all = ofCompanies ? found.companies : found.offset > 0 ? [] : found.companies.items, { next, total } = found.companies;
      return all.length === 0 ? [] : [
        next && element("h3", { class: "quiet" }, element("a", { href: path + next.slice(api.length + 1) }, texts.companies + " ", element("span", { class: "n" }, number.format(total)), " →")),
        element("ul", { class: "sellers" }, ...all.map(firm))];
    }
    function card(one, at) {
      const picture = one.image ? element("span", { class: "shot" }, shot(one.image, at, "(max-width: 38rem) 100vw, 22rem", 320, 200)) : letter(one, "shot");
      const matched = one.matched && element("p", { class: "matched" }, texts.matched + ": " + [one.matched.variant, one.matched.sku].filter(Boolean).join(", "));
      const light = one.highlight || { name: [] };
      const facts = (one.attributes || []).map((a) => element("span", {}, a.name + ": " + (a.values ? a.values.join(", ") : typeof a.value === "boolean" ? a.value ? texts.yes : texts.no : typeof a.value === "number" ? bound({}, String(a.value)) : a.value) + (a.unit ? "\u00a0" + a.unit : "")));
      if (one.availability) facts.push(element("span", { class: "availability " + one.availability }, texts[one.availability]));
      const said = light.snippet ? marked(light.snippet, light.snippetHighlight || []) : one.summary ? [one.summary] : [];
      return element("li", { class: "card" }, picture,
        element("h3", {}, element("a", { href: here(one.url) }, ...marked(one.name, light.name))),
        one.pinned && element("p", { class: "matched" }, texts.pinned), said.length > 0 && element("p", {}, ...said),
        one.proof && element("ul", { class: "proofs" }, ...one.proof.map((p) => element("li", {}, p.title))), matched, facts.length > 0 && element("p", { class: "meta facts" }, ...facts.flatMap((f) => [f, " "])),
        element("p", { class: "meta" }, element("a", { href: here(one.seller.url) }, one.seller.name), one.price && " ", one.price && price(one.price, texts)));
    }
    // A four-digit value of an attribute may be a year, so do not group its digits.
    const bound = (one, text) => decimal(text, one.name === "price" || text.length !== 4 || text.includes("."));
    // The field sets of the form match build/site/filter.go.
    function span(one, sent) {
      const range = one.name === "attribute" ? sent.slice(sent.indexOf(":") + 1).trim() : sent;
      const found = /^([\d.+-]*?)\s*(<?)\s*\.\.\s*(<?)\s*([\d.+-]*)\s*(.*)$/s.exec(range);
      if (!found) return range;
      const least = (found[2] && "> ") + bound(one, found[1]), most = (found[3] && "< ") + bound(one, found[4]);
      const unit = found[5] && " " + found[5];
      if (!least && !most) return texts.all;
      return most === "" ? (found[2] ? "" : "≥ ") + least + unit : least === "" ? (found[3] ? "" : "≤ ") + most + unit : least + " – " + most + unit;
    }
    function filter(one) {
      const radio = one.name === "kind", values = one.values, ranges = one.selected || [];
      // Categories of products and of services may have the same name.
      const twice = (v) => one.name === "category" && values.filter((w) => w.label === v.label).length > 1;
      const label = (v) => v.label + (twice(v) ? " (" + texts[v.value.split("/")[0]] + ")" : "");
      const legend = (one.attribute || texts[one.name] || one.name) + (one.unit ? " (" + one.unit + ")" : "");
      const box = (value, label, count, selected) => element("label", {},
        element("input", { type: radio ? "radio" : "checkbox", name: one.name, value: value, checked: selected }), element("span", {}, label),
        count !== undefined && " ", count !== undefined && element("span", { class: "n" }, number.format(count)));
      const boxes = [...ranges.map((sent) => box(sent, span(one, sent), undefined, true)), ...values.map((v) => box(v.value, label(v), v.count, v.selected))];
      const chosen = [...ranges.map(() => true), ...values.map((v) => v.selected)];
      const rest = boxes.splice(shownValues);
      if (radio) boxes.unshift(box("", texts.all, undefined, !chosen.includes(true)));
      const set = element("fieldset", {}, element("legend", {}, legend), ...boxes);
      if (rest.length > 0) set.append(element("details", { open: chosen.slice(shownValues).includes(true) }, element("summary", {}, texts.more), ...rest));
      if (one.type === "number" && one.min !== one.max) {
        const input = (name, of, label) => element("input", { type: "number", step: "any", name: name, placeholder: bound(one, String(of ?? "")), "aria-label": label.replace("{name}", legend) });
        set.append(element("div", { class: "range" }, element("input", { type: "hidden", name: "range", value: [one.name, one.attribute || "", one.unit || ""].join(":") }),
          input("min", one.min, texts.least), " – ", input("max", one.max, texts.most)));
      }
      set.chosen = chosen.includes(true);
      return set;
    }
    const narrows = (one, total) => one.selected !== undefined || one.min !== one.max || one.values.some((v) => v.selected || v.count < total);
    function orders(found, parameters) {
      const sort = parameters.get("sort") || "", currency = parameters.get("currency");
      const all = [["", texts.byRelevance], ["name", texts.byName], ...ofCompanies ? [] : [["newest", texts.byNewest]]];
      const currencies = new Set([...sort === "price" ? [currency] : [], ...found.filters.filter((one) => one.name === "price").map((one) => one.unit)]);
      for (const one of currencies) all.push(["price:" + one, texts.byPrice.replace("{currency}", one)]);
      const now = sort === "price" ? "price:" + currency : sort;
      return element("fieldset", {}, element("legend", {}, texts.sort), element("select", { name: "sort", "aria-label": texts.sort },
        ...all.map(([value, label]) => element("option", { value: value, selected: value === now }, label))));
    }
    // chips returns a link for each chosen value that removes it from the search.
    function chips(parameters) {
      const boxes = [...sets.querySelectorAll("input:checked")].filter((box) => box.value !== "");
      return boxes.length > 0 && element("ul", { class: "chips chosen" }, ...boxes.map((box) => {
        const rest = new URLSearchParams([...parameters].filter(([name]) => !filters.includes(name)));
        for (const other of boxes) if (other !== box) rest.append(other.name, other.value);
        if (!rest.has("price") && rest.get("sort") !== "price") rest.delete("currency");
        const name = box.closest("fieldset").firstChild.textContent + ": " + box.nextSibling.textContent;
        return element("li", {}, element("a", { href: at(rest, 0), "aria-label": texts.remove.replace("{name}", () => name) }, name + " ", element("span", { "aria-hidden": "true" }, "×")));
      }));
    }
    // told returns the search parameters for the form's fields, like
    // build/site/filter.go.
    function told() {
      const sent = new FormData(form), asked = new URLSearchParams();
      for (const [name, value] of sent) {
        if (value !== "" && !["range", "min", "max"].includes(name)) asked.append(name, value);
      }
      const now = new URLSearchParams(location.search);
      for (const name of ["currency", "interpret"]) if (now.get(name)) asked.set(name, now.get(name));
      const [sort, by] = (asked.get("sort") || "").split(":");
      if (by) {
        asked.set("sort", sort);
        if (!asked.has("currency") || !asked.has("price")) asked.set("currency", by);
      }
      const least = sent.getAll("min"), most = sent.getAll("max");
      sent.getAll("range").forEach((of, i) => {
        if (least[i] + most[i] === "") return;
        const [name, attribute, ...unit] = of.split(":"), bounds = least[i] + ".." + most[i];
        if (name === "price") {
          asked.set("price", bounds);
          asked.set("currency", unit.join(":"));
        } else asked.append(name, (attribute + ":" + bounds + " " + unit.join(":")).trim());
      });
      if (!asked.has("price") && asked.get("sort") !== "price") asked.delete("currency");
      return asked;
    }
    function withAttribute(one) {
      const name = one.filter === "attribute" ? (one.value || "").split(":", 1)[0] : "";
      return name === "" || one.text.toLowerCase().includes(name.toLowerCase()) ? one.text : one.text + " (" + name + ")";
    }
    function understood(found, parameters) {
      const all = (found.interpreted || []).filter((one) => (one.as !== "leftOut" || one.filter) && !(found.categoryMatch && one.link && one.link.url === found.categoryMatch.url));
      if (all.length === 0) return null;
      const words = new URLSearchParams(parameters);
      words.set("interpret", "off");
      return element("div", { class: "direct" }, element("p", {}, texts.understood), element("ul", { class: "advice" }, ...all.map((one) => element("li", {},
        texts["as" + one.as[0].toUpperCase() + one.as.slice(1)].replace("{text}", () => withAttribute(one)).replace("{to}", () => (one.to || []).join(", ")).replace("{name}", () => one.link ? one.link.name : "")))),
        element("p", {}, element("a", { href: at(words, 0) }, texts.literal)));
    }
    const reading = (articles) => articles.length > 0 && element("section", { class: "reading" }, element("h3", { class: "quiet" }, texts.articles),
      element("ul", { class: "advice" }, ...articles.map((one) =>
        element("li", {}, element("a", { href: here(one.url) }, one.name), one.summary && " ", one.summary && element("span", {}, one.summary)))));
    function at(parameters, offset) {
      const other = new URLSearchParams(parameters);
      other.delete("offset");
      if (offset > 0) other.set("offset", offset);
      return location.pathname + "?" + other;
    }
    const direct = (link, kind) => link && element("p", { class: "direct" }, kind + ": ", element("a", { href: here(link.url) }, link.name));

    const plainly = (parameters) => element("a", { href: location.pathname + "?" + new URLSearchParams({ q: parameters.get("q") || "" }) }, texts.widen);

    const filters = ofCompanies ? ["category", "country", "city", "language", "proof"] : ["kind", "category", "seller", "country", "availability", "delivery", "region", "language", "proof", "priceUnit", "price", "attribute"];
    const narrowed = (parameters) => filters.some((name) => parameters.has(name));

    // nothing suggests what to try and lists the categories.
    function nothing(parameters) {
      return [element("div", { class: "nothing" }, element("p", {}, texts.none), element("h3", { class: "quiet" }, texts.try),
        element("ul", { class: "advice" }, element("li", {}, texts.words), element("li", {}, texts.spelling),
          narrowed(parameters) && element("li", {}, plainly(parameters))))];
    }
    async function browse(mine) {
      try {
        const answer = await fetch(api + "/listings/search?limit=0");
        const all = await answer.json();
        if (!answer.ok || mine !== turn || all.categoryDirections.length === 0) return;
        const twice = (one) => all.categoryDirections.filter((other) => other.name === one.name).length > 1;
        const name = (one) => one.name + (twice(one) ? " (" + texts[one.rootKind] + ")" : "");
        const chips = element("ul", { class: "chips" }, ...all.categoryDirections.map((one) =>
          element("li", {}, element("a", { href: here(one.url) }, name(one) + " ", element("span", { class: "n" }, number.format(one.count))))));
        for (const one of [element("h3", { class: "quiet" }, texts.browse), chips]) results.insertBefore(one, results.querySelector(".reading"));
      } catch (unreachable) {
        // Without the categories, the page still shows the advice.
      }
    }

    // show renders an answer and restores the focus if the focused element still
    // exists.
    function show(found, parameters) {
      const pager = element("nav", { class: "pager", "aria-label": texts.pages });
      if (found.offset > 0 && found.limit > 0) pager.append(element("a", { rel: "prev", href: at(parameters, Math.max(0, found.offset - found.limit)) }, "← " + texts.previous));
      if (found.next) pager.append(element("a", { rel: "next", href: at(parameters, found.offset + found.limit) }, texts.next + " →"));
      const focused = sets.contains(document.activeElement) ? document.activeElement : null;
      const further = sets.querySelector(".further[open]") !== null;
      const open = [...sets.querySelectorAll("fieldset")].map((set) => [set.firstChild.textContent, set.querySelector("details[open]")]);
      const all = found.filters.filter((one) => !(within && one.name === "category") && narrows(one, found.total)).map(filter);
      const folded = all.splice(shownSets);
      sets.replaceChildren(orders(found, parameters), ...all);
      if (folded.length > 0) {
        sets.append(element("details", { class: "further", open: further || folded.some((set) => set.chosen) }, element("summary", {}, texts.further), ...folded));
      }
      for (const set of sets.querySelectorAll("fieldset")) {
        const rest = set.querySelector("details");
        if (rest && open.some(([legend, was]) => was && legend === set.firstChild.textContent)) rest.open = true;
      }
      if (focused) {
        const same = [...sets.querySelectorAll("input, select")].find((input) => input.name === focused.name &&
          (input.type === "number" ? input.ariaLabel === focused.ariaLabel : input.name === "sort" || input.value === focused.value));
        (same || count).focus();
      }
      form.hidden = found.total === 0 && all.length === 0;
      const { listings = [], companies, articles = [] } = found, total = found.total || companies.total || 0, known = firms(found);
      count.textContent = texts.found.replace("{number}", number.format(total));
      results.replaceChildren(...[
        chips(parameters), known.length === 0 && direct(found.sellerMatch, texts.aSeller), direct(found.categoryMatch, texts.aCategory), understood(found, parameters),
        ...known, ...(total === 0 ? nothing(parameters) : []), found.total === 0 && total > 0 && narrowed(parameters) && element("p", {}, plainly(parameters)), listings.length > 0 && element("ul", { class: "cards" }, ...listings.map(card)),
        pager.hasChildNodes() && pager, reading(articles),
      ].filter(Boolean));
      offerComparison(results);
      if (total === 0) browse(turn);
    }
    function refuse(text, ...more) {
      if (within) return location.replace(path + "search?" + new URLSearchParams([["category", within], ...asked()]));
      count.textContent = "";
      form.hidden = true;
      results.replaceChildren(element("div", { class: "nothing", role: "alert" }, element("p", {}, text), ...more));
    }
    // faulty shows the API's messages about invalid parameters.
    function faulty(errors) {
      const name = (field) => [filters.includes(field) && texts[field] && texts[field] + " ", element("code", {}, field), ": "];
      return element("ul", { class: "advice" }, ...errors.map((one) =>
        element("li", {}, ...one.field ? name(one.field) : [], element("span", { lang: "en", dir: "ltr" }, one.message))));
    }
    // Ignore other parameters, such as those for tracking.
    function asked() {
      const known = ["q", "limit", "offset", "sort", "interpret", ...ofCompanies ? [] : ["currency"], ...filters];
      return new URLSearchParams([...new URLSearchParams(location.search)].filter(([name, value]) => value !== "" && known.includes(name) && !(within && name === "category")));
    }
    async function load() {
      shown = location.search;
      const parameters = asked(), mine = ++turn, sent = new URLSearchParams(parameters);
      const query = form.elements.q.value = parameters.get("q") || "";
      if (within) {
        sent.set("category", within);
      } else {
        for (const one of document.querySelectorAll(".find input")) one.value = query;
        document.title = (query.trim() === "" ? "" : query.trim() + " · ") + texts.title;
      }
      if (!sent.has("limit")) sent.set("limit", 24);
      results.setAttribute("aria-busy", "true");
      try {
        const answer = await fetch(api + "/" + of + "/search?" + sent);
        const found = (answer.ok || answer.status === 400) && await answer.json();
        if (mine !== turn) return;
        if (answer.ok) {
          show(found, parameters);
        } else {
          if (answer.status === 400) refuse(texts.bad, faulty(found.errors || []), plainly(parameters));
          else refuse(answer.status === 404 ? texts.off : texts.away);
          if (answer.status === 400) browse(mine);
        }
      } catch (unreachable) {
        if (mine === turn) refuse(texts.away);
      }
      if (mine === turn) results.removeAttribute("aria-busy");
    }
    function go(address) {
      if (address !== location.pathname + location.search) history.pushState(null, "", address);
      return load();
    }
    form.addEventListener("change", () => {
      go(location.pathname + "?" + told());
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    if (!within) field.form.addEventListener("submit", (event) => {
      event.preventDefault();
      go(location.pathname + "?" + new URLSearchParams({ q: field.value }));
    });
    results.addEventListener("click", async (event) => {
      const link = event.target.closest(".pager a, .chosen a");
      if (!link || !plain(event)) return;
      event.preventDefault();
      await go(link.pathname + link.search);
      scrollTo(0, 0);
      count.focus({ preventScroll: true });
    });
    // A change of only the fragment needs no new search.
    addEventListener("popstate", () => { if (location.search !== shown) load(); });
    for (const button of form.querySelectorAll(".apply")) button.hidden = true;
    if (within ? String(asked()) !== "" : !("filled" in texts)) load();
    return go;
  }
  const plain = (event) => event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

  // The filters of a category link to the search page. When one is used, load the texts of
  // that page, and let the category's page work like it.
  function category(page) {
    const form = page.querySelector(".filters");
    let begun;
    async function begin() {
      const answer = await fetch(path + "search");
      const empty = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-search]");
      Object.assign(page.dataset, empty.dataset);
      form.elements.category.remove();
      page.querySelector(".results").before(element("p", { class: "meta count", role: "status", tabindex: "-1" }));
      return search(page);
    }
    page.addEventListener("click", async (event) => {
      const link = event.target.closest("a");
      if (!link || link.pathname !== path + "search" || !plain(event)) return;
      event.preventDefault();
      const asked = new URLSearchParams(link.search);
      asked.delete("category");
      try {
        const go = await (begun ||= begin());
        go(location.pathname + "?" + asked);
      } catch (unreachable) {
        location.assign(link.href);
      }
    });
    async function use(event) {
      event.preventDefault();
      if (begun) return;
      try {
        await (begun = begin());
        form.dispatchEvent(new Event("change"));
      } catch (unreachable) {
        form.submit();
      }
    }
    form.addEventListener("change", use);
    form.addEventListener("submit", use);
    // The address of a narrowed category contains its filters.
    if (location.search) begun = begin().catch(() => { begun = undefined; });
  }

  // The listings to compare, as References, stored only in this browser.
  const basket = {
    key: "souk.compare " + path, most: 8, now: [],
    read() {
      try { this.now = JSON.parse(localStorage.getItem(this.key) || "[]").filter((ref) => reference.test(ref)).slice(0, this.most); } catch (barred) { /* It lasts as long as the page. */ }
      return this.now;
    },
    write(refs) {
      this.now = refs;
      try { localStorage.setItem(this.key, JSON.stringify(refs)); } catch (barred) { /* As above. */ }
      showBasket();
    },
  };
  const reference = /^(product|service):([a-z0-9-]+)\/([a-z0-9-]+)$/;
  const compareWord = document.body.dataset.compare, compareAt = path + "compare";
  const comparisonOf = (refs) => compareAt + "?" + new URLSearchParams(refs.map((ref) => ["ref", ref]));
  // refOf returns the Reference of a product or service from the address of its
  // page.
  function refOf(address) {
    const m = address.startsWith(path) && /^companies\/([^/]+)\/(product|service)s\/([^/]+)$/.exec(address.slice(path.length));
    return m ? m[2] + ":" + m[1] + "/" + m[3] : "";
  }
  function compareButton(ref, name) {
    const button = element("button", { type: "button", class: "compare", "data-ref": ref }, compareWord, element("span", { class: "away" }, " " + name));
    button.addEventListener("click", () => {
      const refs = basket.read();
      if (refs.includes(ref)) basket.write(refs.filter((one) => one !== ref));
      else if (refs.length < basket.most) basket.write([...refs, ref]);
    });
    return button;
  }
  function offerComparison(within) {
    for (const link of within.querySelectorAll(".card h3 a")) {
      const ref = refOf(link.pathname), card = link.closest(".card");
      if (!ref || card.querySelector(".compare")) continue;
      const foot = card.lastElementChild, button = compareButton(ref, link.textContent);
      if (foot.matches(".meta:not(.facts)")) foot.before(button);
      else card.append(button);
    }
    showBasket();
  }
  function showBasket() {
    const refs = basket.read(), full = refs.length >= basket.most, bar = document.querySelector(".basket");
    for (const button of document.querySelectorAll("button.compare")) {
      const chosen = refs.includes(button.dataset.ref);
      button.setAttribute("aria-pressed", chosen);
      button.disabled = full && !chosen;
      button.title = button.disabled ? document.body.dataset.full : "";
    }
    const focused = bar && bar.contains(document.activeElement);
    if (bar) bar.remove();
    if (refs.length === 0 || document.querySelector("[data-comparison]")) return;
    const link = element("a", { class: "button", href: comparisonOf(refs) }, compareWord + " (" + number.format(refs.length) + ")");
    const clear = element("button", { type: "button" }, document.body.dataset.clear);
    clear.addEventListener("click", () => basket.write([]));
    document.body.append(element("div", { class: "basket", role: "region", "aria-label": compareWord }, link, clear));
    if (focused) link.focus();
  }

  // The comparison page. It shows the basket if its address names no listings, and builds
  // the table if no server has.
  function comparison(page) {
    const texts = page.dataset, refs = [...new Set(new URLSearchParams(location.search).getAll("ref"))];
    for (const link of page.querySelectorAll("a.out")) takeOut(link);
    if (refs.length === 0 && basket.read().length > 0) location.replace(comparisonOf(basket.now));
    else if (texts.choose && (refs.length < 2 || refs.length > basket.most || !refs.every((ref) => reference.test(ref)))) page.append(element("div", { class: "nothing" }, element("p", {}, texts.choose)));
    else if (texts.choose) document.addEventListener("DOMContentLoaded", () => fill(page, texts, refs));
  }
  // takeOut makes the link that removes a column also remove the listing from the
  // basket.
  function takeOut(link) {
    link.addEventListener("click", () => basket.write(basket.read().filter((ref) => ref !== link.dataset.ref)));
  }
  async function fill(page, texts, refs) {
    const offers = [], known = new Set();
    try {
      const answers = await Promise.all(refs.map(async (ref) => {
        const [, kind, companySlug, slug] = reference.exec(ref);
        const answer = await fetch(api + "/companies/" + companySlug + "/" + kind + "s/" + slug);
        if (!answer.ok && answer.status !== 404 && answer.status !== 410) throw answer.status;
        return [ref, answer, answer.ok && compareListings.parse(await answer.text())];
      }));
      for (const [ref, answer, offer] of answers) {
        if (!offer) page.append(element("p", { class: "direct" }, (answer.status === 410 ? texts.removed : texts.unknown).replace("{name}", () => ref)));
        else if (!known.has(offer.apiUrl)) offers.push(offer);
        if (offer) known.add(offer.apiUrl);
      }
    } catch (unreachable) {
      page.append(element("div", { class: "nothing", role: "alert" }, element("p", {}, texts.away)));
      return;
    }
    const all = offers.map((offer) => offer.kind + ":" + offer.companySlug + "/" + offer.slug);
    // Like value in build/site/table.go.
    const said = (cell, field) => cell.values ? cell.values.join(", ") : typeof cell.value === "boolean" ? texts[cell.value ? "yes" : "no"] : cell.number === undefined ? field && texts[cell.value] || cell.value
      : decimal(cell.number, cell.number.length !== 4 || /[.e]/i.test(cell.number)) + (cell.unit ? "\u00a0" + cell.unit : "");
    const shown = (cell, field) => !cell ? [element("span", { class: "meta" }, texts.none)] : cell.currency ? [price(cell, texts)]
      : [said(cell, field), cell.original && " ", cell.original && element("small", {}, "(" + said(cell.original) + ")")];
    const head = offers.map((offer, i) => {
      const picture = offer.media.find((one) => one.bytes > 0);
      const out = element("a", { class: "out", href: comparisonOf(all.filter((ref) => ref !== all[i])), "data-ref": all[i] }, texts.out, element("span", { class: "away" }, " " + offer.name));
      takeOut(out);
      return element("th", { scope: "col" }, picture && element("img", { src: here((picture.variants || [picture])[0].url), alt: "", width: 112, height: 56 }),
        element("a", { href: here(offer.url) }, offer.name), " ", element("small", {}, offer.seller.name), " ", out);
    });
    const rows = compareListings.compare(offers).map((row) => element("tr", { class: row.differs && "differs" },
      element("th", { scope: "row" }, row.name || texts[row.field], row.unit && " (" + row.unit + ")", row.differs && " ",
        row.differs && element("span", { class: "kind" }, "≠", element("span", { class: "away" }, " " + texts.differs))),
      ...row.cells.map((cell) => element("td", {}, ...shown(cell, row.field)))));
    if (offers.length > 0) page.append(element("label", { class: "only" }, element("input", { type: "checkbox" }), " " + texts.only),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": document.title }, element("table", {}, element("thead", {}, element("tr", {}, element("td"), ...head)), element("tbody", {}, ...rows))));
  }

  // The forms that start a claim or a removal. The page contains a text for each
  // answer.
  function request(form) {
    const outcome = document.getElementById("outcome"), button = form.querySelector("button"), { requesterName, requesterEmail } = form.elements;
    let key = ""; // the idempotency key, so that sending the form again starts nothing new
    function tell(which, wrong = []) {
      outcome.replaceChildren(...which ? [element("p", { "data-outcome": which }, form.dataset[which])] : []);
      for (const field of [requesterName, requesterEmail]) {
        if (wrong.includes(field.name)) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
      }
      if (which) outcome.focus();
    }
    const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    function outcomeOf(status, code) {
      switch (status) {
        case 202: return "sent";
        case 410: return "gone";
        case 404: case 405: return "off"; // this host accepts no requests
        case 403: return "closed";
        case 422: return code === "email-domain-mismatch" ? "domain" : code === "no-official-domain" ? "closed" : "invalid";
        case 429: return "later";
        default: return "away";
      }
    }
    form.addEventListener("input", () => { key = ""; button.disabled = false; });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      tell("");
      key = key || fresh();
      let result = "away", wrong = [];
      try {
        const answer = await fetch(form.dataset.api, {
          method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": key },
          body: JSON.stringify({ requesterName: requesterName.value, requesterEmail: requesterEmail.value }),
        });
        const said = await answer.json();
        result = outcomeOf(answer.status, said.code);
        wrong = result === "domain" ? ["requesterEmail"] : (said.errors || []).map((one) => one.field);
        // A host that answers every address with a page is not the API.
        if (((result === "gone" || result === "off") && said.code === undefined) || (result === "sent" && said.status !== "pending")) result = "away";
        if (answer.status < 500) key = "";
      } catch (unreachable) {
        // Keep the key, so that sending the form again repeats the same request.
      }
      // The form can be sent again only after it is edited.
      button.disabled = result === "sent";
      tell(result, wrong);
    });
  }

  // A picture of a map loads when it is visible or a segment is chosen, since it may have a
  // thousand logos.
  function picture(chart) {
    const object = chart.querySelector("object"), show = () => chart.classList.add("seen");
    new IntersectionObserver((seen, all) => { if (seen.some((one) => one.isIntersecting)) { show(); all.disconnect(); } }, { threshold: .2 }).observe(object.parentElement);
    chart.addEventListener("click", (event) => {
      const link = event.target.closest("a[target]");
      if (!link || chart.matches(".seen")) return;
      event.preventDefault();
      object.data = link.href;
      show();
    });
  }

  // "/" focuses the search field, as on many sites, except while somebody is
  // typing.
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.target.closest("input, textarea, select, [contenteditable]")) return;
    const field = document.querySelector("main .find input, .head .find input");
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  document.querySelectorAll(".find input[name=q]").forEach(suggest);
  document.querySelectorAll("[data-search]").forEach(search);
  document.querySelectorAll("[data-within]:has(.filters)").forEach(category);
  document.querySelectorAll("form.request").forEach(request);
  document.querySelectorAll("div.chart").forEach(picture);
  document.querySelectorAll("[data-comparison]").forEach(comparison);
  const offered = document.querySelector(".page-product .titled > div, .page-service .titled > div");
  if (offered) offered.append(compareButton(refOf(location.pathname), offered.querySelector("h1").textContent));
  offerComparison(document);
  addEventListener("storage", showBasket);
})();
