/**
 * The file of a tablebase, read block by block with range requests. Who wants many blocks gets the whole
 * file, by one request; so it is where the server ignores ranges. Every byte is checked against the file's
 * checksums; docs/research/tables.md describes the format.
 *
 * @import { Load } from "./asking.js"
 * @import { Instance } from "./module.js"
 */
import { decompress } from "./fzstd/fzstd.js";
import { EngineError } from "./module.js";

const MAGIC = "nestline";
const VERSION = 1;
const HEADER_BYTES = 92;
const BLOCK_BYTES = 20;
const DIGEST_BYTES = 16;
const CHECKSUM_BYTES = 32;
/** Enough for the header and index of every table that comes with the package. */
const FIRST_REQUEST = 1 << 16;
/** Decompressed blocks in memory, a quarter of a megabyte each. */
const CACHED_BLOCKS = 64;
/** So many blocks are read one by one, enough for the moves of a position; then the whole file is, which is faster. */
const MOST_PARTS = 32;
const SCRATCH_WORDS = 80;

/** @typedef {{blockEntries: number, entries: number, offsets: number[], digests: Uint8Array[]}} Header */

/** There is no table at this address. */
export class NoTable extends EngineError {}

export class TableFile {
  /**
   * @param {string | URL} url
   * @param {Instance} instance  whose checksums are used
   * @param {Load} [load]
   */
  constructor(url, instance, load = (...wanted) => fetch(...wanted)) {
    this._request = load;
    this._url = url;
    this._instance = instance;
    this._scratch = instance.reserve(8 * SCRATCH_WORDS);
    this._room = { address: 0, bytes: 0 };
    /** @type {Uint8Array | null} */
    this._whole = null;
    /** @type {Promise<unknown> | null} */
    this._loading = null;
    this._parts = 0;
    /** @type {Promise<Header> | null} */
    this._header = null;
    /** @type {Map<number, Promise<Uint8Array>>} */
    this._blocks = new Map();
  }

  /** The checked header and index, which are read once. */
  header() {
    this._header ??= this._readHeader();
    return this._header;
  }

  /**
   * The entries of blocks, checked and decompressed.
   *
   * @param {Iterable<number>} numbers
   * @returns {Promise<Map<number, Uint8Array>>}
   */
  async blocks(numbers) {
    const wanted = [...new Set(numbers)];
    const missing = wanted.filter((number) => !this._blocks.has(number)).length;
    if (this._parts + missing > MOST_PARTS) await this.loadWhole();
    this._parts += missing;
    const found = wanted.map(async (number) => /** @type {const} */ ([number, await this._block(number)]));
    return new Map(await Promise.all(found));
  }

  /** @param {number} number @returns {Promise<Uint8Array>} */
  _block(number) {
    let found = this._blocks.get(number);
    this._blocks.delete(number);
    if (!found) {
      found = this._readBlock(number);
      // What has failed may work next time.
      found.catch(() => this._blocks.delete(number));
    }
    this._blocks.set(number, found);
    if (this._blocks.size > CACHED_BLOCKS)
      this._blocks.delete(/** @type {number} */ (this._blocks.keys().next().value));
    return found;
  }

  async _readHeader() {
    let start = await this._bytes(0, FIRST_REQUEST);
    if (new TextDecoder().decode(start.subarray(0, MAGIC.length)) !== MAGIC)
      throw this._damaged("it is not a tablebase");
    let view = new DataView(start.buffer, start.byteOffset, start.byteLength);
    if (start.length < HEADER_BYTES) throw this._damaged("it is cut off inside its header");
    const version = view.getUint32(8, true);
    if (version !== VERSION) throw this._damaged(`it has format ${version}, and this page reads format ${VERSION}`);
    const count = view.getUint32(24, true);
    const end = HEADER_BYTES + count * BLOCK_BYTES;
    if (end + CHECKSUM_BYTES > start.length) {
      start = await this._bytes(0, end + CHECKSUM_BYTES);
      view = new DataView(start.buffer, start.byteOffset, start.byteLength);
    }
    const told = start.subarray(end, end + CHECKSUM_BYTES);
    if (told.length < CHECKSUM_BYTES) throw this._damaged("it is cut off inside its header");
    if (!equal(this._sha256(start.subarray(0, end)), told)) {
      throw this._damaged("the checksum of its header does not fit");
    }
    const offsets = [end + CHECKSUM_BYTES];
    const digests = [];
    for (let block = 0; block < count; block += 1) {
      const place = HEADER_BYTES + block * BLOCK_BYTES;
      offsets.push(/** @type {number} */ (offsets.at(-1)) + view.getUint32(place, true));
      digests.push(start.slice(place + 4, place + 4 + DIGEST_BYTES));
    }
    return { blockEntries: view.getUint32(12, true), entries: Number(view.getBigUint64(16, true)), offsets, digests };
  }

