// A marketplace of Souk on Amazon CloudFront before S3, as `souk hosts cloudfront`
// wrote it: a function of cloudfront-js-2.0 for viewer requests, for all methods,
// with a key-value store that holds removed.json. Load removed.json with each
// release, before it is published: a removal is done once both are there.
//
// The distribution also needs:
// - custom error responses: 403 and 404 to /errors/404.html with 404, kept for
//   30 seconds, also below the API, since the distribution has one for all;
// - a response headers policy with
//     Access-Control-Allow-Origin: *
//     Access-Control-Expose-Headers: ETag, Retry-After, WWW-Authenticate
//     X-Content-Type-Options: nosniff
// - Cache-Control as metadata of the objects: public, max-age=120; but
//     /api/v1/health.json: no-store
//     /api/v1/release.json: public, max-age=10
//     /api/v1/openapi.json: public, max-age=300
//     /llms.txt: public, max-age=300
//     /.well-known/api-catalog: public, max-age=300
//     /.well-known/ai-catalog.json: public, max-age=300
//     /.well-known/ard.json: public, max-age=300
//     /.well-known/mcp/server-card.json: public, max-age=300
//     /robots.txt: public, max-age=300
//     /sitemap.xml: public, max-age=300
//     /favicon.svg: public, max-age=300
//     /feed.atom: public, max-age=300
//     /feed.json: public, max-age=300
//     /media/*: public, max-age=3600
//     /assets/*: public, max-age=300
//     /sitemaps/*: public, max-age=300
//     /verify/*: no-store
// - for /* a policy with Content-Security-Policy: frame-ancestors 'none'
// - for /media/* a policy with Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; form-action 'none'
// - for /verify/* a policy with Content-Security-Policy: frame-ancestors 'none'
// - for /embed/* a policy with Content-Security-Policy: frame-ancestors *
// - for /* a policy with Referrer-Policy: strict-origin-when-cross-origin
// - for /verify/* a policy with Referrer-Policy: no-referrer
// - for /embed/* a policy with Referrer-Policy: strict-origin-when-cross-origin
// - for / a policy with Link: </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json", </api/v1/openapi.json>; rel="service-desc"; type="application/json", </llms.txt>; rel="service-doc"; type="text/plain", </.well-known/ai-catalog.json>; rel="service-meta"; type="application/ai-catalog+json", </.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json", </.well-known/ard.json>; rel="ard"; type="application/ai-catalog+json"
// - for /api/v1/marketplace a policy with Link: </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json", </api/v1/openapi.json>; rel="service-desc"; type="application/json", </llms.txt>; rel="service-doc"; type="text/plain", </.well-known/ai-catalog.json>; rel="service-meta"; type="application/ai-catalog+json", </.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json", </.well-known/ard.json>; rel="ard"; type="application/ai-catalog+json"
// - for /.well-known/api-catalog the type application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"
// - for /.well-known/ai-catalog.json the type application/ai-catalog+json
// - for /.well-known/ard.json the type application/ai-catalog+json
// - for /.well-known/mcp/server-card.json the type application/mcp-server-card+json
// - for /feed.json the type application/feed+json
// - for /api/v1/snapshot/* the type application/gzip, and no compression

import cf from 'cloudfront';
import crypto from 'crypto';

const removed = cf.kvs();
const dynamicPath = /^(?!)/;
const documentPath = /^(?:\/api\/v1(?:\/[a-z0-9-]+)+)$/;
const namedPath = /^(?:\/api\/v1\/(?:snapshot\/manifest\.jsonl\.gz|snapshot\/[A-Za-z0-9_-]+\/[A-Za-z0-9_-]+\.jsonl\.gz|release\.json|openapi\.json|openapi\/[A-Za-z0-9_-]+\.json))$/;
const filePath = /^(?:\/(?:\.well-known\/)?(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*)?)$/;
const hidden = /^(?:\/api(?:\/[^? ]*)?|\/errors\/[^? ]+|[^? ]*(?:\.html\/?|\.gone(?:\.[^? ]*|\/?)|\/index\/?|\.(?:atom|css|html|js|json|svg|txt|xml)\.(?:gz|br)))$/;
const linkedPath = /^\/verify\/(claim|removal)/;
const api = /^(?:\/api(?:\/[^? ]*)?)$/;

