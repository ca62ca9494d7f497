/**
 * One game as this page follows it: the server's last word, the moves so far, and what is being
 * sent. An action that a lost connection swallowed is sent again, and never done twice.
 *
 * @import { Game, Played, Seat } from "../server/types.js"
 */
import { Refusal } from "../server/api.js";
import { connection } from "../server/connection.js";
import { tokensOf } from "../shared/settings.js";

/** What is meant whatever is played meanwhile. */
const TIMELESS = ["hand-over", "take-over", "resign", "rematch"];
const ATTEMPTS = 20;

/** Whether both players are there. @param {Game} game */
export function isFull({ seats }) {
  return seats.first.taken && seats.second.taken;
}

export class Session extends EventTarget {
  /** @param {Game} game */
  constructor(game) {
    super();
    this.id = game.id;
    /** @type {Game} */
    this.game = game;
    /** @type {Played[]} */
    this.played = [];
    /** @type {Seat[]} */
    this.you = game.you ?? [];
    /** The number of the game that a move was sent to and not answered yet. @type {number | null} */
    this.moving = null;
    /** @type {Promise<unknown>} */
    this.queue = Promise.resolve();
    this.take(game);
  }

  /** Follow the game until `close`. */
  open() {
    this.leave = connection.watch({
      id: this.id,
      tokens: () => tokensOf(this.id).slice(0, 2),
      receive: (game, whole) => this.receive(game, whole),
      fail: (error) => this.dispatchEvent(new CustomEvent("fail", { detail: error })),
    });
  }

  close() {
    this.leave?.();
  }

  /** @param {Game} game @param {boolean} whole */
  receive(game, whole) {
    const before = this.game;
    if (game.number < before.number && !whole) return;
    // A message that builds on moves we do not have is followed by asking for everything.
    if (game.moves.from > this.played.length) {
      connection.watchAgain(this.id);
      return;
    }
    this.take(game);
    if (this.moving !== null && game.event?.action === "move" && game.number > this.moving) this.moving = null;
    this.dispatchEvent(new CustomEvent("change", { detail: { before } }));
    if (whole) this.dispatchEvent(new Event("synchronised"));
  }

  /** @param {Game} game */
  take(game) {
    this.game = game;
    if (game.you) this.you = game.you;
    this.played = [...this.played.slice(0, game.moves.from), ...game.moves.list];
  }

  /** The seats that a person here plays: those held, less those the computer plays. */
  get playing() {
    return this.you.filter((seat) => this.game.seats[seat].player === "person");
  }

  /** Whether a person here is to move. */
  get isMyTurn() {
    const { game } = this;
    return !game.outcome && isFull(game) && this.playing.includes(game.turn);
  }

  /**
   * Do something in the game; one thing after the other.
   *
   * @param {{action: string, [name: string]: any}} action
   * @returns {Promise<void>}
   */
  act(action) {
    const done = this.queue.then(() => this.perform(action));
    this.queue = done.catch(() => null);
    return done;
  }

  /** @param {{action: string, [name: string]: any}} action */
  async perform(action) {
    if (action.action === "move") this.moving = this.game.number;
    try {
      await (TIMELESS.includes(action.action) ? this.insistAtLast(action) : this.insist(action, this.game.number));
    } catch (error) {
      this.moving = null;
      this.dispatchEvent(new CustomEvent("change", { detail: { before: this.game } }));
      throw error;
    }
    this.moving = null;
  }

  /** Somebody, or two computers, may be faster than a word gets there. @param {{action: string, [name: string]: any}} action */
  async insistAtLast(action) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.insist(action, this.game.number);
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "stale" || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** @param {{action: string, [name: string]: any}} action @param {number} number */
  async insist(action, number) {
    for (;;) {
      if (!connection.isOpen) await this.synchronised();
      if (this.game.number !== number) {
        // It was done before the connection broke, or the game went on without it.
        if (this.game.event?.action === action.action && this.game.number > number) return;
        throw new Refusal("stale", "The game has gone on meanwhile; nothing was done.");
      }
      try {
        await connection.ask({ type: "act", game: this.id, number, ...action });
        return;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "lost") throw error;
      }
    }
  }

  /** Resolves when the server has told its state anew. @returns {Promise<void>} */
  synchronised() {
    connection.open();
    return new Promise((resolve) => this.addEventListener("synchronised", () => resolve(), { once: true }));
  }
}
