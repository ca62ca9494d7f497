/**
 * Coming to a game: by an invitation, or when only its record is left.
 *
 * @import { Game } from "../server/types.js"
 * @import { Host } from "../shared/hosts.js"
 */
import { startGame } from "../local/creation.js";
import { joinGame, messageOf, Refusal } from "../server/api.js";
import { notice } from "../shared/announce.js";
import { copy } from "../shared/clipboard.js";
import { confirmed } from "../shared/dialogs.js";
import { make } from "../shared/dom.js";
import { isFull } from "../shared/games.js";
import { keepTokens, ownName } from "../shared/settings.js";
import { place } from "../site/site.js";

/** @param {Host} host @param {string} id @param {string} invitation @returns {Promise<Game>} */
export async function join(host, id, invitation) {
  // An invitation works once; going back must not try it again.
  history.replaceState(null, "", place(`/game/${id}`));
  const before = await host.fetchGame(id);
  try {
    if (isFull(before)) throw new Refusal("invitation-used", "");
    if (before.you.length) {
      const text =
        "This browser already holds a seat in this game. Take the invited seat too, and play both sides here?";
      if (!(await confirmed("Your own invitation", text, "Play both sides"))) return before;
    }
    const { tokens } = await joinGame(id, invitation, ownName());
    keepTokens(id, Object.values(tokens));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "invitation-used") throw error;
    if (!before.you.length) notice("Somebody has taken that seat already. You can watch.");
  }
  return host.fetchGame(id);
}

/** A game that only this browser still has. @param {HTMLElement} content @param {string} record */
export function showKept(content, record) {
  const seats = { first: { player: /** @type {const} */ ("here") }, second: { player: /** @type {const} */ ("here") } };
  const again = () => startGame({ record, seats }).catch((error) => notice(messageOf(error)));
  content.className = "view words";
  content.append(
    make("h1", {}, "A game you played"),
    make("p", {}, "The server does not keep this game any more, but this browser has kept its record."),
    make("pre", {}, record),
    make(
      "div",
      { class: "pairs" },
      make("button", { type: "button", class: "primary", onclick: () => void again() }, "Open it again"),
      make("button", { type: "button", onclick: () => void copy(record, "The record is copied.") }, "Copy record"),
    ),
  );
  return () => undefined;
}
