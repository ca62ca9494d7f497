/**
 * The host of the games in this browser: it does what the server does for its games. Each action is
 * stored, then told to whoever watches the game, here and in other tabs; then the computer thinks.
 *
 * @import { Action, Game as GameMessage, NewGame, RuleSet } from "../server/types.js"
 * @import { Host } from "../shared/hosts.js"
 * @import { Watcher } from "../server/connection.js"
 * @import { Deed } from "./actions.js"
 * @import { Referee } from "./referee.js"
 * @import { KeptGame } from "./storage.js"
 */
import { EngineError } from "../engine/module.js";
import { fetchRuleSet, messageOf, Refusal, sentence } from "../server/api.js";
import { LOCAL } from "../shared/hosts.js";
import { decide } from "./computer.js";
import { LocalGame, setUp } from "./local_game.js";
import { writeRecord } from "./record.js";
import { rulesOf } from "./record_reader.js";
import { refereeFor } from "./referees.js";
import * as say from "./sentences.js";
import * as storage from "./storage.js";

/**
 * A game in memory: as it is stored, and as it stands; `thinking` ends when the computer need not
 * think any more, and `problem` is why it does not play.
 *
 * @typedef {{kept: KeptGame, local: LocalGame, thinking: AbortController | null, problem: string | null}} Room
 */

const ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const ID_LENGTH = 12;

function newId() {
  const numbers = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
  return LOCAL + Array.from(numbers, (number) => ID_LETTERS[number % ID_LETTERS.length]).join("");
}

/** Refusals as sentences that begin like one. @template Result @param {() => Result} work */
function inSentences(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(error.code, sentence(error.message));
    throw error;
  }
}

/** @implements {Host} */
export class LocalHost {
  constructor() {
    this.isOpen = true;
    /** @type {Map<string, Room>} */
    this.rooms = new Map();
    /** Games on their way from the storage. @type {Map<string, Promise<Room>>} */
    this.entering = new Map();
    /** @type {Set<Watcher>} */
    this.watchers = new Set();
    /** @type {Promise<void>} */
    this.queue = Promise.resolve();
    /** What people have to know about the storage. @type {string | null} */
    this.warning = null;
    this.isWarned = false;
    this.others = new BroadcastChannel("nestline-games");
    this.others.onmessage = ({ data }) => void this.hear(data.id, data.number);
  }

  open() {}

  /** Begin a game. @param {NewGame} wanted @returns {Promise<GameMessage>} */
  async create(wanted) {
    const { record } = wanted;
    const set = await fetchRuleSet(record ? inSentences(() => rulesOf(record)) : String(wanted.rules));
    const referee = await refereeFor(set);
    const setup = inSentences(() => setUp(referee, wanted));
    return (await this.begin(referee, set, setup, newId())).local.message();
  }

  /**
   * @param {Referee} referee
   * @param {RuleSet} set
   * @param {import("./local_game.js").Setup} setup
   * @param {string} id
   */
  async begin(referee, set, setup, id) {
    const created = Date.now();
    const stored = { id, rules: set.name, setup, created, done: [] };
    const local = new LocalGame(referee, stored);
    const kept = { ...stored, set, changed: created, over: local.game.end !== null };
    const room = { kept, local, thinking: null, problem: null };
    this.rooms.set(id, room);
    await this.store(() => storage.add(kept));
    return room;
  }

  /** @param {string} id @returns {Promise<Room>} */
  async find(id) {
    const room = this.rooms.get(id);
    if (room) return room;
    const entering = this.entering.get(id) ?? this.enter(id).finally(() => this.entering.delete(id));
    this.entering.set(id, entering);
    return entering;
  }

  /** Take a game from the storage. @param {string} id @returns {Promise<Room>} */
  async enter(id) {
    const kept = await storage.load(id).catch((error) => {
      throw new Refusal("storage", messageOf(error));
    });
    if (!kept)
      throw new Refusal(
        "not-found",
        "There is no such game in this browser. Games against the computer and on one screen are kept in the browser " +
          "they were played in; “Share” there makes a link for others.",
      );
    const referee = await refereeFor(kept.set);
    const room = { kept, local: new LocalGame(referee, kept), thinking: null, problem: null };
    this.rooms.set(id, room);
    return room;
  }

  /** @param {string} id */
  async fetchGame(id) {
    return (await this.find(id)).local.message();
  }

  /** @param {string} id */
  async fetchRules(id) {
    return (await this.find(id)).kept.set;
  }

  /** @param {Watcher} watcher */
  watch(watcher) {
    this.watchers.add(watcher);
    this.warn();
    this.find(watcher.id).then(
      (room) => {
        this.look(room);
        watcher.receive(this.message(room), true);
      },
      (error) => watcher.fail(error),
    );
    return () => {
      this.watchers.delete(watcher);
    };
  }

