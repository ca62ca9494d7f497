/**
 * Requests over HTTP. What is watched or streamed goes through `connection`.
 *
 * @import { CreatedGame, Invitation, JoinedGame, NewGame, PlayedMoves } from "./types.js"
 * @import { Review, RuleSet, Status, Study } from "./types.js"
 */

import { hasServer, published, serverOrigin } from "../site/site.js";
import { pause, readiness, WAIT_MILLISECONDS } from "./readiness.js";

const ROOT = `${serverOrigin}/api/v1`;
/** How long study waits for a server that does not answer, in milliseconds. */
const PATIENCE = 3000;

/** A refusal by the server, or no answer at all: a code for the page, a sentence for people. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message @param {string} [game]  the game that is the reason */
  constructor(code, message, game) {
    super(message);
    this.code = code;
    this.game = game;
  }
}

/** Why something failed, for people. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** The game that is the reason, if there is one. @param {unknown} error */
export function gameOf(error) {
  return error instanceof Refusal ? error.game : undefined;
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
 * @param {{method?: string, body?: any, token?: string, signal?: AbortSignal}} [options]
 */
async function askOnce(path, { method = "GET", body, token, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  if (!hasServer) throw new Refusal("no-server", "This site has no server, which that needs.");
  let response;
  try {
    response = await fetch(ROOT + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch {
    throw new Refusal("unreachable", "The server cannot be reached. Please try again.");
  }
  if (response.ok) return response;
  const facts = await response.json().catch(() => null);
  const { code = "failed", message = "The server failed.", game } = facts?.error ?? {};
  throw new Refusal(code, sentence(message), game);
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
  const file = new URL("../rules.json", import.meta.url);
  const { rules } = await (published ? fetchFile(file, "The rule sets") : (await ask("/rules")).json());
  for (const each of rules) known.set(each.name, Promise.resolve(each));
  return rules;
}

/**
 * A file of the page with something in it: JSON, unless it is read otherwise.
 *
 * @param {URL} url
 * @param {string} what  for people
 * @param {(response: Response) => Promise<any>} [read]
 */
export async function fetchFile(url, what, read = (response) => response.json()) {
  try {
    const response = await fetch(url);
    if (response.ok) return await read(response);
  } catch {
    // It may also end too early.
  }
  throw new Refusal("unreachable", `${what} cannot be loaded. Please try again.`);
}

/** A module that is loaded on demand. @template Module @param {Promise<Module>} loading */
export async function loaded(loading) {
  try {
    return await loading;
  } catch (error) {
    console.error(error);
    throw new Refusal("unreachable", "A part of this page cannot be loaded. Please load the page again.");
  }
}

/**
 * What makes rule sets from designs, in the page.
 *
 * @typedef {{designedRules: (design: string, all: RuleSet[]) => Promise<RuleSet>,
 *   designFile: (design: string) => string}} Designer
 */

/** @type {() => Promise<Designer>} */
let loadDesigner = () => Promise.reject(new Refusal("invalid", "Designs cannot be read here."));

/** Say from where the designer is loaded, which is above this module. @param {() => Promise<Designer>} load */
export function loadDesignerBy(load) {
  loadDesigner = load;
}

/**
 * Whether a name carries its rules, like `gobblers.stock-3-3-3`; the page makes such sets, but not of a server's
 * custom ones. Records name files, too.
 *
 * @param {string} name
 */
export function isDesign(name) {
  return name.includes(".") && !/^custom-|\.toml$/.test(name);
}

/** @param {string} name @returns {Promise<RuleSet>} */
export async function fetchRuleSet(name) {
  if (published && !known.has(name)) await fetchRules();
  let found = known.get(name);
  if (!found && isDesign(name)) {
    found = Promise.all([loadDesigner(), fetchRules()]).then(([{ designedRules }, all]) => designedRules(name, all));
    known.set(name, found);
    found.catch(() => known.delete(name));
  } else if (!found) {
    if (!hasServer) throw new Refusal("not-found", `There is no rule set ${name} on this site.`);
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

/** @param {string} id @param {string} invitation @param {string} [name] @returns {Promise<JoinedGame>} */
export async function joinGame(id, invitation, name) {
  const body = { invitation, ...(name ? { name } : {}) };
  return (await ask(`/games/${encodeURIComponent(id)}/join`, { method: "POST", body })).json();
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

/**
 * Refuse typed or pasted text that cannot be read. `POST /check` says so without an HTTP error,
 * which browsers would log to the console.
 *
 * @param {{record: string} | {rules: string, position: string, moves: string[]}} text
 */
export async function check(text) {
  const { problem, game } = await (await ask("/check", { method: "POST", body: text })).json();
  if (problem) throw new Refusal("invalid", sentence(problem), game ?? undefined);
}

/**
 * Refuse study to somebody who is playing a person on the server; without an answer it is allowed.
 *
 * @param {string} [token]  of the game that was played last, for a server that gets no cookie
 */
export async function requireStudy(token) {
  // A server elsewhere gets no cookie.
  if (published && !token) return;
  const body = { position: "start", moves: [] };
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  const asked = { method: "POST", body, token, signal: patience.signal };
  const response = await askOnce("/check", asked).catch(() => null);
  const { problem, game } = (await response?.json().catch(() => null)) ?? {};
  clearTimeout(timer);
  if (game) throw new Refusal("study-refused", sentence(problem), game);
}

/**
 * What the server says about a position.
 *
 * @param {string} rules
 * @param {{start: string, moves: string[]}} line
 * @param {{seconds: number, variations?: number}} limits
 * @returns {Promise<Study>}
 */
export async function fetchStudy(rules, { start, moves }, limits) {
  const options = query({ position: start, moves: moves.join(" "), ...limits });
  return (await ask(`/positions/${encodeURIComponent(rules)}?${options}`)).json();
}

/** What the server says about the moves of a game. @param {string} record @returns {Promise<Review>} */
export async function fetchReview(record) {
  return (await ask("/reviews", { method: "POST", body: { record } })).json();
}

/** @param {string} name */
export async function fetchRulesFile(name) {
  if (isDesign(name)) {
    return (await loadDesigner()).designFile(name);
  }
  if (published && (await fetchRules()).some((each) => each.name === name)) {
    const file = new URL(`../rules/${name}.toml`, import.meta.url);
    return fetchFile(file, "The rule set's file", (response) => response.text());
  }
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
