/**
 * The service worker of a published page: keeps all files of one version, so that the page works without
 * a network and is never half old and half new. `nestline site` writes the first line of this file.
 *
 * Every file is checked against its checksum. If one is not as this version has it, installing fails, and
 * the version before stays. A new version takes over when all tabs are closed, or when somebody agrees.
 */

/** @type {{version: string, page: string, files: Record<string, string>, tables: Record<string, string>}} */
const { version, page, files, tables } = SITE;
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { scope } = worker.registration;
const OURS = `nestline ${scope} `;
const PAGE = `${OURS}page ${version}`;
const TABLES = `${OURS}tables`;

/** @param {string} name */
const at = (name) => new URL(name, scope).href;
const fileAt = new Map(Object.entries(files).map(([name, checksum]) => [at(name), checksum]));
const tableAt = new Map(Object.entries(tables).map(([name, checksum]) => [at(name), checksum]));

worker.addEventListener("install", (event) => event.waitUntil(keepPage()));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("message", (event) => {
  if (event.data === "take-over") event.waitUntil(worker.skipWaiting());
  if (event.data === "keep-tables") event.waitUntil(keepTables());
});
worker.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const address = url.replace(/[?#].*/, "");
  if (method !== "GET" || !address.startsWith(scope)) return;
  if (mode === "navigate" && !/\.\w+$/.test(address.slice(scope.length))) event.respondWith(pageFor(event.request));
  else if (fileAt.has(address)) event.respondWith(kept(address));
  else if (tableAt.has(address)) event.respondWith(table(event.request, address));
});

/** A file as the checksum says it is, from the network. @param {string} url @param {string} integrity */
async function checked(url, integrity) {
  const response = await fetch(url, { integrity, cache: "no-cache" });
  if (!response.ok) throw new Error(`${url}: the answer was ${response.status}`);
  return response;
}

/** @param {string} name @param {Map<string, string>} wanted */
async function keep(name, wanted) {
  const cache = await caches.open(name);
  const keepOne = async (/** @type {[string, string]} */ [url, checksum]) => {
    if (!(await cache.match(url))) await cache.put(url, await checked(url, checksum));
  };
  await Promise.all([...wanted].map(keepOne));
}

async function keepPage() {
  try {
    await keep(PAGE, fileAt);
  } catch (error) {
    // A part of a version is of no use, and games need the room where there is little.
    await caches.delete(PAGE);
    throw error;
  }
}

/** What is missing is tried again at the next visit; without it the network answers. */
async function keepTables() {
  await keep(TABLES, tableAt).catch(() => null);
}

/** Forget earlier versions, and serve the tabs that are open. */
async function begin() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== PAGE && name !== TABLES) await caches.delete(name);
  }
  const cache = await caches.open(TABLES);
  for (const request of await cache.keys()) if (!tableAt.has(request.url)) await cache.delete(request);
  await worker.clients.claim();
}

/**
 * The page of this version. Where a browser has thrown it away, and the host has another version by now, that one is
 * loaded as if there were no service worker: its files have other addresses.
 *
 * @param {Request} request
 */
function pageFor(request) {
  return kept(at(page)).catch(() => fetch(request));
}

/** What is in a cache; nothing where the browser does not open it. @param {string} name @param {string} address */
function found(name, address) {
  return caches.match(address, { cacheName: name }).catch(() => undefined);
}

/** A file of this version; a browser may have thrown it away. @param {string} address */
async function kept(address) {
  const response = (await found(PAGE, address)) ?? (await checked(address, fileAt.get(address) ?? ""));
  // Isolated from other origins, as few hosts have it, the engine may use several threads.
  const headers = new Headers(response.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  return new Response(response.body, { status: response.status, headers });
}

/**
 * The whole table if it is here, whatever part is wanted: reading it once is faster than hundreds of parts.
 *
 * @param {Request} request @param {string} address
 */
async function table(request, address) {
  return (await found(TABLES, address)) ?? fetch(request);
}
