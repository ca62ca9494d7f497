/**
 * Creates games, and goes to them.
 */
import { createGame } from "../server/api.js";
import { navigate, prefetch } from "./navigate.js";
import { keepInvitation, keepTokens } from "./settings.js";

/**
 * Create a game, keep its secrets in this browser, and show it.
 *
 * @param {any} body  what the server is asked for
 */
export async function startGame(body) {
  // What shows the game is on its way while the game is made.
  prefetch("/game");
  const created = await createGame(body);
  const { id } = created.game;
  keepTokens(id, Object.values(created.tokens));
  const invitation = Object.values(created.invitations ?? {})[0];
  if (invitation) keepInvitation(id, invitation);
  navigate(`/game/${id}`, created);
}
