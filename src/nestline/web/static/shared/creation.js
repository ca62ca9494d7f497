/**
 * Creates games, and goes to them.
 *
 * @import { NewGame, SeatChoice, SeatChoices, SeatName } from "../server/types.js"
 */
import { createGame } from "../server/api.js";
import { navigate, prefetch } from "./navigate.js";
import { keepInvitation, keepTokens } from "./settings.js";

/**
 * Create a game, keep its secrets in this browser, and show it.
 *
 * @param {NewGame} body  what the server is asked for
 */
export async function startGame(body) {
  // What shows the game is on its way while the game is made.
  prefetch("/game");
  const created = await createGame(body);
  const { id } = created.game;
  keepTokens(id, Object.values(created.tokens));
  const invitation = Object.values(created.invitations)[0];
  if (invitation) keepInvitation(id, invitation);
  navigate(`/game/${id}`, created);
}

/**
 * Somebody here on one side, and another on the other.
 *
 * @param {SeatName} side @param {SeatChoice} other
 * @returns {SeatChoices}
 */
export function seated(side, other) {
  return side === "first" ? { first: { player: "here" }, second: other } : { first: other, second: { player: "here" } };
}