  /** @param {string} id */
  watchAgain(id) {
    const room = this.rooms.get(id);
    if (!room) return;
    // The computer tries again, if it could not play.
    this.look(room);
    this.tell(room);
  }

  /** @param {string} id @param {Action} action */
  async act(id, action) {
    const room = await this.find(id);
    await this.inTurn(() => this.commit(room, () => room.local.settle(action, newId())));
  }

  /**
   * One change at a time: what is stored and what is told must not overtake each other.
   *
   * @param {() => Promise<void>} work
   */
  inTurn(work) {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  /** @param {string} id @param {string} square */
  async peek(id, square) {
    const room = await this.find(id);
    return inSentences(() => room.local.peek(square));
  }

  /** @param {string} id */
  async record(id) {
    const room = await this.find(id);
    return inSentences(() => room.local.record());
  }

  /** The record with which the server takes the game over; its owner may show what is covered. @param {string} id */
  async wholeRecord(id) {
    const { local } = await this.find(id);
    const game = local.game.copy();
    game.plyLimit = local.plyLimit;
    return writeRecord(game, local.day);
  }

  /** Decide, do, store and tell it. @param {Room} room @param {() => Deed} settle */
  async commit(room, settle) {
    const { kept, local } = room;
    const at = Date.now();
    const { deed, after } = inSentences(() => {
      const settled = settle();
      return { deed: settled, after: local.after(settled, at) };
    });
    if (deed.action === "rematch") await this.begin(local.referee, kept.set, after.nextSetup(), deed.game);
    const done = { deed, at };
    const over = after.game.end !== null;
    const ahead = await this.store(() => storage.append(kept, done, over));
    if (ahead) {
      this.catchUp(room, ahead);
      throw new Refusal("stale", sentence(say.stale(room.local.number, local.number)));
    }
    room.kept = { ...kept, done: [...kept.done, done], changed: at, over };
    this.moveOn(room, after);
    this.others.postMessage({ id: kept.id, number: after.number });
    this.tell(room);
    this.look(room);
  }

  /** @param {Room} room @param {KeptGame} kept */
  catchUp(room, kept) {
    room.kept = kept;
    this.moveOn(room, new LocalGame(room.local.referee, kept));
    this.tell(room);
    this.look(room);
  }

  /** The state before is not worth thinking about any more. @param {Room} room @param {LocalGame} local */
  moveOn(room, local) {
    room.local = local;
    room.thinking?.abort();
    room.thinking = null;
    room.problem = null;
  }

  /** Another tab has changed a game. @param {string} id @param {number} number */
  async hear(id, number) {
    // A game that is just being taken from the storage may have been read before this change.
    const room = this.rooms.get(id) ?? (await this.entering.get(id)?.catch(() => null));
    if (!room || room.local.number >= number) return;
    const kept = await this.store(() => storage.load(id));
    if (kept && kept.done.length > room.local.number) this.catchUp(room, kept);
  }

  /** @param {Room} room */
  tell(room) {
    const message = this.message(room);
    for (const watcher of this.watchers) if (watcher.id === room.local.id) watcher.receive(message, true);
  }

  /** The game as it stands, and what keeps the computer from playing. @param {Room} room @returns {GameMessage} */
  message({ local, problem }) {
    const message = local.message();
    const { thinking } = message;
    return thinking && problem ? { ...message, thinking: { ...thinking, remark: problem } } : message;
  }

  /** Let the computer do what it has to do in a game that is watched. @param {Room} room */
  look(room) {
    const { local } = room;
    const isWatched = [...this.watchers].some((watcher) => watcher.id === local.id);
    if (local.computerSeat === null || room.thinking || !isWatched) return;
    const abort = new AbortController();
    room.thinking = abort;
    room.problem = null;
    decide(local, abort.signal)
      .then((deed) =>
        this.inTurn(async () => {
          // The game may have moved on meanwhile.
          if (room.local === local) await this.commit(room, () => deed);
        }),
      )
      .catch((error) => {
        if (!(error instanceof EngineError || error instanceof Refusal)) console.error(error);
        if (room.local !== local) return;
        room.thinking = null;
        room.problem = messageOf(error);
        this.tell(room);
      });
  }

  /**
   * Use the storage; where that fails, people are told once, and the game goes on in memory.
   *
   * @template Result
   * @param {() => Promise<Result>} work
   * @returns {Promise<Result | undefined>}
   */
  async store(work) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof storage.StorageError)) throw error;
      this.warning = error.message;
      this.warn();
      return undefined;
    }
  }

  /** Say once what the storage does not do, as soon as somebody watches. */
  warn() {
    if (this.isWarned || !this.warning) return;
    for (const watcher of this.watchers) {
      this.isWarned = true;
      watcher.fail(new Refusal("storage", this.warning));
    }
  }
}

export const localHost = new LocalHost();
