/**
 * The hints of a game, a step at a time: first the piece, then the square, then why.
 *
 * @import { Advice } from "./advice.js"
 * @import { GameView } from "./view.js"
 */
import { messageOf } from "../server/api.js";
import { announce, notice } from "../shared/announce.js";
import { isFull } from "../shared/games.js";
import { readMove, readPiece } from "../shared/notation.js";
import { sizeName } from "../shared/words.js";

/** What the button offers after each step. */
const LABELS = ["Hint", "Where to?", "Why?", "Hint"];
const NOTHING = "From what everybody can see, no move stands out. Trust your memory.";

export class Hints {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    /** The state of the game for which the hint is. @type {number | null} */
    this.number = null;
    this.step = 0;
    this.isThinking = false;
    /** @type {Advice | null} */
    this.advice = null;
  }

  /** Whether there are hints in this game: not against people elsewhere. */
  get isThere() {
    const { game, session } = this.view;
    return !game.between_people && !game.outcome && isFull(game) && session.playing.length > 0;
  }

  get isUsable() {
    return this.view.isLive && this.view.session.isMyTurn && this.step < 3 && !this.isThinking;
  }

  get label() {
    return this.isThinking ? "Thinking…" : (LABELS[this.step] ?? "Hint");
  }

  /** The game has gone on: forget what was said. */
  follow() {
    if (this.number !== null && this.number !== this.view.game.number) this.clear();
  }

  clear() {
    this.number = null;
    this.advice = null;
    this.step = 0;
  }

  async next() {
    const { view } = this;
    if (this.number === null && !(await this.think())) return;
    this.step = this.advice ? this.step + 1 : 3;
    // Where all pieces are alike there is only the square to tell.
    if (this.step === 1 && view.rules.stock.length === 1 && !view.rules.moving) this.step = 2;
    if (!view.game.touched) view.board.held = null;
    view.update(null);
    announce(this.text);
  }

  /** Find the move; false if the game went on meanwhile. */
  async think() {
    const { view } = this;
    const { game, rules, session } = view;
    const boards = [game.start, ...session.played.map((each) => each.board)];
    this.isThinking = true;
    view.buttons.update();
    try {
      const { advise, adviseFromTops, isAllSeen } = await import("./advice.js");
      const isKnown = !game.hidden || (await isAllSeen(rules, game.board));
      const known = game.hidden ? [game.board] : boards;
      const advice = isKnown ? await advise(rules, known, game.legal) : adviseFromTops(rules, game);
      if (view.game.number !== game.number) return false;
      this.number = game.number;
      this.advice = advice;
      return true;
    } catch (error) {
      notice(messageOf(error));
      return false;
    } finally {
      this.isThinking = false;
      view.buttons.update();
    }
  }

  /** What is said so far. */
  get text() {
    if (this.step === 0) return "";
    if (!this.advice) return NOTHING;
    const { game, rules } = this.view;
    const { size, origin, target } = readMove(this.advice.move);
    const top = origin ? game.board.stacks[origin]?.at(-1) : undefined;
    const name = sizeName(rules, top ? readPiece(top).size : (size ?? 1));
    const piece = `${name} piece`.trim();
    const from = origin ? `the ${piece} on ${origin}` : `a ${piece} from your reserve`;
    if (this.step === 1) return `Look at ${from}.`;
    const where = `Play ${from} to ${target}.`;
    return this.step === 2 ? where : `${where} ${this.advice.why}`;
  }

  /** What the board shows of it. */
  get shown() {
    if (!this.advice || this.step === 0) return null;
    const { size, origin, target } = readMove(this.advice.move);
    return { place: origin ?? String(size), target: this.step > 1 ? target : null };
  }
}
