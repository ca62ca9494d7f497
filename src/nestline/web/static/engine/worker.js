/**
 * The engine in a worker: thinks, plays the levels, looks tables up. It takes the requests of
 * `engine` one after another, and reports as it deepens.
 *
 * @import { Found, History, Limits, SearchFields } from "./search.js"
 * @import { MoveValue } from "./table.js"
 */
import { Law } from "./law.js";
import { MAXIMUM_SECONDS, MEANWHILE, MOST_SECONDS, WIN } from "./layout.js";
import { EngineError, Instance, loadModule } from "./module.js";
import { Search, weightsFor } from "./search.js";
import { Table } from "./table.js";
import { NoTable, TableFile } from "./table_file.js";

/**
 * What the engine has found so far, the best variation first; `exact` if a table says so.
 *
 * @typedef {Found & {seconds: number, exact: boolean}} Report
 */

/** @typedef {Limits & {seconds?: number}} TimedLimits */

/**
 * @typedef {{rules: SearchFields, game: History, table: string | null}} Question
 *   a game, and where the table of its rules would be
 * @typedef {{action: "think", limits: TimedLimits} & Question} Thinking
 * @typedef {{action: "choose", level: string} & Question} Choosing
 * @typedef {{action: "values"} & Question} Valuing
 * @typedef {{id: number} & (Thinking | Choosing | Valuing | {action: "stop"})} Request
 * @typedef {{id: number, report?: Report, answer?: any, error?: string}} Answer
 */

/** Games of this many rule sets keep their memory, some 20 MB each. */
const KEPT = 2;
/** A search with a time limit looks at no more nodes than should fit into it. */
const NODES_PER_SECOND = 1_000_000;
/** The speed is measured from so many seconds on. */
const LEAST_MEASURED = 0.05;

/** @type {Map<string, Promise<Player>>} */
const players = new Map();
/** @type {Set<number>} */
const stopped = new Set();
const turns = new MessageChannel();
const module = loadModule();
let queue = Promise.resolve();
let speed = NODES_PER_SECOND;

/** Answers about the games of one rule set. */
class Player {
  /** @param {Search} search */
  constructor(search) {
    this.search = search;
    /** @type {Promise<Table | null> | null} */
    this._table = null;
    this._plies = 0;
  }

  /** The table, opened once; null if there is none. @param {string | null} url */
  table(url) {
    this._table ??= url === null || this.search.law.side > 3 ? Promise.resolve(null) : this._open(url);
    return this._table;
  }

  /** @param {string} url */
  async _open(url) {
    const table = new Table(this.search, new TableFile(url, this.search.law.instance));
    try {
      await table.open();
      return table;
    } catch (error) {
      // It may be there later: being built, or reached again.
      this._table = null;
      if (error instanceof NoTable) return null;
      throw error;
    }
  }

  /** For a new game the transposition table is cleared. @param {History} game */
  meet(game) {
    if (game.positions.length <= 2 && this._plies > 0) this.search.forget();
    this._plies = game.positions.length;
  }
}

/** @param {SearchFields} rules */
function playerFor(rules) {
  const name = JSON.stringify(rules);
  const found = players.get(name) ?? makePlayer(rules);
  players.delete(name);
  players.set(name, found);
  found.catch(() => players.delete(name));
  if (players.size > KEPT) players.delete(/** @type {string} */ (players.keys().next().value));
  return found;
}

/** @param {SearchFields} rules */
async function makePlayer(rules) {
  const law = new Law(new Instance(await module), rules);
  const family = weightsFor(rules);
  return new Player(new Search(law, rules, family === null ? null : await weights(family)));
}

/** @param {string} family */
async function weights(family) {
  const response = await fetch(new URL(`weights/${family}.bin`, import.meta.url));
  if (!response.ok) throw new EngineError(`The engine cannot be loaded: the server answered ${response.status}.`);
  return response.arrayBuffer();
}

/** Let messages in, above all one that stops the search. */
function turn() {
  return new Promise((resolve) => {
    turns.port1.onmessage = resolve;
    turns.port2.postMessage(null);
  });
}

/**
 * Continue a search that has begun until its limits; `report` is told each depth.
 *
 * @param {number} id
 * @param {Search} search
 * @param {number} seconds
 * @param {(report: Report) => void} report
 */
