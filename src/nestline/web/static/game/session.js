/**
 * One game as this page follows it: its last state from its host, its moves, and the action being
 * sent. An action lost with the connection is sent again, and never done twice.
 *
 * @import { Action, PlayedMove, SeatName } from "../server/types.js"
 * @import { Presence, WatchedGame } from "../server/connection.js"
 * @import { Host } from "../shared/hosts.js"
 */
import { isMotionReduced, WANDERING } from "../board/pieces.js";
import { fetchMoves, Refusal } from "../server/api.js";
import { isFull } from "../shared/games.js";
import { tokensOf } from "../shared/settings.js";

/**
 * What a person does: an action without the number of the game it answers.
 *
 * @template Kind
 * @typedef {Kind extends any ? Omit<Kind, "number"> : never} Unnumbered
 */
/** @typedef {Unnumbered<Action>} Deed */

/** What is meant whatever is played meanwhile. @type {Deed["action"][]} */
const TIMELESS = ["hand-over", "take-over", "rename", "resign", "rematch"];
const ATTEMPTS = 20;
/** The computer answers no sooner than this after the last piece has landed, in milliseconds. */
const PAUSE = 450;

export class Session extends EventTarget {
  /** @param {WatchedGame} game @param {Host} host */
  constructor(game, host) {
    super();
    this.id = game.id;
    this.host = host;
    /** @type {WatchedGame} */
    this.game = game;
    /** @type {PlayedMove[]} */
    this.played = [];
    /** @type {SeatName[]} */
    this.you = game.you ?? [];
    /** The number of the game that a move was sent to and not answered yet. @type {number | null} */
    this.moving = null;
    /** @type {Promise<unknown>} */
    this.queue = Promise.resolve();
    /** What came while earlier moves were being fetched. @type {{game: WatchedGame, whole: boolean}[] | null} */
    this.delayed = null;
    /** When the last move was made on the screen. */
    this.movedAt = performance.now();
    /** Shows the computer's move, which has come too soon. @type {(() => void) | null} */
    this.release = null;
    this.pause = 0;
    /** Whether the players are at the board, as far as their host tells. @type {Presence | null} */
    this.presence = null;
    /** Resolves when that is done. @type {Promise<void>} */
    this.released = Promise.resolve();
    this.take(game);
  }

  /**
   * A session with all moves of a game; a message has only the last ones.
   *
   * @param {WatchedGame} game
   * @param {Host} host
   */
  static async of(game, host) {
    return new Session({ ...game, moves: await allMoves(game, []) }, host);
  }

  /** Follow the game until `close`. */
  open() {
    this.leave = this.host.watch({
      id: this.id,
      tokens: () => tokensOf(this.id).slice(0, 2),
      receive: (game, whole) => this.receive(game, whole),
      meet: (seats) => {
        this.presence = seats;
        this.dispatchEvent(new Event("meet"));
      },
      fail: (error) => this.dispatchEvent(new CustomEvent("fail", { detail: error })),
    });
  }

  close() {
    window.clearTimeout(this.pause);
    this.leave?.();
  }

  /** @param {WatchedGame} game @param {boolean} whole */
  receive(game, whole) {
    // More has come: it is two computers who play, and nobody waits for them.
    this.release?.();
    if (this.delayed) {
      this.delayed.push({ game, whole });
      return;
    }
    const before = this.game;
    if (game.number < before.number && !whole) return;
    const early = this.earliness(game);
    if (early > 0) return this.receiveIn(early, game, whole);
    if (game.moves.from > this.played.length) {
      void this.receiveLater(game, whole);
      return;
    }
    this.take(game);
    if (this.moving !== null && game.event?.action === "move" && game.number > this.moving) this.moving = null;
    this.dispatchEvent(new CustomEvent("change", { detail: { before } }));
    if (whole) this.dispatchEvent(new Event("synchronised"));
  }

  /** How much too soon a move of the computer comes, in milliseconds. @param {WatchedGame} game */
  earliness({ event, ply, seats }) {
    const isAnswer = event?.action === "move" && seats[event.seat].player === "computer" && ply === this.game.ply + 1;
    if (!isAnswer) return 0;
    return this.movedAt + (isMotionReduced() ? 0 : WANDERING) + PAUSE - performance.now();
  }

