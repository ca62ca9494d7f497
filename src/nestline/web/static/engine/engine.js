/**
 * The engine as the rest of the page sees it: it thinks in a worker, and stops at once.
 *
 * What was found so far is the answer to a stop. Where the page is isolated, it shares memory with its
 * workers: several threads search, and a word in that memory stops them. Elsewhere a search cannot be
 * reached: it ends between two depths; if that takes too long, the worker is ended, and another one
 * begins with an empty transposition table.
 *
 * A worker can be lost, for want of memory for example. Then another one gets what has not been answered; only a
 * request that was being answered when two workers were lost is given up.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { History } from "./search.js"
 * @import { MoveValue } from "./table.js"
 * @import { Answer, Report, TimedLimits } from "./worker.js"
 */
import { MAXIMUM_SECONDS, MOST_SECONDS } from "./layout.js";
import { LiveWorker } from "./live_worker.js";
import { EngineError } from "./module.js";

/** The fields of a rule set that matter to the engine; the others may change. @param {RuleSet} rules */
function fieldsOfPlay(rules) {
  const { board, line, line_sizes, wrap, misere, stock, reserve, place_onto, cover, moving, same_square } = rules;
  const { reveal, both_lines, no_move, draw_all_placed, draw_board_full, repetition } = rules;
  return {
    ...{ board, line, line_sizes, wrap, misere, stock, reserve, place_onto, cover, moving, same_square },
    ...{ reveal, both_lines, no_move, draw_all_placed, draw_board_full, repetition },
  };
}

/** A stopped worker has this long to end its search by itself. */
const PATIENCE = 30;
/** A time limit may be passed by this much before the search is ended from outside. */
const LATE = 200;
/** A worker that gives no sign of life is lost after what it computes, and so many seconds: devices may be slow. */
const LEAST_PATIENCE = 30;
/** So many workers may be lost by one request. */
const MOST_LOST = 2;

const STOPPED = "The engine has stopped twice. This device may have too little free memory: please try again.";
const NOT_STARTED = "The engine cannot be started. Please check the connection, and load the page again.";

/**
 * @typedef {{report?: (report: Report) => void, signal?: AbortSignal}} Options
 *   `report` is called with each depth; aborting the signal stops the search
 */

/**
 * @typedef {{request: any, resolve: (answer: any) => void, reject: (error: Error) => void, last: Report | null,
 *   isStopped: boolean, lost: number, stop?: Int32Array, report?: (report: Report) => void}} Job
 */

export class Engine {
  /** @param {(name: string) => string | null} tableOf  the address of a rule set's table, if there is one */
  constructor(tableOf) {
    this._tableOf = tableOf;
    this._next = 1;
    /** The jobs that are not answered, in the order in which they were asked. @type {Map<number, Job>} */
    this._jobs = new Map();
    /** @type {LiveWorker | null} */
    this._worker = null;
  }

  /**
   * Think about a game that is not over; the answer is the last report. Without limits it thinks
   * until it is stopped.
   *
   * @param {RuleSet} rules
   * @param {History} game
   * @param {TimedLimits} limits
   * @param {Options} [options]
   * @returns {Promise<Report>}
   */
  think(rules, game, limits, options) {
    return this._askUntil({ action: "think", limits, ...this._question(rules, game) }, options);
  }

  /**
   * The move of a level: `random`, a number, `easy`, `medium`, `hard`, `perfect`, or `maximum`, which
   * reports as it deepens. Where there is no table, `perfect` plays by the search.
   *
   * @param {RuleSet} rules
   * @param {History} game
   * @param {string} level
   * @param {Options} [options]  a choice that is stopped is rejected
   * @returns {Promise<string>}
   */
  choose(rules, game, level, options) {
    return this._askUntil({ action: "choose", level, ...this._question(rules, game) }, options);
  }

  /**
   * The exact value of every move, best first; null if there is no table of these rules.
   *
   * @param {RuleSet} rules
   * @param {History} game
   * @returns {Promise<MoveValue[] | null>}
   */
  values(rules, game) {
    return this._ask({ action: "values", ...this._question(rules, game) }).answer;
  }

  /** End the worker; what was asked is not answered. */
  close() {
    this._worker?.end();
    this._worker = null;
    for (const job of this._jobs.values()) job.reject(new EngineError("The engine was closed."));
    this._jobs.clear();
  }

