/**
 * The engine in a worker: thinks, plays the levels, looks tables up. It takes the requests of
 * `engine` one after another, and reports as it deepens.
 *
 * @import { Found, History, Limits, SearchFields } from "./search.js"
 * @import { MoveValue, Table } from "./table.js"
 */
import { load } from "./asking.js";
import { Law } from "./law.js";
import { MAXIMUM_SECONDS, MEANWHILE, MOST_SECONDS, WIN } from "./layout.js";
import { canShare, EngineError, engineFile, Instance, loadModule } from "./module.js";
import { Player } from "./player.js";
import { Search, weightsFor } from "./search.js";

/**
 * What the engine has found so far; `exact` if a table says so, and `remark` is a sentence on why none
 * does although there should be one.
 *
 * @typedef {Found & {seconds: number, exact: boolean, remark: string | null}} Report
 */

/** @typedef {Limits & {seconds?: number}} TimedLimits */

/**
 * @typedef {{rules: SearchFields, game: History, table: string | null}} Question
 *   a game, and where the table of its rules would be
 * @typedef {{action: "think", limits: TimedLimits} & Question} Thinking
 * @typedef {{action: "choose", level: string} & Question} Choosing
 * @typedef {{action: "values"} & Question} Valuing
 * @typedef {{id: number} & (Thinking | Choosing | Valuing | {action: "stop" | "live"})} Request
 * @typedef {{id: number, stop?: Int32Array, report?: Report, answer?: any, error?: string, isBroken?: boolean}} Answer
 *   `stop` is a word of memory that both threads share: not zero, it stops the search at once; `isBroken` says that
 *   this worker should not be used any more
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
/** Called with every stop, while a request waits for a table. @type {(id: number) => void} */
let heardStop = () => undefined;
const turns = new MessageChannel();
/** @type {Promise<WebAssembly.Module> | null} */
let loading = null;
let queue = Promise.resolve();
let speed = NODES_PER_SECOND;

