/**
 * The engine's worker, which may end without being asked to: by an error, or because the browser takes its memory.
 * Browsers tell the page of errors only, so the worker also holds a lock as long as it lives.
 *
 * @import { Answer } from "./worker.js"
 */
import { loadFor } from "./asking.js";

/** How often a worker is asked for a sign of life, in milliseconds. */
const EVERY = 1000;

/** @typedef {{hear: (answer: Answer) => void, lost: () => void, patience: () => number}} Owner */

export class LiveWorker {
  /**
   * @param {Owner} owner  hears what the worker tells, and that it is lost: by an error, or after so many seconds
   *   without a sign of life
   */
  constructor(owner) {
    this._owner = owner;
    /** Whether there has been any sign of life. */
    this.hasBegun = false;
    this._isOver = false;
    this._silence = 0;
    const name = `nestline-engine-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
    this._worker = new Worker(new URL("worker.js", import.meta.url), { type: "module", name });
    this._worker.onmessage = ({ data, ports }) => this._hear(data, ports);
    this._worker.onmessageerror = () => this._lose();
    this._worker.onerror = (event) => {
      event.preventDefault();
      this._lose();
    };
    // It counts how often it has asked: a device that sleeps, sleeps with all its workers.
    this._timer = setInterval(() => this._ask(), EVERY);
  }

  /** @param {object} message */
  post(message) {
    this._worker.postMessage(message);
  }

  end() {
    this._isOver = true;
    clearInterval(this._timer);
    this._worker.terminate();
  }

  /** @param {any} data @param {readonly MessagePort[]} ports */
  _hear(data, ports) {
    if (this._isOver) return;
    this.hasBegun = true;
    this._silence = 0;
    if (data.wanted) void loadFor(data.wanted, ports[0]);
    else if (data.lock) navigator.locks.request(data.lock, () => this._lose()).catch(() => undefined);
    else if (data.id) this._owner.hear(data);
  }

  /** While it computes it does not answer, so the owner says how long that may take. */
  _ask() {
    const patience = this._owner.patience();
    this._silence = patience === 0 ? 0 : this._silence + EVERY / 1000;
    if (patience === 0) return;
    if (this._silence > patience) this._lose();
    else this._worker.postMessage({ id: 0, action: "live" });
  }

  _lose() {
    if (this._isOver) return;
    this.end();
    this._owner.lost();
  }
}