  /** @param {number} number */
  async _readBlock(number) {
    const { blockEntries, entries, offsets, digests } = await this.header();
    const [first, last, digest] = [offsets[number], offsets[number + 1], digests[number]];
    if (first === undefined || last === undefined || !digest) throw this._damaged(`it has no block ${number + 1}`);
    const compressed = await this._bytes(first, last);
    if (equal(this._blake2b(compressed), digest)) {
      const expected = Math.min(blockEntries, entries - number * blockEntries);
      const block = decompress(compressed, new Uint8Array(expected));
      if (block.length === expected) return block;
    }
    throw this._damaged(`block ${number + 1} of ${digests.length} is not as written`);
  }

  /**
   * A part of the file, shorter where the file ends.
   *
   * @param {number} first
   * @param {number} last  the first byte that is not wanted
   */
  async _bytes(first, last) {
    if (this._whole) return this._whole.subarray(first, last);
    const { content, isPart } = await this._load({ Range: `bytes=${first}-${last - 1}` });
    if (isPart && (first > 0 || content.length === last)) return content;
    this._whole = content;
    return content.subarray(first, last);
  }

  /** From now on, no block needs a request. */
  async loadWhole() {
    if (this._whole) return;
    this._loading ??= this._load()
      .then(({ content }) => {
        this._whole = content;
      })
      .finally(() => {
        this._loading = null;
      });
    await this._loading;
  }

  /** @param {Record<string, string>} [headers] */
  async _load(headers) {
    let response;
    let content;
    try {
      // A part in the browser's cache would displace the whole file of an earlier visit.
      response = await this._request(this._url, headers && { headers, cache: "no-store" });
      content = new Uint8Array(await response.arrayBuffer());
    } catch {
      const reason = response ? "the connection broke off" : "there is no connection";
      throw new EngineError(`The tablebase cannot be loaded: ${reason}.`);
    }
    if (response.status === 404) throw new NoTable("There is no tablebase of this game.");
    if (!response.ok) throw new EngineError(`The tablebase cannot be loaded: the server answered ${response.status}.`);
    return { content, isPart: response.status === 206 };
  }

  /** @param {Uint8Array} content */
  _sha256(content) {
    this._instance.call.sha256(this._copy(content), content.length, this._scratch);
    const digest = new DataView(new ArrayBuffer(CHECKSUM_BYTES));
    for (const [index, word] of this._instance.numbers(this._scratch, 8).entries()) digest.setInt32(4 * index, word);
    return new Uint8Array(digest.buffer);
  }

  /** @param {Uint8Array} content */
  _blake2b(content) {
    this._instance.call.blake2b(this._copy(content), content.length, this._scratch);
    return new Uint8Array(this._instance.memory.buffer, this._scratch, DIGEST_BYTES);
  }

  /** Copy bytes into the module's memory. @param {Uint8Array} content */
  _copy(content) {
    if (content.length > this._room.bytes) {
      const bytes = 2 * content.length;
      this._room = { address: this._instance.reserve(bytes), bytes };
    }
    new Uint8Array(this._instance.memory.buffer).set(content, this._room.address);
    return this._room.address;
  }

  /** @param {string} reason */
  _damaged(reason) {
    return new EngineError(`The tablebase of this game is damaged: ${reason}.`);
  }
}

/** @param {Uint8Array} one @param {Uint8Array} other */
function equal(one, other) {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
