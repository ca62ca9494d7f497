/**
 * The compiled functions of the Python package, as WebAssembly: loading them, and their memory.
 * `law` speaks of games instead. docs/program/browser.md describes both.
 *
 * @import { Exports } from "./layout.js"
 */

/** The module's data lie below, then the stack, which grows downwards from here. */
const STACK_TOP = 1 << 17;
const PAGE = 1 << 16;

/** The file was not there, or this browser does not run it. */
export class EngineError extends Error {}

/**
 * The module, fetched from beside this file unless its bytes are given.
 *
 * @param {BufferSource} [bytes]
 */
export async function loadModule(bytes) {
  if (bytes) return WebAssembly.compile(bytes);
  try {
    const response = await fetch(new URL("nestline.wasm", import.meta.url));
    if (!response.ok) throw new Error(`the answer was ${response.status}`);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError(`The engine cannot run in this browser: ${reason}`);
  }
}

/** A running copy of the module with memory of its own. */
export class Instance {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.memory = new WebAssembly.Memory({ initial: STACK_TOP / PAGE });
    const stack = new WebAssembly.Global({ value: "i32", mutable: true }, STACK_TOP);
    const instance = new WebAssembly.Instance(module, {
      env: { __linear_memory: this.memory, __stack_pointer: stack },
    });
    /** The exported functions. */
    this.call = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    this._end = STACK_TOP;
    this._view = new DataView(this.memory.buffer);
  }

  /**
   * Memory for this many bytes, filled with zeros; it is never given back.
   *
   * @param {number} bytes
   * @returns {number} its address
   */
  reserve(bytes) {
    const address = this._end;
    this._end += Math.ceil(bytes / 16) * 16;
    const missing = this._end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  /** All of the memory; not to be kept, since it changes when memory is reserved. */
  get view() {
    if (this._view.buffer !== this.memory.buffer) this._view = new DataView(this.memory.buffer);
    return this._view;
  }

  /** @param {number} address @param {number} index @param {bigint} word */
  setWord(address, index, word) {
    this.view.setBigInt64(address + 8 * index, word, true);
  }

  /** @param {number} address @param {number} index */
  word(address, index) {
    return this.view.getBigInt64(address + 8 * index, true);
  }

  /** Write words that are small numbers. @param {number} address @param {number[]} numbers */
  setNumbers(address, numbers) {
    for (const [index, number] of numbers.entries()) this.setWord(address, index, BigInt(number));
  }

  /** Read words that are small numbers. @param {number} address @param {number} count */
  numbers(address, count) {
    const view = this.view;
    return Array.from({ length: count }, (_, index) => view.getInt32(address + 8 * index, true));
  }
}
