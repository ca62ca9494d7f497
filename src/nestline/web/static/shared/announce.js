/**
 * Announcements for screen readers: one polite live region for the whole page. Also short notices
 * that everybody sees for a while.
 */
import { make } from "./dom.js";

const region = make("div", { class: "for-listeners", role: "status", "aria-live": "polite" });
const notices = make("div", { class: "notices" });

/** @type {string[]} */
let waiting = [];
let timer = 0;

/** Add the region to the page, once. */
export function prepareAnnouncements() {
  document.body.append(region, notices);
}

/** Announce a text; several in quick succession become one. @param {string} text */
export function announce(text) {
  if (!text) return;
  waiting.push(text);
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    region.textContent = waiting.join(" ");
    waiting = [];
  }, 60);
}

/**
 * Show a sentence for a few seconds, and announce it.
 *
 * @param {string} text
 * @param {string} [game]  that the sentence is about: a link leads to it
 */
export function notice(text, game) {
  const link = game && make("a", { href: `/game/${game}` }, "Go to your game");
  const shown = make("p", { class: "notice" }, text, link && " ", link);
  notices.replaceChildren(shown);
  announce(text);
  window.setTimeout(() => shown.remove(), 2500 + 60 * text.length);
}