// page answers with the page of what was removed, which the list has in pieces.
async function page(request) {
  let body = '';
  for (let i = 0; await removed.exists('page-' + i); i++) body += await removed.get('page-' + i);
  const response = answer(request, 410, 'Gone', "public, max-age=30", body, {
    "content-security-policy": "frame-ancestors 'none'",
    "referrer-policy": "strict-origin-when-cross-origin",
  });
  response.headers['content-type'] = { value: "text/html; charset=utf-8" };
  return response;
}

function answer(request, status, title, cache, body, more) {
  const headers = {
    "access-control-allow-origin": { value: "*" },
    "access-control-expose-headers": { value: "ETag, Retry-After, WWW-Authenticate" },
    "x-content-type-options": { value: "nosniff" },
  };
  if (body) {
    headers['content-type'] = { value: "application/problem+json" };
    headers['cache-control'] = { value: cache };
  }
  for (const name in more) headers[name] = { value: more[name] };
  const response = { statusCode: status, statusDescription: title, headers: headers };
  if (body && request.method !== 'HEAD') response.body = { encoding: 'text', data: body };
  return response;
}

async function handler(event) {
  const request = event.request;
  const uri = request.uri;
  if (dynamicPath.test(uri)) return request;
  // A browser may ask what it may send to any address, also where nothing is any more.
  if (request.method === 'OPTIONS') {
    return answer(request, 204, 'No Content', '', '', {
      allow: "GET, HEAD, OPTIONS",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "content-type, authorization, idempotency-key",
      "access-control-max-age": "600",
    });
  }
  const isDocument = documentPath.test(uri);
  const isFile = namedPath.test(uri) || (filePath.test(uri) && !hidden.test(uri));
  // The links of mails, whatever a mail gateway has made of what follows the page's name.
  const linked = hidden.test(uri) ? null : linkedPath.exec(uri);
  if (!isDocument && !isFile && !linked) {
    if (api.test(uri) || (request.method !== 'GET' && request.method !== 'HEAD')) return answer(request, 404, 'Not Found', "public, max-age=30", "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"There is nothing at this address. /api/v1/openapi.json lists the addresses.\",\"code\":\"not-found\"}\n");
    // Where nothing is, the distribution has the page.
    request.uri = '/.souk/missing';
    return request;
  }
  // The list names no one: its keys are digests of addresses.
  const key = crypto.createHash('sha256').update(uri).digest('hex').slice(0, 32);
  if (await removed.exists(key)) {
    if (isFile) return await page(request);
    return answer(request, 410, 'Gone', "public, max-age=30", "{\"type\":\"about:blank\",\"title\":\"Gone\",\"status\":410,\"detail\":\"What stood at this address was removed.\",\"code\":\"removed\"}\n");
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return answer(request, 405, 'Method Not Allowed', 'no-store', "{\"type\":\"about:blank\",\"title\":\"Method Not Allowed\",\"status\":405,\"detail\":\"The address takes only GET, HEAD, OPTIONS.\",\"code\":\"method-not-allowed\"}\n", { allow: "GET, HEAD, OPTIONS" });
  }
  const named = uri.lastIndexOf('.') > uri.lastIndexOf('/') || uri.startsWith('/.well-known/');
  if (isDocument) request.uri = uri + '.json';
  else if (linked) request.uri = '/verify/' + linked[1] + '/index.html';
  else if (uri === '/') request.uri = '/index.html';
  else if (uri.endsWith('/')) return answer(request, 308, 'Permanent Redirect', '', '', { location: uri.slice(0, -1) + query(request), 'cache-control': "public, max-age=30" });
  else if (!named) request.uri = uri + '.html';
  return request;
}

// query writes the query again, which the platform has taken apart.
function query(request) {
  const all = [];
  for (const name in request.querystring) {
    const one = request.querystring[name];
    for (const each of one.multiValue || [one]) all.push(each.value ? name + '=' + each.value : name);
  }
  return all.length ? '?' + all.join('&') : '';
}
