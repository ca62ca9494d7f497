/**
 * Starts the page: finds the view for an address, and switches views without reloading the page.
 *
 * Views are modules with a function `open(content, address)`, which fills the content and returns
 * a function that leaves it, and a view that goes back and forward itself another one, `revisit`. All
 * except the start page are loaded on demand.
 */

import { loadDesignerBy, loaded, Refusal } from "./server/api.js";
import { connection } from "./server/connection.js";
import { readiness } from "./server/readiness.js";
import { announce, prepareAnnouncements } from "./shared/announce.js";
import { make, mark, say } from "./shared/dom.js";
import { applyPreferences } from "./shared/settings.js";
import { addressOf, isHere, place, published } from "./site/site.js";
import * as start from "./start/view.js";

/**
 * @import { Visit } from "./shared/navigate.js"
 * @typedef {{open: (content: HTMLElement, visit: Visit) => Promise<Opened | (() => void) | void>}} View
 *
 * `revisit` shows another address of the same view, and returns whether it could.
 *
 * @typedef {{leave: () => void, revisit: (address: URL) => boolean}} Opened
 */

/** @type {Record<string, () => Promise<View>>} */
const VIEWS = {
  "": async () => start,
  game: () => import("./game/view.js"),
  embed: () => import("./game/embed.js"),
  study: () => import("./study/view.js"),
  learn: () => import("./learn/lessons.js"),
  puzzles: () => import("./learn/puzzles.js"),
  rules: () => import("./pages/rules.js"),
  workshop: () => import("./workshop/view.js"),
  help: () => import("./pages/help.js"),
  about: () => import("./pages/about.js"),
};

const content = /** @type {HTMLElement} */ (document.getElementById("content"));

/** @type {Partial<Opened> | void} */
let opened;
let visits = 0;

/** @param {any} [state] @param {boolean} [isFirst] */
async function show(state, isFirst = false) {
  visits += 1;
  const visit = visits;
  const address = addressOf(location.href);
  const parts = address.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  const load = VIEWS[parts[0] ?? ""];
  opened?.leave?.();
  opened = undefined;
  for (const link of document.querySelectorAll(".top nav a")) {
    const own = addressOf(/** @type {HTMLAnchorElement} */ (link).href).pathname;
    const isShown = own === "/" ? parts.length === 0 || parts[0] === "game" : `/${parts[0]}` === own;
    mark(link, "aria-current", isShown ? "page" : null);
  }
  const place = make("div", { class: "view" });
  try {
    if (!load) throw new Refusal("not-found", "There is nothing at this address.");
    const view = await (isFirst ? loaded(load()) : load().catch(anew));
    if (visit !== visits || !view) return;
    content.replaceChildren(place);
    const made = await view.open(place, { address, parts: parts.slice(1), state });
    const now = typeof made === "function" ? { leave: made } : made;
    if (visit !== visits) return void now?.leave?.();
    opened = now;
  } catch (error) {
    if (visit !== visits) return;
    fail(place, error);
    content.replaceChildren(place);
  }
  if (!isFirst) {
    window.scrollTo(0, 0);
    content.focus({ preventScroll: true });
    announce(document.title);
  }
}

/**
 * A module that is gone belongs to an earlier version of the server: reload the page.
 *
 * @returns {Promise<null>}
 */
async function anew() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer) throw new Refusal("unreachable", "The server cannot be reached. Please try again.");
  location.reload();
  return null;
}

/** @param {HTMLElement} place @param {unknown} error */
function fail(place, error) {
  const isForPeople = error instanceof Refusal || (error instanceof Error && error.name === "EngineError");
  if (!isForPeople) console.error(error);
  const text = isForPeople ? error.message : "Something went wrong on this page.";
  const game = error instanceof Refusal ? error.game : undefined;
  const isMissing = error instanceof Refusal && error.code === "not-found";
  const title = isMissing ? "Not found" : "That did not work";
  document.title = isMissing ? "Not found · nestline" : "nestline";
  // In the frame of another page, nothing but the small view may be shown.
  const isFramed = addressOf(location.href).pathname.startsWith("/embed");
  place.className = isFramed ? "view message embedded" : "view message";
  place.replaceChildren(
    make("h1", {}, game ? "Your game comes first" : title),
    make("p", {}, text),
    make(
      "p",
      {},
      game
        ? make("a", { href: `/game/${game}`, class: "button primary" }, "Go to your game")
        : make("a", { href: "/", class: "button primary", target: isFramed ? "_blank" : null }, "Play a game"),
    ),
  );
}

/**
 * Go to an address of this page.
 *
 * @param {string} address
 * @param {any} [state]  what the next view need not ask for
 */
function go(address, state) {
  history.pushState(null, "", place(address));
  return show(state);
}

/** An address without its origin. @param {URL} address */
function partsOf({ pathname, search, hash }) {
  return pathname + search + hash;
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!link || !isPlain || !isHere(link)) return;
  if ("elsewhere" in link.dataset || link.download || link.target) return;
  event.preventDefault();
  if (link.hash && link.pathname === location.pathname) document.querySelector(link.hash)?.scrollIntoView();
  if (link.hash === "#content") content.focus();
  else if (!link.hash || link.pathname !== location.pathname) void go(partsOf(addressOf(link.href)));
});
window.addEventListener("popstate", () => {
  // Who goes back leaves the dialog, too.
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  if (!opened?.revisit?.(addressOf(location.href))) void show();
});
// A game's invitation is after the #.
window.addEventListener("hashchange", () => {
  if (location.hash.startsWith("#join=")) void show();
});
document.addEventListener("nest-go", (event) => {
  const { address, state } = /** @type {CustomEvent} */ (event).detail;
  void go(address, state);
});
document.addEventListener("nest-prefetch", (event) => {
  const { address } = /** @type {CustomEvent} */ (event).detail;
  void VIEWS[address.slice(1)]?.().catch(() => null);
});

const banner = /** @type {HTMLElement} */ (document.getElementById("connection"));

/** Show what the server is compiling until it is ready. */
function showServer() {
  const text = connection.isLost ? "The connection is lost. Reconnecting…" : (readiness.remark ?? "");
  banner.hidden = !text;
  say(banner, text);
}
connection.addEventListener("lost", showServer);
connection.addEventListener("found", () => {
  showServer();
  announce("Connected again.");
});
readiness.addEventListener("change", showServer);

document.getElementById("settings")?.addEventListener("click", async () => {
  (await import("./pages/preferences.js")).openPreferences();
});

loadDesignerBy(() => import("./workshop/rule_set.js"));
applyPreferences();
prepareAnnouncements();
void show(undefined, true);
if (published) void import("./shared/offline.js").then(({ workOffline }) => workOffline());