async function deepen(id, search, seconds, report) {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  let found = /** @type {Found} */ (search.advance());
  report({ ...found, seconds: passed(), exact: false });
  while (passed() < seconds) {
    await turn();
    if (stopped.has(id)) break;
    if (Number.isFinite(seconds)) search.allow(search.nodes + speed * (seconds - passed()));
    const deeper = search.advance();
    if (passed() > LEAST_MEASURED) speed = search.nodes / passed();
    if (!deeper) break;
    found = deeper;
    report({ ...found, seconds: passed(), exact: false });
  }
  return { ...found, nodes: search.nodes, seconds: passed(), exact: false };
}

/** @param {{id: number} & Thinking} request */
async function think({ id, rules, game, table, limits }) {
  const player = await playerFor(rules);
  const known = await player.table(table);
  if (known) return lookUp(player, known, game, limits.variations ?? 1);
  player.search.begin(game, limits);
  return deepen(id, player.search, limits.seconds ?? Number.POSITIVE_INFINITY, (report) => send({ id, report }));
}

/**
 * What the table says, as the search would report it.
 *
 * @param {Player} player
 * @param {Table} table
 * @param {History} game
 * @param {number} count
 * @returns {Promise<Report>}
 */
async function lookUp({ search }, table, game, count) {
  const began = performance.now();
  const position = /** @type {import("./law.js").Position} */ (game.positions.at(-1));
  const values = (await table.moves(game)).slice(0, count);
  const variations = await Promise.all(
    values.map(async (value) => {
      const after = search.law.play(position, value.move);
      const ends = search.law.outcome(after) !== null || search.drawsByRepetition(game, value.move);
      const rest = ends ? [] : await table.bestLine(after);
      return { moves: [value.move, ...rest], score: scoreOf(value) };
    }),
  );
  const depth = Math.max(...variations.map(({ moves }) => moves.length));
  return { depth, nodes: values.length, seconds: (performance.now() - began) / 1000, variations, exact: true };
}

/** @param {MoveValue} value */
function scoreOf({ value, distance }) {
  if (distance === null) return 0;
  return value === "win" ? WIN - distance : distance - WIN;
}

/** @param {{id: number} & Choosing} request @returns {Promise<string>} */
async function choose({ id, rules, game, table, level }) {
  const { search } = await playerFor(rules).then((player) => {
    player.meet(game);
    return player;
  });
  if (level === "random") {
    const last = /** @type {import("./law.js").Position} */ (game.positions.at(-1));
    return search.pick(game.moves ?? search.law.legalMoves(last));
  }
  if (level === "perfect") return perfect(id, rules, game, table);
  if (level === "maximum") return byClock(id, search, game, MAXIMUM_SECONDS);
  return (
    search.beginLevel(game, level) ?? search.chooseLevel(level, await deepen(id, search, MOST_SECONDS, () => undefined))
  );
}

/**
 * The perfect player's move; without its table, or if that is damaged, the search's.
 *
 * @param {number} id
 * @param {SearchFields} rules
 * @param {History} game
 * @param {string | null} url
 */
async function perfect(id, rules, game, url) {
  const player = await playerFor(rules);
  try {
    const table = await player.table(url);
    if (table) return await table.choose(game);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
  return byClock(id, player.search, game, MEANWHILE);
}

/**
 * The best move that is found in this time.
 *
 * @param {number} id
 * @param {Search} search
 * @param {History} game
 * @param {number} seconds
 */
async function byClock(id, search, game, seconds) {
  search.begin(game);
  const found = await deepen(id, search, seconds, () => undefined);
  return /** @type {string} */ (found.variations[0]?.moves[0]);
}

/** The exact value of every move; null if there is no table. @param {Valuing} request */
async function values({ rules, game, table }) {
  const known = await (await playerFor(rules)).table(table);
  return known ? known.moves(game) : null;
}

/** @param {Answer} message */
function send(message) {
  self.postMessage(message);
}

/** @param {Request} request */
async function answer(request) {
  try {
    if (request.action === "think") send({ id: request.id, answer: await think(request) });
    else if (request.action === "choose") send({ id: request.id, answer: await choose(request) });
    else if (request.action === "values") send({ id: request.id, answer: await values(request) });
  } catch (error) {
    send({ id: request.id, error: error instanceof Error ? error.message : String(error) });
  }
  stopped.delete(request.id);
}

/** @param {MessageEvent<Request>} event */
self.onmessage = ({ data }) => {
  if (data.action === "stop") stopped.add(data.id);
  else queue = queue.then(() => answer(data));
};
