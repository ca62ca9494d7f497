/**
 * Creates games and opens them.
 *
 * @import { CreatedGame, NewGame, SeatChoice, SeatChoices, SeatName } from "../server/types.js"
 */
import { check, createGame, loaded } from "../server/api.js";
import { navigate, prefetch } from "../shared/navigate.js";
import { keepInvitation, keepTokens, ownName } from "../shared/settings.js";
import { hasServer } from "../site/site.js";
import { localHost } from "./hosts.js";

/** So long a second click, in milliseconds, may still mean the game before. */
const DOUBLE_CLICK = 600;

/** The games that are being created, or have just been, by what was asked for. @type {Map<string, Promise<void>>} */
const creating = new Map();

/** Who clicks twice wants one game. @param {unknown[]} wanted @param {() => Promise<void>} create */
function once(wanted, create) {
  const name = JSON.stringify(wanted);
  const created = creating.get(name) ?? create();
  const forget = () => creating.delete(name);
  if (!creating.has(name)) created.then(() => setTimeout(forget, DOUBLE_CLICK), forget);
  creating.set(name, created);
  return created;
}

/**
 * Create a game and show it. Where nobody elsewhere plays it lives in this browser, if that can run
 * the engine.
 *
 * @param {NewGame} body
 */
export function startGame(body) {
  return once([body], () => start(body));
}

/** @param {NewGame} body */
async function start(body) {
  // Load the game's view while the game is created.
  prefetch("/game");
  const game = await createHere(body);
  if (game) navigate(`/game/${game.id}`, { game });
  else {
    // Refused without an HTTP error, which browsers would log.
    if (body.record) await check({ record: body.record });
    show(await createGame(introduced(body)));
  }
}

/** A game by link under one's own name. @param {NewGame} body @returns {NewGame} */
function introduced(body) {
  const name = ownName();
  const seats = Object.entries(body.seats ?? {});
  if (!name || !seats.some(([, seat]) => seat.player === "link")) return body;
  const named = seats.map(([side, seat]) => [side, seat.player === "here" ? { ...seat, name } : seat]);
  return { ...body, seats: Object.fromEntries(named) };
}

/** A game in this browser, or null if it has to be on the server. @param {NewGame} body */
async function createHere(body) {
  const players = [body.seats?.first?.player, body.seats?.second?.player];
  // The server reads rules of one's own.
  if ((typeof body.rules !== "string" && !body.record) || players.includes("link")) return null;
  const [{ EngineError }, host] = await Promise.all([loaded(import("../engine/module.js")), localHost()]);
  try {
    return await host.create(body);
  } catch (error) {
    if (error instanceof EngineError && hasServer) return null;
    throw error;
  }
}

/** Keep the tokens of a game on the server in this browser, and show it. @param {CreatedGame} created */
function show(created) {
  const { id } = created.game;
  keepTokens(id, Object.values(created.tokens));
  const invitation = Object.values(created.invitations)[0];
  if (invitation) keepInvitation(id, invitation);
  navigate(`/game/${id}`, created);
}

/**
 * Put a game of this browser on the server, where a friend can join it.
 *
 * @param {string} id
 * @param {SeatName} seat  the friend's
 */
export function inviteFriend(id, seat) {
  return once([id, seat], () => putOnline(id, seat));
}

/** @param {string} id @param {SeatName} seat */
async function putOnline(id, seat) {
  const record = await (await localHost()).wholeRecord(id);
  const own = seat === "first" ? "second" : "first";
  show(await createGame(introduced({ record, seats: seated(own, { player: "link" }) })));
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