/** The module, which is loaded again after it could not be. */
function module() {
  loading ??= loadModule(undefined, canShare, load);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/** @param {SearchFields} rules */
function playerFor(rules) {
  const name = JSON.stringify(rules);
  const found = players.get(name) ?? makePlayer(rules);
  players.delete(name);
  players.set(name, found);
  found.catch(() => players.delete(name));
  if (players.size > KEPT) {
    const [oldest, left] = /** @type {[string, Promise<Player>]} */ (players.entries().next().value);
    players.delete(oldest);
    left.then((player) => player.team?.leave()).catch(() => undefined);
  }
  return found;
}

/** @param {SearchFields} rules */
async function makePlayer(rules) {
  const law = new Law(new Instance(await module(), { isShared: canShare }), rules);
  const family = weightsFor(rules);
  const learned = family === null ? null : await engineFile(`weights/${family}.bin`, load);
  return new Player(new Search(law, rules, learned));
}

/** Let messages in, above all one that stops the search. */
function turn() {
  return new Promise((resolve) => {
    turns.port1.onmessage = resolve;
    turns.port2.postMessage(null);
  });
}

/**
 * What some work finds, or null as soon as the request is stopped: a table may take long to load. The work goes on,
 * since later requests need it, too.
 *
 * @template Result
 * @param {number} id
 * @param {Promise<Result>} work
 * @returns {Promise<Result | null>}
 */
function unlessStopped(id, work) {
  const stop = new Promise((resolve) => {
    heardStop = (other) => other === id && resolve(null);
  });
  if (stopped.has(id)) heardStop(id);
  return Promise.race([work, stop]);
}

/**
 * Continue a search that has begun until its limits, with all threads.
 *
 * @param {number} id
 * @param {Player} player
 * @param {number} seconds
 * @param {(report: Report) => void} report
 */
async function deepenTogether(id, { search, team }, seconds, report) {
  if (!team) return deepen(id, search, seconds, report);
  // Before anything is reported: who stops a search that has reported would otherwise end this worker.
  send({ id, stop: new Int32Array(search.law.instance.memory.buffer, search.stopAddress, 1) });
  try {
    return await deepen(id, search, seconds, report, () => team.help(search));
  } finally {
    await team.rest(search);
  }
}

/**
 * Continue a search that has begun until its limits; `report` is told each depth.
 *
 * @param {number} id
 * @param {Search} search
 * @param {number} seconds
 * @param {(report: Report) => void} report
 * @param {() => void} [begun]  called after the first depth
 */
async function deepen(id, search, seconds, report, begun = () => undefined) {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  let found = firstDepth(search);
  const told = () => ({ ...found, nodes: search.nodes, seconds: passed(), exact: false, remark: null });
  report(told());
  begun();
  while (passed() < seconds) {
    await turn();
    if (stopped.has(id)) break;
    if (Number.isFinite(seconds)) search.allow(search.nodes + speed * (seconds - passed()));
    const deeper = search.advance();
    if (passed() > LEAST_MEASURED) speed = search.nodes / passed();
    if (!deeper && search.isStopped) {
      await turn();
      if (!stopped.has(id) && passed() < seconds) {
        search.goOn();
        continue;
      }
    }
    if (!deeper) break;
    found = deeper;
    report(told());
  }
  return told();
}

/**
 * The first depth takes no time, so no stop ends it: one that was meant for an earlier search is forgotten,
 * and one that was meant for this search comes as a message, too.
 *
 * @param {Search} search
 */
function firstDepth(search) {
  for (;;) {
    const found = search.advance();
    if (found) return found;
    search.goOn();
  }
}

/** @param {{id: number} & Thinking} request */
async function think({ id, rules, game, table, limits }) {
  const player = await playerFor(rules);
  const { found, remark } = await lookUp(id, player, table, game, limits);
  if (found) return found;
  player.search.begin(game, limits);
  const seconds = limits.seconds ?? Number.POSITIVE_INFINITY;
  const last = await deepenTogether(id, player, seconds, (report) => send({ id, report: { ...report, remark } }));
  return { ...last, remark };
}

/**
 * What the table says, as the search would report it; where it is damaged or cannot be reached, the
 * search answers, and the remark says why.
 *
 * @param {number} id
 * @param {Player} player
 * @param {string | null} url
 * @param {History} game
 * @param {TimedLimits} limits
 * @returns {Promise<{found: Report | null, remark: string | null}>}
 */
async function lookUp(id, player, url, game, limits) {
  try {
    const table = await unlessStopped(id, player.table(url));
    return { found: table && (await exactReport(id, player, table, game, limits)), remark: null };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { found: null, remark: error.message };
  }
}

/**
 * The values are reported at once: the best lines need far more of the table. There are none if it is stopped before.
 *
 * @param {number} id
 * @param {Player} player
 * @param {Table} table
 * @param {History} game
 * @param {TimedLimits} limits
 * @returns {Promise<Report | null>}
 */
async function exactReport(id, { search }, table, game, { variations: count = 1, everyMove = false }) {
  const began = performance.now();
  const values = await unlessStopped(id, table.moves(game));
  if (!values) return null;
  const all = values.map((value) => ({ moves: [value.move], score: scoreOf(value) }));
  const variations = all.slice(0, count);
  const others = everyMove ? all.slice(count) : [];
  const told = () => {
    const depth = Math.max(...variations.map(({ moves }) => moves.length));
    const seconds = (performance.now() - began) / 1000;
    return { depth, nodes: values.length, seconds, variations, others, exact: true, remark: null };
  };
  send({ id, report: told() });
  for (const variation of variations) {
    await turn();
    if (stopped.has(id)) break;
    const answers = await unlessStopped(id, bestAnswers(search, table, game, variation.moves[0] ?? ""));
    if (!answers) break;
    variation.moves.push(...answers);
  }
  return told();
}

/**
 * Best play after a move.
 *
 * @param {Search} search
 * @param {Table} table
 * @param {History} game
 * @param {string} move
 */
async function bestAnswers(search, table, game, move) {
  const after = search.law.play(/** @type {import("./law.js").Position} */ (game.positions.at(-1)), move);
  const ends = search.law.outcome(after) !== null || search.drawsByRepetition(game, move);
  return ends ? [] : table.bestLine(after);
}

/** @param {MoveValue} value */
function scoreOf({ value, distance }) {
  if (distance === null) return 0;
  return value === "win" ? WIN - distance : distance - WIN;
}

/** @param {{id: number} & Choosing} request @returns {Promise<string>} */
async function choose({ id, rules, game, table, level }) {
  const player = await playerFor(rules);
  const { search } = player;
  player.meet(game);
  if (level === "random") {
    const last = /** @type {import("./law.js").Position} */ (game.positions.at(-1));
    return search.pick(game.moves ?? search.law.legalMoves(last));
  }
  if (level === "perfect") return perfect(id, rules, game, table);
  const seconds = MAXIMUM_SECONDS[level];
  if (seconds) return byClock(id, player, game, seconds);
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
  return byClock(id, player, game, MEANWHILE);
}

/**
 * The best move that is found in this time.
 *
 * @param {number} id
 * @param {Player} player
 * @param {History} game
 * @param {number} seconds
 */
async function byClock(id, player, game, seconds) {
  player.search.begin(game);
  const found = await deepenTogether(id, player, seconds, (report) => send({ id, report }));
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
    if (error instanceof EngineError) send({ id: request.id, error: error.message });
    else {
      console.error(error);
      send({ id: request.id, isBroken: true });
    }
  }
  stopped.delete(request.id);
}

/** @param {MessageEvent<Request>} event */
self.onmessage = ({ data }) => {
  if (data.action === "stop") {
    stopped.add(data.id);
    heardStop(data.id);
  } else if (data.action === "live") send({ id: 0 });
  else queue = queue.then(() => answer(data));
};

// It is free again when this worker has ended, whatever the reason: so the page hears of it.
navigator.locks?.request(self.name, () => {
  self.postMessage({ lock: self.name });
  return new Promise(() => undefined);
});
// The first request will need it.
module().catch(() => undefined);
