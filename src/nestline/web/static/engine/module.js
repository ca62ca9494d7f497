/**
 * The compiled functions of the Python package, as WebAssembly: loading them, and their memory.
 * `law` speaks of games instead. docs/program/browser.md describes both.
 *
 * @import { Load } from "./asking.js"
 * @import { Exports } from "./layout.js"
 */

import { MOST_PAGES } from "./layout.js";

/** The module's data lie below, then the stack, which grows downwards from here. */
const STACK_TOP = 1 << 17;
const PAGE = 1 << 16;
const MODULE = "nestline.wasm";
const NOT_ALLOWED = "The engine cannot run in this browser, which does not allow WebAssembly.";
const DAMAGED = "The engine cannot be loaded: its file is damaged.";
/** The end of the name of the memory's import, and the sign of a memory; then come its limits. */
const MEMORY = new TextEncoder().encode("__linear_memory\x02");
const [LIMITED, SHARED] = [1, 3];

/** The file was not there, or this browser does not run it. */
export class EngineError extends Error {
  name = "EngineError";
}

class DamagedFile extends EngineError {}

/** Whether threads can share memory here: the page must be isolated from other origins. WebKitGTK never can. */
export const canShare = globalThis.crossOriginIsolated === true && "SharedArrayBuffer" in globalThis;

/**
 * The module, fetched from beside this file unless its bytes are given.
 *
 * @param {BufferSource} [bytes]
 * @param {boolean} [isShared]  whether its memory can be shared by threads
 * @param {Load} [load]
 */
export async function loadModule(bytes, isShared = false, load = fetch) {
  if (bytes) return WebAssembly.compile(bytes);
  const compiled = async (/** @type {RequestInit | undefined} */ options) => {
    const content = new Uint8Array(await engineFile(MODULE, load, options));
    try {
      return await WebAssembly.compile(isShared ? sharing(content) : content);
    } catch (error) {
      throw isWhole(content)
        ? new EngineError(NOT_ALLOWED, { cause: error })
        : new DamagedFile(DAMAGED, { cause: error });
    }
  };
  try {
    return await compiled(undefined);
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    // The browser may have kept what was cut off on its way.
    return compiled({ cache: "reload" });
  }
}

/** Whether a file is the module, and all of it. @param {Uint8Array<ArrayBuffer>} content */
function isWhole(content) {
  try {
    return WebAssembly.validate(content);
  } catch {
    return true; // nothing is known about it where there is no WebAssembly
  }
}

/**
 * A file beside this one.
 *
 * @param {string} name
 * @param {Load} load
 * @param {RequestInit} [options]
 */
export async function engineFile(name, load, options) {
  let reason = "there is no connection";
  try {
    const response = await load(new URL(name, import.meta.url), options);
    reason = response.ok ? "the connection broke off" : `the server answered ${response.status}`;
    if (response.ok) return await response.arrayBuffer();
  } catch {
    // The reason has been told.
  }
  throw new EngineError(`The engine cannot be loaded: ${reason}.`);
}

/**
 * The module for a shared memory: the same, but for one bit of the memory's type.
 *
 * @param {Uint8Array<ArrayBuffer>} content
 */
function sharing(content) {
  const place = content.findIndex((_, start) => MEMORY.every((byte, index) => content[start + index] === byte));
  const limits = place + MEMORY.length;
  if (content[limits] !== LIMITED) throw new Error("the module's memory has other limits");
  const changed = content.slice();
  changed[limits] = SHARED;
  return changed;
}

/** A running copy of the module, with memory of its own or that of another thread. */
export class Instance {
  /**
   * @param {WebAssembly.Module} module
   * @param {{isShared?: boolean, memory?: WebAssembly.Memory, stackTop?: number}} [options]
   */
  constructor(module, { isShared = false, memory, stackTop = STACK_TOP } = {}) {
    const limits = { initial: STACK_TOP / PAGE, maximum: MOST_PAGES, shared: isShared };
    this.module = module;
    this.memory = memory ?? new WebAssembly.Memory(limits);
    const stack = new WebAssembly.Global({ value: "i32", mutable: true }, stackTop);
    const instance = new WebAssembly.Instance(module, {
      env: { __linear_memory: this.memory, __stack_pointer: stack },
    });
    /** The exported functions. */
    this.call = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    this._end = STACK_TOP;
    this._scratch = { address: 0, bytes: 0 };
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

  /**
   * Memory for what is read as soon as it is written: the same for all who ask.
   *
   * @param {number} bytes
   */
  scratch(bytes) {
    if (this._scratch.bytes < bytes) this._scratch = { address: this.reserve(bytes), bytes };
    return this._scratch.address;
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
