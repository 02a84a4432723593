// A marketplace of Souk on Cloudflare Workers, as `souk hosts cloudflare` wrote it.
// It does not change with releases: what was removed has a stub among the
// assets.

const program = "";
const dynamicPath = /^(?!)/;
const documentPath = /^(?:\/api\/v1(?:\/[a-z0-9-]+)+)$/;
const namedPath = /^(?:\/api\/v1\/(?:snapshot\/manifest\.jsonl\.gz|snapshot\/[A-Za-z0-9_-]+\/[A-Za-z0-9_-]+\.jsonl\.gz|release\.json|openapi\.json|openapi\/[A-Za-z0-9_-]+\.json))$/;
const filePath = /^(?:\/(?:\.well-known\/)?(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*)?)$/;
const hidden = /^(?:\/api(?:\/[^? ]*)?|\/errors\/[^? ]+|[^? ]*(?:\.html\/?|\.gone(?:\.[^? ]*|\/?)|\/index\/?|\.(?:atom|css|html|js|json|svg|txt|xml)\.(?:gz|br)))$/;
const linkedPath = /^\/verify\/(claim|removal)/;
const api = /^(?:\/api(?:\/[^? ]*)?)$/;

const every = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Retry-After, WWW-Authenticate", "X-Content-Type-Options": "nosniff" };
const reading = "GET, HEAD, OPTIONS";
const preflight = { "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS", "Access-Control-Allow-Headers": "content-type, authorization, idempotency-key", "Access-Control-Max-Age": "600" };
const lifetimes = [
  [/^\/api\/v1\/health(?:\.json)?$/, "no-store"],
  [/^\/api\/v1\/release(?:\.json)?$/, "public, max-age=10"],
  [/^\/api\/v1\/openapi(?:\.json)?$/, "public, max-age=300"],
  [/^\/llms\.txt$/, "public, max-age=300"],
  [/^\/\.well-known\/api-catalog$/, "public, max-age=300"],
  [/^\/\.well-known\/ai-catalog\.json$/, "public, max-age=300"],
  [/^\/\.well-known\/ard\.json$/, "public, max-age=300"],
  [/^\/\.well-known\/mcp\/server-card\.json$/, "public, max-age=300"],
  [/^\/robots\.txt$/, "public, max-age=300"],
  [/^\/sitemap\.xml$/, "public, max-age=300"],
  [/^\/favicon\.svg$/, "public, max-age=300"],
  [/^\/feed\.atom$/, "public, max-age=300"],
  [/^\/feed\.json$/, "public, max-age=300"],
  [/^\/media\//, "public, max-age=3600"],
  [/^\/assets\//, "public, max-age=300"],
  [/^\/sitemaps\//, "public, max-age=300"],
  [/^\/verify\//, "no-store"],
];
const special = [
  [/^\/.*\.html$/, "Content-Security-Policy", "frame-ancestors 'none'"],
  [/^\/media\//, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; form-action 'none'"],
  [/^\/verify\//, "Content-Security-Policy", "frame-ancestors 'none'"],
  [/^\/embed\/.*\.html$/, "Content-Security-Policy", "frame-ancestors *"],
  [/^\/.*\.html$/, "Referrer-Policy", "strict-origin-when-cross-origin"],
  [/^\/verify\//, "Referrer-Policy", "no-referrer"],
  [/^\/embed\/.*\.html$/, "Referrer-Policy", "strict-origin-when-cross-origin"],
  [/^\/+index\.html$/, "Link", "</.well-known/api-catalog>; rel=\"api-catalog\"; type=\"application/linkset+json\", </api/v1/openapi.json>; rel=\"service-desc\"; type=\"application/json\", </llms.txt>; rel=\"service-doc\"; type=\"text/plain\", </.well-known/ai-catalog.json>; rel=\"service-meta\"; type=\"application/ai-catalog+json\", </.well-known/ai-catalog.json>; rel=\"ai-catalog\"; type=\"application/ai-catalog+json\", </.well-known/ard.json>; rel=\"ard\"; type=\"application/ai-catalog+json\""],
  [/^\/api\/v1\/marketplace(?:\.json)?$/, "Link", "</.well-known/api-catalog>; rel=\"api-catalog\"; type=\"application/linkset+json\", </api/v1/openapi.json>; rel=\"service-desc\"; type=\"application/json\", </llms.txt>; rel=\"service-doc\"; type=\"text/plain\", </.well-known/ai-catalog.json>; rel=\"service-meta\"; type=\"application/ai-catalog+json\", </.well-known/ai-catalog.json>; rel=\"ai-catalog\"; type=\"application/ai-catalog+json\", </.well-known/ard.json>; rel=\"ard\"; type=\"application/ai-catalog+json\""],
];
const types = {
  "atom": "application/atom+xml",
  "gz": "application/gzip",
  "json": "application/json",
  "webmanifest": "application/manifest+json",
  "pdf": "application/pdf",
  "xml": "application/xml",
  "zip": "application/zip",
  "woff": "font/woff",
  "woff2": "font/woff2",
  "avif": "image/avif",
  "gif": "image/gif",
  "jpeg": "image/jpeg",
  "jpg": "image/jpeg",
  "png": "image/png",
  "svg": "image/svg+xml",
  "ico": "image/vnd.microsoft.icon",
  "webp": "image/webp",
  "css": "text/css; charset=utf-8",
  "csv": "text/csv; charset=utf-8",
  "html": "text/html; charset=utf-8",
  "js": "text/javascript; charset=utf-8",
  "md": "text/markdown; charset=utf-8",
  "txt": "text/plain; charset=utf-8",
  "/.well-known/api-catalog": "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"",
  "/.well-known/ai-catalog.json": "application/ai-catalog+json",
  "/.well-known/ard.json": "application/ai-catalog+json",
  "/.well-known/mcp/server-card.json": "application/mcp-server-card+json",
  "/feed.json": "application/feed+json",
};

function headers(more) {
  return Object.assign({}, every, more);
}

function problem(request, status, cache, body, more) {
  return new Response(request.method === "HEAD" ? null : body, {
    status: status,
    headers: headers(Object.assign({ "Content-Type": "application/problem+json", "Cache-Control": cache }, more)),
  });
}

// page answers with a page of the release, or else with a problem.
async function page(request, env, file, status, cache, body, more) {
  const found = api.test(new URL(request.url).pathname) ? null : await asset(request, env, file, false);
  if (!found || found.status !== 200) return problem(request, status, cache, body, more);
  return new Response(request.method === "HEAD" ? null : found.body, {
    status: status,
    headers: headers(Object.assign({ "Content-Security-Policy": "frame-ancestors 'none'", "Referrer-Policy": "strict-origin-when-cross-origin" }, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": cache }, more)),
  });
}

function missing(request, env) {
  return page(request, env, "/errors/404.html", 404, "public, max-age=30", "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"There is nothing at this address. /api/v1/openapi.json lists the addresses.\",\"code\":\"not-found\"}\n");
}

// asset fetches a file, for a request or by itself.
function asset(request, env, file, conditional) {
  const asked = {};
  for (const name of conditional ? ["If-None-Match", "Accept-Encoding"] : []) {
    const value = request.headers.get(name);
    if (value) asked[name] = value;
  }
  return env.ASSETS.fetch(new Request(new URL(file, request.url), { headers: asked }));
}

// described adds the headers of a document.
function described(request, file, found) {
  const kept = {};
  for (const name of ["ETag", "Content-Encoding"]) {
    const value = found.headers.get(name);
    if (value) kept[name] = value;
  }
  let lifetime = "public, max-age=120";
  for (const [pattern, value] of lifetimes) {
    if (pattern.test(file)) lifetime = value;
  }
  for (const [pattern, name, value] of special) {
    if (pattern.test(file)) kept[name] = value;
  }
  kept["Cache-Control"] = lifetime;
  kept["Vary"] = "Accept-Encoding";
  if (found.status === 200) {
    kept["Content-Type"] = types[file] || types[file.slice(file.lastIndexOf(".") + 1)] || "application/octet-stream";
  }
  return new Response(found.status === 304 || request.method === "HEAD" ? null : found.body, { status: found.status, headers: headers(kept) });
}

async function answer(request, env) {
  const url = new URL(request.url);
  const path = url.pathname;
  if (program && dynamicPath.test(path)) {
    try {
      return await fetch(new Request(program + path + url.search, request));
    } catch (away) {
      const file = { "/search": "/search.html", "/companies/search": "/companies/search.html", "/compare": "/compare.html", }[path];
      const more = { "Retry-After": "2" };
      if (!file) return problem(request, 503, "no-store", "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\"detail\":\"The service is not available right now. Try again in a moment.\",\"code\":\"unavailable\"}\n", more);
      return page(request, env, file, 503, "no-store", "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\"detail\":\"The service is not available right now. Try again in a moment.\",\"code\":\"unavailable\"}\n", more);
    }
  }
  const isDocument = documentPath.test(path);
  const isFile = namedPath.test(path) || (filePath.test(path) && !hidden.test(path));
  // The links of mails, whatever a mail gateway has made of what follows the page's name.
  const linked = hidden.test(path) ? null : linkedPath.exec(path);
  // A browser may ask what it may send to any address, also where nothing is any more.
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: headers(Object.assign({ Allow: reading }, preflight)) });
  if (!isDocument && !isFile && !linked) return missing(request, env);
  const bare = path.replace(/\/$/, "");
  // A page stands beside the folder of the same name: companies.html, companies/.
  const candidates = isDocument ? [path + ".json"] : linked ? ["/verify/" + linked[1] + "/index.html"] : [path + ".html", path, bare + "/index.html"];
  for (const file of candidates) {
    if (file.endsWith("/") || file.endsWith("/.html")) continue;
    const found = await asset(request, env, file, true);
    if (found.status !== 200 && found.status !== 304) continue;
    if (request.method !== "GET" && request.method !== "HEAD") return problem(request, 405, "no-store", "{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405,\"detail\":\"The address takes only GET, HEAD, OPTIONS.\",\"code\":\"method-not-allowed\"}\n", { Allow: reading });
    return described(request, file, found);
  }
  const stub = await asset(request, env, path + (isDocument ? ".gone.json" : ".gone.html"), false);
  if (stub.status === 200) {
    const body = await stub.text();
    if (isDocument) return problem(request, 410, "public, max-age=30", body);
    return page(request, env, path + ".gone.html", 410, "public, max-age=30", body);
  }
  // A slash behind a page leads to the page.
  if (isFile && bare && bare !== path) {
    for (const file of [bare + ".html", bare + ".gone.html"]) {
      if ((await asset(request, env, file, false)).status !== 200) continue;
      return new Response(null, { status: 308, headers: headers({ Location: bare + url.search, "Cache-Control": "public, max-age=30" }) });
    }
  }
  return missing(request, env);
}

export default { fetch: answer };
