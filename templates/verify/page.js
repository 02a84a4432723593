
(() => {
  "use strict";

  const kind = document.body.dataset.kind;
  const api = document.body.dataset.api;
  const form = document.getElementById("form");
  const coded = document.getElementById("coded");
  const code = document.getElementById("code");
  const domain = document.getElementById("domain");
  const note = document.getElementById("note");
  const access = document.getElementById("access"); // only on the claim page
  const button = document.getElementById("confirm");
  const outcome = document.getElementById("outcome");
  const intro = document.getElementById("intro");
  const unnamed = document.getElementById("unnamed");
  const named = document.getElementById("named");
  const label = button.textContent;
  const longestWait = 60000;
  // The codes after which the link can no longer be used.
  const settled = ["verification-not-found", "verification-used", "verification-expired", "removed", "email-domain-mismatch", "no-official-domain"];

  // If another link is opened in this tab, only the fragment changes, and the
  // browser does not reload the page by itself.
  addEventListener("hashchange", () => location.reload());

  let busy = false;
  let company = null; // the company's name, once it is known

  // typed is the text of the domain field as a person entered it. After a change by
  // script the two differ until the field is empty.
  let typed = "";
  let announced = false;

  domain.addEventListener("beforeinput", (event) => {
    announced = event.isTrusted && domain.value === typed;
  });

  domain.addEventListener("input", (event) => {
    // Changes by the keyboard or clipboard are preceded by beforeinput; those by a
    // script (execCommand) are not. An assistive technology that sets the whole
    // value sends a trusted event without inputType, which no script can create.
    const person = event.isTrusted && (announced || event.inputType === undefined);
    announced = false;
    if (person || domain.value === "") {
      typed = domain.value;
    }
    say("");
    update();
  });

  domain.addEventListener("change", () => {
    if (domain.value.trim() !== "" && !ready(domainOf(typed))) {
      say("mistyped");
    }
    update();
  });

  code.addEventListener("input", () => {
    if (coded.hidden) {
      return; // the form is hidden, so nobody typed this
    }
    say("");
    introduce(null);
    secret = readLink(code.value);
    if (secret !== null) {
      outcome.hidden = true;
      check();
    }
    update();
  });

  code.addEventListener("change", () => {
    if (code.value.trim() !== "" && secret === null) {
      say("unread");
    }
  });

  if (access) {
    access.addEventListener("input", () => {
      say("");
      update();
    });
    access.addEventListener("change", update);
  }

  // domainOf returns the domain in a text in lower-case ASCII, or "". It also
  // accepts what people copy from an address bar: https:// before the domain and a
  // path after it. The server removes www. and compares.
  function domainOf(text) {
    const name = text.trim().replace(/^https?:\/\//i, "").replace(/[/?#].*$/, "").replace(/\.$/, "");
    if (name === "" || /[\s\\@:%[\]]/.test(name)) {
      return "";
    }
    let host;
    try {
      host = new URL("https://" + name).hostname;
    } catch {
      return "";
    }
    const labels = host.split(".");
    const last = labels[labels.length - 1];
    const proper = labels.every((part) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(part));
    return proper && labels.length > 1 && /^([a-z]{2,}|xn--.+)$/.test(last) ? host : "";
  }

  function ready(host) {
    return host !== "" && domain.value === typed;
  }

  // say shows one of the page's notes, or none.
  function say(what) {
    note.textContent = what === "" ? "" : note.dataset[what];
  }

  function complete() {
    return secret !== null && !busy && ready(domainOf(typed));
  }

  function update() {
    button.disabled = !complete() || access?.value.trim() === "";
  }

  // The form has no submit button and sends nothing by itself. Enter in a field
  // only tells people to press the button. Moving the focus to the button would
  // press it if the key is held down a moment too long.
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing && event.target !== button) {
      event.preventDefault();
      say(button.disabled ? "incomplete" : "press");
    }
  });

  button.addEventListener("click", (event) => {
    // Presses by a pointer, a key or an assistive technology are trusted; those by
    // a script are not.
    if (event.isTrusted && !button.disabled && complete()) {
      confirm();
    }
  });

  async function confirm() {
    working(true);
    const { response, answer } = await post("verify", { token: secret.token, officialDomain: domainOf(typed) });
    working(false);
    show(response === null ? "unclear" : outcomeOf(response.status, answer), {
      company: text(answer.company && answer.company.name) || company,
      workspace: text(answer.workspaceId),
      wait: waitOf(response),
    });
  }

  // check asks the API for the link's company, which changes nothing and does not
  // use up the token. If the answer says that the link can no longer be used, it is
  // shown immediately; otherwise the form stays as it is.
  async function check() {
    const asked = secret;
    const { response, answer } = await post("check", { token: asked.token });
    if (response === null || secret !== asked) {
      return;
    }
    if (response.status === 200) {
      introduce(text(answer.company && answer.company.name));
    } else if (settled.includes(answer.code) && !busy && outcome.hidden) {
      show(outcomeOf(response.status, answer), {});
    }
  }

  // post returns the answer to a call; response is null if there was none.
  async function post(call, body) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), longestWait);
    let response = null;
    let answer = null;
    try {
      response = await fetch(address(call), request(call, body, abort.signal));
      answer = await response.json();
    } catch {
      // No answer, or one that is not JSON.
    }
    clearTimeout(timer);
    return { response, answer: answer !== null && typeof answer === "object" ? answer : {} };
  }

  function address(call) {
    const calls = kind === "claim" ? "company-claims" : "company-removal-requests";
    return api + "/marketplace/" + calls + "/" + secret.id + "/" + call;
  }

  function request(call, body, signal) {
    const headers = { "Content-Type": "application/json" };
    if (call === "verify" && access !== null) {
      headers.Authorization = "Bearer " + access.value.trim();
    }
    return {
      method: "POST", headers, body: JSON.stringify(body), signal,
      credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error",
    };
  }

  function working(now) {
    busy = now;
    button.setAttribute("aria-busy", String(now));
    button.textContent = now ? button.dataset.busy : label;
    for (const field of [code, domain, access]) {
      if (field !== null) {
        field.readOnly = now;
      }
    }
    update();
  }

  function outcomeOf(status, answer) {
    const code = answer.code;
    switch (status) {
      // Some hosts answer every address with a page and 200, so only the API's own
      // status counts.
      case 200: return answer.status === (kind === "claim" ? "attached" : "removed") ? "done" : "unclear";
      case 401: case 403: return access !== null ? "unauthenticated" : "unclear";
      case 404: return "unknown";
      case 409: return code === "already-claimed" ? "claimed" : "used";
      case 410: return code === "verification-expired" ? "expired" : "removed";
      case 422: return code === "email-domain-mismatch" || code === "no-official-domain" ? "moved" : otherDomain(answer) ? "mistyped" : "refused";
      case 400: case 413: case 415: return "refused";
      case 429: return "limited";
      case 503: return "unavailable";
      default: return "unclear";
    }
  }

  // otherDomain returns whether the typed domain is not the company's.
  function otherDomain(answer) {
    return Array.isArray(answer.errors) && answer.errors.some((fault) => fault && fault.field === "officialDomain");
  }

  function text(value) {
    return typeof value === "string" && value !== "" ? value : null;
  }

  // waitOf returns when to try again, in the page's language, or null. Retry-After
  // is a number of seconds or a date.
  function waitOf(response) {
    const value = response === null ? null : response.headers.get("Retry-After");
    if (value === null) {
      return null;
    }
    const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
    if (!(seconds > 0)) {
      return null;
    }
    const words = new Intl.RelativeTimeFormat(document.documentElement.lang);
    if (seconds < 100) {
      return words.format(Math.ceil(seconds), "second");
    }
    const minutes = Math.ceil(seconds / 60);
    return minutes < 100 ? words.format(minutes, "minute") : words.format(Math.ceil(minutes / 60), "hour");
  }

  // introduce shows the name of the link's company, if it is known.
  function introduce(name) {
    company = name;
    fill(named, { company });
    named.hidden = company === null;
    unnamed.hidden = company !== null;
  }

  // fill replaces the texts of the slots in an element.
  function fill(element, slots) {
    for (const slot of element.querySelectorAll("[data-slot]")) {
      slot.textContent = slots[slot.dataset.slot] || slot.textContent;
    }
  }

  // show shows an outcome, whose text is a template in the page.
  function show(name, slots) {
    const source = document.getElementById(name);
    const words = source.content.cloneNode(true);
    fill(words, slots);
    const again = "again" in source.dataset;
    form.hidden = !again;
    intro.hidden = !again; // its text no longer applies
    outcome.dataset.tone = source.dataset.tone;
    outcome.setAttribute("role", source.dataset.tone === "good" ? "status" : "alert");
    outcome.replaceChildren(words);
    outcome.hidden = false;
    const heading = outcome.querySelector("h2");
    document.title = heading.textContent + document.title.slice(document.title.lastIndexOf(" – "));
    if (name === "unauthenticated") {
      access.value = "";
    }
    if ("code" in source.dataset) {
      secret = null;
      coded.hidden = false;
    }
    update();
    outcome.focus();
  }

  if (top !== self) {
    show("framed", {});
  } else if (secret === null) {
    show("nolink", {});
  } else {
    form.hidden = false;
    check();
  }
})();
