
(() => {
  "use strict";

  const kind = document.body.dataset.kind;
  const api = document.body.dataset.api;
  const form = document.getElementById("form");
  const coded = document.getElementById("coded");
  const code = document.getElementById("code");
  const domain = document.getElementById("domain");
  const note = document.getElementById("note");
  const access = document.getElementById("access"); // on the claim's page alone
  const button = document.getElementById("confirm");
  const outcome = document.getElementById("outcome");
  const intro = document.getElementById("intro");
  const unnamed = document.getElementById("unnamed");
  const named = document.getElementById("named");
  const label = button.textContent;
  const longestWait = 60000;
  // The codes after which the link is good for nothing any more.
  const settled = ["verification-not-found", "verification-used", "verification-expired", "removed", "email-domain-mismatch", "no-official-domain"];

  // Another link may be opened in this tab: only the fragment differs then, and
  // the browser does not load the page anew by itself.
  addEventListener("hashchange", () => location.reload());

  let busy = false;
  let company = null; // its name, once it is known

  // typed is the domain's text as far as a person made it. A change by script
  // leaves it behind, and the two differ from then on until the field is empty.
  let typed = "";
  let announced = false;

  domain.addEventListener("beforeinput", (event) => {
    announced = event.isTrusted && domain.value === typed;
  });

  domain.addEventListener("input", (event) => {
    // A key or the clipboard announces its change by beforeinput; what a script
    // makes the browser do (execCommand) does not. An assistive technology that
    // sets the whole value sends an event without inputType, which no script
    // can make.
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
      return; // nobody was asked, so nobody typed
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

  // domainOf returns the domain that a text spells, in lower-case ASCII, or "".
  // It may come with what people copy out of an address bar: https:// before it,
  // a path after it. The server compares, and takes www. off.
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

  // say shows one of the notes that the page holds, or none.
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
  // does nothing but say so: the button has to be pressed on purpose. Leading on
  // to the button would press it, if the key is held a moment too long.
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing && event.target !== button) {
      event.preventDefault();
      say(button.disabled ? "incomplete" : "press");
    }
  });

  button.addEventListener("click", (event) => {
    // A press by a hand, a key or an assistive technology is trusted; one by
    // script is not.
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

  // check asks whose link this is, which changes nothing and uses nothing up. An
  // answer that settles the matter is shown at once; whatever else happens, the
  // form is there as if nobody had asked.
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

  // post returns the answer of a call; response is null where there was none.
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
      // A host that answers every address with some page of its own also says
      // 200: what was done counts only where the API says that it was.
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

  // otherDomain tells whether the typed domain is not that of the company.
  function otherDomain(answer) {
    return Array.isArray(answer.errors) && answer.errors.some((fault) => fault && fault.field === "officialDomain");
  }

  function text(value) {
    return typeof value === "string" && value !== "" ? value : null;
  }

  // waitOf says in words of the page's language when to try again, or returns
  // null. Retry-After is a number of seconds or a date.
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

  // introduce names the company whose link it is, or nobody.
  function introduce(name) {
    company = name;
    fill(named, { company });
    named.hidden = company === null;
    unnamed.hidden = company !== null;
  }

  // fill puts words into the places that wait for them.
  function fill(element, slots) {
    for (const slot of element.querySelectorAll("[data-slot]")) {
      slot.textContent = slots[slot.dataset.slot] || slot.textContent;
    }
  }

  // show tells an outcome: its words are in the page, as a template.
  function show(name, slots) {
    const source = document.getElementById(name);
    const words = source.content.cloneNode(true);
    fill(words, slots);
    const again = "again" in source.dataset;
    form.hidden = !again;
    intro.hidden = !again; // what it says of before and after is no longer so
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
