/**
 * The one WebSocket of the page: it reconnects by itself, and resumes its watches.
 *
 * The callers know what the messages mean.
 *
 * @import { Game, SeatName } from "./types.js"
 */

import { serverOrigin } from "../site/site.js";
import { Refusal, sentence } from "./api.js";
import { pause, readiness, WAIT_MILLISECONDS } from "./readiness.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const PING_EVERY = 15000;
const ANSWER_WITHIN = 6000;
/** Outages shorter than this are not reported. */
const SAY_AFTER = 700;

/**
 * A watched game; messages about changes do not repeat `you`.
 *
 * @typedef {Omit<Game, "you"> & Partial<Pick<Game, "you">>} WatchedGame
 * @typedef {{id: string, tokens: () => string[], receive: (game: WatchedGame, whole: boolean) => void,
 *   fail: (error: Refusal) => void, meet?: (seats: Presence) => void}} Watcher
 * @typedef {Record<SeatName, "here" | "away" | "gone">} Presence  whether the players are at the board
 * @typedef {(message: any) => boolean} Listener  returns whether it was the last message
 */

export class Connection extends EventTarget {
  constructor() {
    super();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.isOpen = false;
    this.isLost = false;
    this.wait = FIRST_WAIT;
    this.nextAsk = 1;
    /** @type {Map<number, {text: string, listen: Listener, fail: (error: Refusal) => void, hasWaited: boolean}>} */
    this.asked = new Map();
    /** @type {Set<Watcher>} */
    this.watchers = new Set();
    /** How many callers need a connection without watching anything. */
    this.waiting = 0;
    this.timer = 0;
    this.lostTimer = 0;
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("offline", () => this.check());
    document.addEventListener("visibilitychange", () => {
      for (const { id } of this.watchers) this.attend(id);
      if (!document.hidden) this.check();
    });
    window.setInterval(() => this.check(), PING_EVERY);
  }

