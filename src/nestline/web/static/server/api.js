/**
 * Requests over HTTP. What is watched or streamed goes through `connection`.
 *
 * @import { CreatedGame, Invitation, JoinedGame, NewGame, PlayedMoves, RuleSet, Status, Study } from "./types.js"
 */
import { pause, readiness, WAIT_MILLISECONDS } from "./readiness.js";

const ROOT = "/api/v1";

/** A refusal by the server, or no answer at all: a code for the page, a sentence for people. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Why something failed, for people. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Ask the server; while it is getting ready, ask again.
 *
 * @param {string} path
 * @param {{method?: string, body?: any, token?: string}} [options]
 */
async function ask(path, options) {
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      const response = await askOnce(path, options);
      if (hasWaited) readiness.tell(null);
      return response;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "getting-ready") throw error;
      readiness.tell(error.message);
      await pause(WAIT_MILLISECONDS);
    }
  }
}

/**
 * @param {string} path
 * @param {{method?: string, body?: any, token?: string}} [options]
 */
async function askOnce(path, { method = "GET", body, token } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(ROOT + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal("unreachable", "The server cannot be reached. Please try again.");
  }
  if (response.ok) return response;
  const facts = await response.json().catch(() => null);
  throw new Refusal(facts?.error?.code ?? "failed", sentence(facts?.error?.message ?? "The server failed."));
}

/** A message of the server as a sentence. @param {string} text */
export function sentence(text) {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  // A message may begin with a move or a square, which keeps its spelling.
  return /^[a-z]+\b(?!:)/.test(ended) && !/^[a-d][1-4]/.test(ended) ? ended[0]?.toUpperCase() + ended.slice(1) : ended;
}

/** @type {Map<string, Promise<RuleSet>>} */
const known = new Map();

/** @returns {Promise<RuleSet[]>} */
export async function fetchRules() {
  const { rules } = await (await ask("/rules")).json();
  for (const each of rules) known.set(each.name, Promise.resolve(each));
  return rules;
}

/** @param {string} name @returns {Promise<RuleSet>} */
export function fetchRuleSet(name) {
  let found = known.get(name);
  if (!found) {
    found = ask(`/rules/${encodeURIComponent(name)}`).then((response) => response.json());
    known.set(name, found);
    found.catch(() => known.delete(name));
  }
  return found;
}

/** @param {NewGame} body @returns {Promise<CreatedGame>} */
export async function createGame(body) {
  return (await ask("/games", { method: "POST", body })).json();
}

/** @param {string} id @param {string} invitation @returns {Promise<JoinedGame>} */
export async function joinGame(id, invitation) {
  return (await ask(`/games/${encodeURIComponent(id)}/join`, { method: "POST", body: { invitation } })).json();
}

/** @param {string} id @param {string} seat @param {string} token @returns {Promise<Invitation>} */
export async function inviteTo(id, seat, token) {
  const path = `/games/${encodeURIComponent(id)}/invitations`;
  return (await ask(path, { method: "POST", body: { seat }, token })).json();
}

/** Some moves of a game, from a number on. @param {string} id @param {number} from @returns {Promise<PlayedMoves>} */
export async function fetchMoves(id, from) {
  return (await ask(`/games/${encodeURIComponent(id)}/moves?${query({ from })}`)).json();
}

/** @param {string} id @param {string} [token] */
export async function fetchRecord(id, token) {
  return (await ask(`/games/${encodeURIComponent(id)}/record`, { token })).text();
}

/** @param {string} id @param {Record<string, any>} options @param {string} [token] */
export async function fetchGamePicture(id, options, token) {
  return (await ask(`/games/${encodeURIComponent(id)}/picture?${query(options)}`, { token })).text();
}

/**
 * Refuse typed or pasted text that cannot be read. `POST /check` says so without an HTTP error,
 * which browsers would log to the console.
 *
 * @param {{record: string} | {rules: string, position: string, moves: string[]}} text
 */
export async function check(text) {
  const { problem } = await (await ask("/check", { method: "POST", body: text })).json();
  if (problem) throw new Refusal("invalid", sentence(problem));
}

/**
 * @param {string} rules @param {string} position @param {string[]} [moves]
 * @param {boolean} [isSure]  these are a position and moves, no texts of people
 * @returns {Promise<Study>}
 */
export async function fetchStudy(rules, position, moves = [], isSure = false) {
  if (!isSure) await check({ rules, position, moves });
  const options = { position, moves: moves.join(" ") || undefined, seconds: 0 };
  return (await ask(`/positions/${encodeURIComponent(rules)}?${query(options)}`)).json();
}

/** @param {string} rules @param {Record<string, any>} options */
export async function fetchPicture(rules, options) {
  return (await ask(`/positions/${encodeURIComponent(rules)}/picture?${query(options)}`)).text();
}

/** @param {string} name */
export async function fetchRulesFile(name) {
  return (await ask(`/rules/${encodeURIComponent(name)}/file`)).text();
}

/** @returns {Promise<Status>} */
export async function fetchStatus() {
  return (await ask("/status")).json();
}

/** @param {Record<string, any>} options */
export function query(options) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && value !== null) parts.set(name, String(value));
  }
  return parts.toString();
}
