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

/** The threads that help those of one instance. */
export class Team {
  /** @param {Instance} instance  with shared memory */
  constructor(instance) {
    this._instance = instance;
    this._size = Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS) - 1;
    /** @type {Worker[]} */
    this._helpers = [];
    /** Those that are still searching. @type {Promise<unknown>[]} */
    this._busy = [];
  }

  /** Help with a search that has begun. @param {Search} search */
  help(search) {
    while (this._helpers.length < this._size) this._helpers.push(this._hire());
    const tasks = search.prepareHelpers(this._size);
    this._busy = this._helpers.map(
      (helper, number) =>
        new Promise((resolve) => {
          helper.onmessage = resolve;
          helper.onerror = resolve;
          helper.postMessage(tasks[number]);
        }),
    );
  }

  /** Stop helping; nothing may be changed in the memory before all have ended. @param {Search} search */
  async rest(search) {
    search.stopHelpers();
    await Promise.all(this._busy);
    this._busy = [];
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