  /** @param {RuleSet} rules @param {History} game */
  _question(rules, game) {
    const address = rules.custom ? null : this._tableOf(rules.name);
    const table = address === null ? null : new URL(address, document.baseURI).href;
    return { rules: fieldsOfPlay(rules), game, table };
  }

  /** Ask until the signal says to stop. @param {any} question @param {Options} [options] @returns {Promise<any>} */
  _askUntil(question, { report, signal } = {}) {
    const { id, answer } = this._ask(question, report);
    signal?.addEventListener("abort", () => this._stop(id), { once: true });
    if (signal?.aborted) this._stop(id);
    return answer;
  }

  /** @param {any} question @param {(report: Report) => void} [report] */
  _ask(question, report) {
    const id = this._next;
    this._next += 1;
    const request = { id, ...question };
    const answer = new Promise((resolve, reject) => {
      this._jobs.set(id, { request, resolve, reject, last: null, isStopped: false, lost: 0, report });
    });
    this._running().post(request);
    return { id, answer };
  }

  _running() {
    this._worker ??= new LiveWorker({
      hear: (answer) => this._hear(answer),
      lost: () => this._lose(),
      patience: () => this._patience(),
    });
    return this._worker;
  }

  /** @param {Answer} message */
  _hear({ id, stop, report, answer, error, isBroken }) {
    const job = this._jobs.get(id);
    if (!job) return;
    if (isBroken) {
      // Nobody knows what a failure leaves behind in its memory.
      this._lose();
      return;
    }
    if (stop) {
      job.stop = stop;
      if (job.isStopped) stop[0] = 1;
      return;
    }
    if (report) {
      const seconds = job.request.limits?.seconds;
      if (!job.last && seconds !== undefined) this._endAfter(id, (seconds - report.seconds) * 1000 + LATE);
      job.last = report;
      if (job.isStopped) job.resolve(report);
      else job.report?.(report);
      return;
    }
    this._jobs.delete(id);
    if (error === undefined) job.resolve(answer);
    else job.reject(new EngineError(error));
  }

  /** @param {number} id */
  _stop(id) {
    const job = this._jobs.get(id);
    if (!job) return;
    job.isStopped = true;
    if (job.request.action === "choose") job.reject(new EngineError("The computer has been stopped."));
    else if (job.last) job.resolve(job.last);
    this._worker?.post({ id, action: "stop" });
    if (job.stop) job.stop[0] = 1;
    else this._endAfter(id, PATIENCE);
  }

  /** End a search from outside if it is still running then. @param {number} id @param {number} milliseconds */
  _endAfter(id, milliseconds) {
    setTimeout(() => {
      const job = this._jobs.get(id);
      // Reading a table ends by itself between two lines, and the worker keeps what it has read.
      if (!job || job.last?.exact) return;
      if (job.stop) {
        job.stop[0] = 1;
      } else if (job.last) {
        this._jobs.delete(id);
        job.resolve(job.last);
        this._restart();
      } else {
        // It has not begun, since others are before it, or finds its first move in a moment.
        this._endAfter(id, PATIENCE);
      }
    }, milliseconds);
  }

  /** Begin again with another worker, which gets what has not been answered. */
  _restart() {
    this._worker?.end();
    this._worker = null;
    for (const job of this._jobs.values()) {
      job.stop = undefined;
      this._running().post(job.request);
    }
  }

  /** How many seconds the worker may say nothing about the request that it is answering. */
  _patience() {
    const [job] = this._jobs.values();
    if (!job) return 0;
    const { action, level, limits } = job.request;
    if (action === "choose") return LEAST_PATIENCE + (MAXIMUM_SECONDS[level] ?? MOST_SECONDS);
    // A search without a limit of time may stay at one depth for ever.
    return LEAST_PATIENCE + (action === "think" ? (limits.seconds ?? Number.POSITIVE_INFINITY) : 0);
  }

  /** The worker is lost; the first request was being answered. */
  _lose() {
    const hadBegun = this._worker?.hasBegun;
    for (const [id, job] of this._jobs) {
      // It was stopped, and has its answer.
      if (job.isStopped && (job.last || job.request.action === "choose")) this._jobs.delete(id);
    }
    const [first] = this._jobs.values();
    if (first) first.lost += 1;
    if (first && first.lost >= MOST_LOST) {
      this._jobs.delete(first.request.id);
      first.reject(new EngineError(hadBegun ? STOPPED : NOT_STARTED));
    }
    for (const [id, job] of this._jobs) {
      job.last = null;
      if (job.isStopped) this._endAfter(id, PATIENCE);
    }
    this._restart();
  }
}
