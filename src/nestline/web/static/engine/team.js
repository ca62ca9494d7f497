/**
 * Threads that help a search where the page is isolated: workers with an instance of the module each,
 * on the memory of the thread they help.
 *
 * @import { Instance } from "./module.js"
 * @import { Search } from "./search.js"
 */

const STACK_BYTES = 1 << 17;
/** More threads than these help little, and take memory and battery. */
const MOST_THREADS = 4;
/** A thread ends within a moment of being told to; one that takes longer than this, in milliseconds, has failed. */
const PATIENCE = 2000;
/** After so many failures the search does without help. */
const MOST_FAILURES = 3;

/** The threads that help those of one instance. */
export class Team {
  /** @param {Instance} instance  with shared memory */
  constructor(instance) {
    this._instance = instance;
    this._size = Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS) - 1;
    /** @type {Worker[]} */
    this._helpers = [];
    /** Those that are still searching. @type {Promise<boolean>[]} */
    this._busy = [];
    this._failures = 0;
  }

  /** Help with a search that has begun. @param {Search} search */
  help(search) {
    while (this._helpers.length < this._size) this._helpers.push(this._hire());
    const tasks = search.prepareHelpers(this._size);
    this._busy = this._helpers.map(
      (helper, number) =>
        new Promise((resolve) => {
          helper.onmessage = () => resolve(true);
          helper.onerror = () => resolve(false);
          helper.postMessage(tasks[number]);
        }),
    );
  }

  /**
   * Stop helping; nothing may be changed in the memory before all have ended. If one has failed, all are
   * let go, and the next search has others.
   *
   * @param {Search} search
   */
  async rest(search) {
    search.stopHelpers();
    let timer = 0;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, PATIENCE, [false]);
    });
    const ended = await Promise.race([Promise.all(this._busy), late]);
    clearTimeout(timer);
    this._busy = [];
    if (ended.every(Boolean)) return;
    this.leave();
    this._failures += 1;
    if (this._failures === MOST_FAILURES) this._size = 0;
  }

  /** Let all threads go. */
  leave() {
    for (const helper of this._helpers) helper.terminate();
    this._helpers = [];
  }

  _hire() {
    const helper = new Worker(new URL("helper.js", import.meta.url), { type: "module" });
    const { module, memory } = this._instance;
    helper.postMessage({ module, memory, stackTop: this._instance.reserve(STACK_BYTES) + STACK_BYTES });
    return helper;
  }
}
