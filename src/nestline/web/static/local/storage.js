/**
 * The games of this browser, in IndexedDB. A game is one entry, and every deed rewrites it in one
 * transaction that is on the disk before it is answered: a killed browser loses nothing.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { Done, StoredGame } from "./local_game.js"
 */

/**
 * A game with the rule set it began with, so that it needs no server to go on.
 *
 * @typedef {StoredGame & {set: RuleSet, changed: number, over: boolean}} KeptGame
 */

const NAME = "nestline";
const STORE = "games";
const BY_CHANGE = "changed";
/** When there are more games the oldest go, finished ones first. */
export const MOST_GAMES = 500;

const IN_MEMORY = "the game goes on, but it is lost when this page is closed.";
const UNREADABLE = "This browser does not open its storage now, so its games cannot be shown.";

/** The browser does not store anything, or no more; the message is for people. */
export class StorageError extends Error {}

/** @type {Promise<IDBDatabase> | null} */
let opening = null;

/** @returns {Promise<IDBDatabase>} */
function database() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: "id" }).createIndex(BY_CHANGE, "changed");
    };
    request.onsuccess = () => {
      // Another tab may want to upgrade it, and a browser may close it for reasons of its own.
      request.result.onversionchange = () => request.result.close();
      request.result.onclose = () => {
        opening = null;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds the storage"));
  });
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

/** @param {unknown} error */
function reasonOf(error) {
  const { name, message } = error instanceof Error ? error : { name: "", message: "" };
  // Of a full disk, Chromium tells only in the message.
  const isFull = name === "QuotaExceededError" || message.includes("NO_SPACE");
  return isFull ? "This browser's storage is full" : "This browser does not store anything";
}

/**
 * Do something with the games in one transaction.
 *
 * @template Result
 * @param {IDBTransactionMode} mode
 * @param {(games: IDBObjectStore, answer: (result: Result) => void) => void} work
 * @returns {Promise<Result | undefined>}
 */
async function transact(mode, work) {
  try {
    const transaction = (await database()).transaction(STORE, mode, { durability: "strict" });
    /** @type {Result | undefined} */
    let result;
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was aborted"));
    });
    work(transaction.objectStore(STORE), (found) => {
      result = found;
    });
    await done;
    return result;
  } catch (error) {
    throw new StorageError(mode === "readonly" ? UNREADABLE : `${reasonOf(error)}: ${IN_MEMORY}`, { cause: error });
  }
}

/** @param {string} id @returns {Promise<KeptGame | undefined>} */
export function load(id) {
  return transact("readonly", (games, answer) => {
    games.get(id).onsuccess = (event) => answer(/** @type {IDBRequest} */ (event.target).result);
  });
}

/** Keep a new game, and make room for it. @param {KeptGame} game */
export async function add(game) {
  await transact("readwrite", (games) => {
    const count = games.count();
    count.onsuccess = () => removeOldest(games, count.result + 1 - MOST_GAMES, true, () => games.put(game));
  });
}

/**
 * Remove the oldest games; unfinished ones only where there are not enough others.
 *
 * @param {IDBObjectStore} games
 * @param {number} surplus  how many go
 * @param {boolean} isSparing  whether unfinished ones stay for now
 * @param {() => void} goOn  what comes then
 */
function removeOldest(games, surplus, isSparing, goOn) {
  if (surplus <= 0) {
    goOn();
    return;
  }
  let left = surplus;
  const oldest = games.index(BY_CHANGE).openCursor();
  oldest.onsuccess = () => {
    const cursor = oldest.result;
    if (cursor && left > 0) {
      if (cursor.value.over || !isSparing) {
        cursor.delete();
        left -= 1;
      }
      cursor.continue();
    } else removeOldest(games, isSparing ? left : 0, false, goOn);
  };
}

/**
 * Add what was done to a game, unless another tab was faster: then the game as stored is the answer.
 *
 * @param {KeptGame} game  before it
 * @param {Done} done
 * @param {boolean} isOver  after it
 * @returns {Promise<KeptGame | undefined>}
 */
export function append(game, done, isOver) {
  return transact("readwrite", (games, answer) => {
    const before = games.get(game.id);
    before.onsuccess = () => {
      const stored = /** @type {KeptGame | undefined} */ (before.result);
      // With fewer deeds it lacks some that could not be stored, and gets them now.
      if (stored && stored.done.length > game.done.length) answer(stored);
      else games.put({ ...game, done: [...game.done, done], changed: done.at, over: isOver });
    };
  });
}

/** Whether there is any game. @returns {Promise<boolean>} */
export async function isAnyKept() {
  const count = await transact("readonly", (games, answer) => {
    games.count().onsuccess = (event) => answer(/** @type {IDBRequest} */ (event.target).result);
  });
  return Boolean(count);
}

/** All games, last changed first. @returns {Promise<KeptGame[]>} */
export async function newest() {
  /** @type {KeptGame[]} */
  const found = [];
  await transact("readonly", (games) => {
    const cursor = games.index(BY_CHANGE).openCursor(null, "prev");
    cursor.onsuccess = () => {
      if (!cursor.result) return;
      found.push(cursor.result.value);
      cursor.result.continue();
    };
  });
  return found;
}

/** @param {string} id */
export async function remove(id) {
  await transact("readwrite", (games) => {
    games.delete(id);
  });
}
