// A small client of a Souk marketplace, for browsers and Node: no dependency.

// A Refusal is an error response; code is the code of its problem.
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail || "The answer was " + status + ".");
    this.status = status;
    this.code = problem.code || "";
    this.retryAfter = 0;
  }
}

// get reads one document. Caches and ETags are the work of fetch itself.
export async function get(address, signal) {
  const answer = await fetch(address, { signal });
  if (answer.ok) return answer.json();
  const refusal = new Refusal(answer.status, await answer.json().catch(() => ({})));
  refusal.retryAfter = Number(answer.headers.get("Retry-After")) || 0;
  throw refusal;
}

// removed and missing report why there is nothing at an address.
export const removed = (fault) => fault instanceof Refusal && fault.status === 410;
export const missing = (fault) => fault instanceof Refusal && fault.status === 404;

// all reads a whole list by its `next`. The list may change while it is read:
// where a page has gone, it begins again. `pick` finds the list in its document.
export async function all(address, pick = (d) => d, attempts = 5) {
  for (let attempt = 1; ; attempt++) {
    const items = new Map();
    try {
      for (let page = pick(await get(address)); page; page = page.next && (await get(page.next))) {
        for (const item of page.items) items.set(item.apiUrl, item);
      }
      return [...items.values()];
    } catch (fault) {
      if (!missing(fault) || items.size === 0 || attempt === attempts) throw fault;
    }
  }
}

// srcset lists a picture and its smaller copies for the attribute of that name.
export const srcset = (picture) =>
  [...(picture.variants ?? []), picture].map((one) => `${one.url} ${one.width}w`).join(", ");

// search returns the address of a search. A value may be a list.
export function search(api, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) if (one !== "") query.append(name, one);
  }
  return api + "/marketplace/listings/search?" + query;
}

// suggest returns the address of the suggestions for a text that is being typed.
export const suggest = (api, text) =>
  api + "/marketplace/search/suggestions?" + new URLSearchParams({ q: text, limit: 8 });

// marks cuts a name into [text, whether it was typed]. The ranges of highlight
// count characters (code points), not UTF-16 units.
export function marks(name, highlight) {
  const characters = Array.from(name);
  const parts = [];
  let at = 0;
  for (const [from, to] of highlight) {
    parts.push([characters.slice(at, from).join(""), false], [characters.slice(from, to).join(""), true]);
    at = to;
  }
  parts.push([characters.slice(at).join(""), false]);
  return parts.filter(([text]) => text !== "");
}