  /** Connect, unless connected or connecting. */
  open() {
    if (this.socket) return;
    window.clearTimeout(this.timer);
    const { protocol, host } = new URL(serverOrigin || location.href);
    const socket = new WebSocket(`${protocol === "https:" ? "wss:" : "ws:"}//${host}/api/v1/socket`);
    this.socket = socket;
    socket.addEventListener("open", () => this.onOpen());
    socket.addEventListener("message", (event) => this.onMessage(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.onClose(socket));
  }

  onOpen() {
    this.isOpen = true;
    this.wait = FIRST_WAIT;
    window.clearTimeout(this.lostTimer);
    for (const watcher of this.watchers) this.sendWatch(watcher);
    if (this.isLost) {
      this.isLost = false;
      this.dispatchEvent(new Event("found"));
    }
    this.dispatchEvent(new Event("open"));
  }

  /** @param {WebSocket} socket */
  onClose(socket) {
    if (socket !== this.socket) return;
    const wasOpen = this.isOpen;
    this.socket = null;
    this.isOpen = false;
    for (const { fail } of [...this.asked.values()]) fail(new Refusal("lost", "The connection was lost."));
    this.asked.clear();
    if (!this.watchers.size && !this.waiting) return;
    if (wasOpen || !this.lostTimer) {
      window.clearTimeout(this.lostTimer);
      this.lostTimer = window.setTimeout(() => this.tellLoss(), SAY_AFTER);
    }
    const some = this.wait * (0.7 + 0.6 * Math.random());
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
    this.timer = window.setTimeout(() => this.open(), some);
  }

  tellLoss() {
    if (this.isOpen) return;
    this.isLost = true;
    this.dispatchEvent(new Event("lost"));
  }

  /** Reconnect now instead of later. */
  hurry() {
    this.wait = FIRST_WAIT;
    if (!this.socket && (this.watchers.size || this.waiting)) this.open();
  }

  /** Check the connection, which may have died unnoticed while the computer slept. */
  check() {
    if (!this.isOpen) return this.hurry();
    const { socket } = this;
    const timeout = window.setTimeout(() => {
      if (this.socket !== socket || !socket) return;
      socket.close();
      // A dead connection may take minutes to close.
      this.onClose(socket);
    }, ANSWER_WITHIN);
    this.ask({ type: "ping" })
      .catch(() => null)
      .finally(() => window.clearTimeout(timeout));
    return undefined;
  }

  /** @param {any} message */
  onMessage(message) {
    if (message.type === "game") {
      for (const watcher of this.watchers) {
        if (watcher.id === message.game.id) watcher.receive(message.game, "you" in message.game);
      }
    }
    if (message.type === "presence") {
      for (const watcher of this.watchers) if (watcher.id === message.game) watcher.meet?.(message.seats);
    }
    if (message.type === "error" && !message.ask && message.game) {
      // Nobody has asked for this: the game has been deleted.
      const told = new Refusal(message.code, sentence(message.message));
      for (const watcher of [...this.watchers]) if (watcher.id === message.game) watcher.fail(told);
    }
    const asked = this.asked.get(message.ask);
    if (!asked) return;
    if (message.code === "getting-ready") return void this.askAgain(message.ask, sentence(message.message));
    if (asked.hasWaited) readiness.tell(null);
    if (message.type === "error") {
      this.asked.delete(message.ask);
      asked.fail(new Refusal(message.code, sentence(message.message), message.game));
    } else if (asked.listen(message)) this.asked.delete(message.ask);
  }

  /** The server is getting ready. @param {number} ask @param {string} remark */
  async askAgain(ask, remark) {
    readiness.tell(remark);
    await pause(WAIT_MILLISECONDS);
    const asked = this.asked.get(ask);
    if (!asked) return readiness.tell(null);
    asked.hasWaited = true;
    if (this.isOpen) this.socket?.send(asked.text);
  }

  /**
   * Ask something that has one answer.
   *
   * @param {any} message
   * @returns {Promise<any>}
   */
  ask(message) {
    return new Promise((resolve, reject) => {
      const listen = (/** @type {any} */ answer) => {
        resolve(answer);
        return true;
      };
      this.stream(message, listen, reject);
    });
  }

  /**
   * Ask something that has several answers; `listen` returns true after the last.
   *
   * @param {any} message
   * @param {Listener} listen
   * @param {(error: Refusal) => void} fail
   * @returns {() => void}  ends it
   */
  stream(message, listen, fail) {
    const ask = this.nextAsk;
    this.nextAsk += 1;
    if (!this.isOpen || !this.socket) {
      fail(new Refusal("lost", "There is no connection to the server."));
      return () => undefined;
    }
    const text = JSON.stringify({ ...message, ask });
    this.asked.set(ask, { text, listen, fail, hasWaited: false });
    this.socket.send(text);
    return () => {
      if (this.asked.delete(ask) && this.isOpen) {
        this.socket?.send(JSON.stringify({ type: "stop", stops: ask }));
      }
    };
  }

  /** @param {Watcher} watcher */
  watch(watcher) {
    this.watchers.add(watcher);
    this.open();
    if (this.isOpen) this.sendWatch(watcher);
    return () => {
      this.watchers.delete(watcher);
      if (this.isOpen) this.socket?.send(JSON.stringify({ type: "leave", game: watcher.id }));
    };
  }

  /** A game as it is now. @param {string} id @param {string[]} tokens @returns {Promise<Game>} */
  async fetchGame(id, tokens) {
    await this.opened();
    return (await this.ask({ type: "watch", game: id, tokens })).game;
  }

  /** @param {Watcher} watcher */
  sendWatch(watcher) {
    const message = { type: "watch", game: watcher.id, tokens: watcher.tokens() };
    this.ask(message).catch((error) => {
      if (error.code !== "lost") watcher.fail(error);
    });
    if (document.hidden) this.attend(watcher.id);
  }

  /** Tell whether the page is hidden, for the other player of a game. @param {string} id */
  attend(id) {
    if (this.isOpen) this.socket?.send(JSON.stringify({ type: "attend", game: id, hidden: document.hidden }));
  }

  /** Ask again for the whole of a watched game. @param {string} id */
  watchAgain(id) {
    for (const watcher of this.watchers) if (watcher.id === id) this.sendWatch(watcher);
  }

  /** Resolves when there is a connection. @returns {Promise<void>} */
  opened() {
    this.open();
    if (this.isOpen) return Promise.resolve();
    this.waiting += 1;
    return new Promise((resolve) => {
      const done = () => {
        this.waiting -= 1;
        resolve();
      };
      this.addEventListener("open", done, { once: true });
    });
  }
}

export const connection = new Connection();