  /** @param {number} milliseconds @param {WatchedGame} game @param {boolean} whole */
  receiveIn(milliseconds, game, whole) {
    this.released = new Promise((resolve) => {
      this.pause = window.setTimeout(() => this.release?.(), milliseconds);
      this.release = () => {
        window.clearTimeout(this.pause);
        this.release = null;
        this.movedAt = 0;
        this.receive(game, whole);
        resolve();
      };
    });
  }

  /**
   * A message that builds on moves we do not have: fetch them first.
   *
   * @param {WatchedGame} game @param {boolean} whole
   */
  async receiveLater(game, whole) {
    this.delayed = [];
    let delayed = this.delayed;
    try {
      const moves = await allMoves(game, this.played);
      delayed = [{ game: { ...game, moves }, whole }, ...delayed];
      this.delayed = null;
      for (const each of delayed) this.receive(each.game, each.whole);
    } catch {
      // The game has changed meanwhile, or there is no connection; then we watch it again anyway.
      this.delayed = null;
      if (this.host.isOpen) this.host.watchAgain(this.id);
    }
  }

  /** @param {WatchedGame} game */
  take(game) {
    if (game.ply !== this.game.ply) this.movedAt = performance.now();
    this.game = game;
    if (game.you) this.you = game.you;
    this.played = [...this.played.slice(0, game.moves.from), ...game.moves.list];
  }

  /** The seats a person here plays: those held, except those the computer plays. */
  get playing() {
    return this.you.filter((seat) => this.game.seats[seat].player === "person");
  }

  /** Whether a person here is to move. */
  get isMyTurn() {
    const { game } = this;
    return !game.outcome && isFull(game) && this.playing.includes(game.turn);
  }

  /**
   * Do something in the game, one action at a time.
   *
   * @param {Deed} deed
   * @returns {Promise<void>}
   */
  act(deed) {
    const done = this.queue.then(() => this.perform(deed));
    this.queue = done.catch(() => null);
    return done;
  }

  /** @param {Deed} deed */
  async perform(deed) {
    await this.released;
    if (deed.action === "move") this.movedAt = performance.now();
    if (deed.action === "move") this.moving = this.game.number;
    try {
      await this.send(deed, TIMELESS.includes(deed.action) ? ATTEMPTS : 1);
    } catch (error) {
      this.moving = null;
      this.dispatchEvent(new CustomEvent("change", { detail: { before: this.game } }));
      throw error;
    }
    this.moving = null;
  }

  /**
   * Send an action until it is answered. If it does not depend on what is played meanwhile, retry
   * when it is stale: two computers may play faster than it reaches the server.
   *
   * @param {Deed} deed @param {number} attempts
   */
  async send(deed, attempts) {
    let { number } = this.game;
    for (;;) {
      if (!this.host.isOpen) await this.synchronised();
      // It was stored before the connection broke.
      if (this.game.number > number && this.game.event?.action === deed.action) return;
      try {
        if (this.game.number !== number) throw new Refusal("stale", "The game has moved on; nothing was changed.");
        await this.host.act(this.id, { ...deed, number });
        return;
      } catch (error) {
        const code = error instanceof Refusal ? error.code : "";
        if (code === "stale" && attempts > 1) {
          attempts -= 1;
          // The computer's move may not be shown yet.
          await this.released;
          number = this.game.number;
        } else if (code !== "lost") throw error;
      }
    }
  }

  /** Resolves when the host has told its state anew. @returns {Promise<void>} */
  synchronised() {
    this.host.open();
    return new Promise((resolve) => this.addEventListener("synchronised", () => resolve(), { once: true }));
  }
}

/**
 * The moves of a message, with the earlier ones that are not known yet.
 *
 * @param {WatchedGame} game @param {PlayedMove[]} known
 * @returns {Promise<WatchedGame["moves"]>}
 */
async function allMoves({ id, moves }, known) {
  const first = Math.min(known.length, moves.from);
  /** @type {PlayedMove[]} */
  const earlier = [];
  while (first + earlier.length < moves.from) {
    const { list } = await fetchMoves(id, first + earlier.length);
    if (!list.length) throw new Refusal("stale", "The game has moved on.");
    earlier.push(...list);
  }
  return { from: first, list: [...earlier.slice(0, moves.from - first), ...moves.list] };
}
