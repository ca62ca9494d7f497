/**
 * Creates games and opens them.
 *
 * @import { NewGame, SeatChoice, SeatChoices, SeatName } from "../server/types.js"
 */
import { createGame } from "../server/api.js";
import { navigate, prefetch } from "./navigate.js";
import { keepInvitation, keepTokens } from "./settings.js";

/**
 * Create a game, keep its tokens in this browser, and show it.
 *
 * @param {NewGame} body  what the server is asked for
 */
export async function startGame(body) {
  // Load the game's view while the server creates the game.
  prefetch("/game");
  const created = await createGame(body);
  const { id } = created.game;
  keepTokens(id, Object.values(created.tokens));
  const invitation = Object.values(created.invitations)[0];
  if (invitation) keepInvitation(id, invitation);
  navigate(`/game/${id}`, created);
}

/**
 * A person here on one side, and somebody else on the other.
 *
 * @param {SeatName} side @param {SeatChoice} other
 * @returns {SeatChoices}
 */
export function seated(side, other) {
  return side === "first" ? { first: { player: "here" }, second: other } : { first: other, second: { player: "here" } };
}
