/**
 * Where this page is: served by a nestline server, or as static files of any host, below any path.
 *
 * All modules name the page's addresses as a nestline server has them: `/study?rules=gobblers`,
 * `/game/ID`. A static host has one folder for each view, so there the same addresses are
 * `BASE/study/?rules=gobblers` and `BASE/game/?at=ID`. `place` and `addressOf` translate.
 */

/**
 * What `nestline site` writes into the page.
 *
 * @typedef {{base: string, server: string | null, version: string, tables: Record<string, string>}} StaticSite
 */

const note = globalThis.document?.querySelector('meta[name="nestline-site"]')?.getAttribute("content");

/** How this page is published; null if a nestline server serves it. @type {StaticSite | null} */
export const published = note ? JSON.parse(note) : null;

/** Whether there is a server for games by link, custom rule sets and the API. */
export const hasServer = published === null || published.server !== null;

/** The origin of that server; nothing if it is the page's own. */
export const serverOrigin = published?.server ?? "";

/** The query that has what follows the view's name. */
const REST = "at";

/** The address of a file beside the page. @param {string} name */
export function besidePage(name) {
  return `${published?.base ?? "/"}${name}`;
}

/**
 * An address of the page as the browser has it.
 *
 * @param {string} address  like `/study?rules=gobblers`, or one elsewhere
 */
export function place(address) {
  if (!published || !address.startsWith("/")) return address;
  if (address.startsWith("/api/")) return serverOrigin + address;
  const { pathname, search, hash } = new URL(address, "page://page");
  const [view = "", ...rest] = pathname.split("/").filter(Boolean);
  const query = [rest.length ? `${REST}=${rest.join("/")}` : "", search.slice(1)].filter(Boolean).join("&");
  return `${published.base}${view && `${view}/`}${query && `?${query}`}${hash}`;
}

/**
 * The address of the page that the browser shows, as the modules name it.
 *
 * @param {string} shown  a whole URL
 * @returns {URL}
 */
export function addressOf(shown) {
  const url = new URL(shown);
  if (!published) return url;
  const inside = url.pathname.startsWith(published.base) ? url.pathname.slice(published.base.length) : url.pathname;
  const view = inside.replace(/index\.html$/, "").replace(/\/$/, "");
  const rest = url.searchParams.get(REST);
  url.searchParams.delete(REST);
  url.pathname = `/${view}${rest ? `/${rest}` : ""}`;
  return url;
}

/** Whether a URL is an address of this page. @param {URL | HTMLAnchorElement} url */
export function isHere(url) {
  return url.origin === location.origin && url.pathname.startsWith(published?.base ?? "/");
}

/** The whole link to an address of the page, for other people. @param {string} address */
export function linkTo(address) {
  return location.origin + place(address);
}

/** Where the table of a rule set is; null if this site has none. @param {string} name */
export function tableOf(name) {
  if (!published) return `/tables/${name}.table`;
  const file = published.tables[name];
  return file === undefined ? null : besidePage(file);
}
