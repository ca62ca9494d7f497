/**
 * The buttons around a game. The game decides which there are; those that cannot be used now stay
 * in place, disabled, so that the focus does not jump.
 *
 * @import { GameView } from "./view.js"
 */

import { positionAddress } from "../shared/addresses.js";
import { confirmed } from "../shared/dialogs.js";
import { icon, inColumns, make, mark, say } from "../shared/dom.js";
import { navigate } from "../shared/navigate.js";
import { other } from "../shared/notation.js";
import { isFull } from "./session.js";

const ICONS = {
  undo: "M9 7L4 12L9 17M4 12H14A6 6 0 0 1 20 18",
  redo: "M15 7L20 12L15 17M20 12H10A6 6 0 0 0 4 18",
  flip: "M8 4V20M8 20L4 16M8 20L12 16M16 20V4M16 4L12 8M16 4L20 8",
  draw: "M5 9H19M5 15H19",
  resign: "M6 21V4M6 4H18L15 8.500L18 13H6",
  study: "M12 3A6 6 0 0 1 15 14V17H9V14A6 6 0 0 1 12 3M10 20.500H14",
  share: "M12 15V4M12 4L8 8M12 4L16 8M6 12V20H18V12",
  peek: "M3 12C6 6 18 6 21 12C18 18 6 18 3 12M12 9.500A2.500 2.500 0 1 0 12.100 9.500",
  review: "M4 18L9 11L13 14L20 5",
};

export class GameButtons {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    this.undo = this.button("undo", "Take back", () => this.takeBack());
    this.redo = this.button("redo", "Redo", () => view.act({ action: "redo" }));
    this.peek = this.button("peek", "Look under", () => view.board.held && view.peek(view.board.held));
    this.draw = this.button("draw", "Offer a\u00a0draw", () => view.act({ action: "offer-draw", seat: view.seat }));
    this.resign = this.button("resign", "Resign", () => this.giveUp());
    this.study = this.button("study", "Study", () => this.toggleStudy());
    this.review = this.button("review", "Review", () => this.toggleReview());
    this.flip = this.button("flip", "Flip", () => view.turnBoard());
    this.share = this.button("share", "Share", () => this.openShare());
    this.element = make(
      "div",
      { class: "buttons", role: "group", "aria-label": "Game" },
      this.undo,
      this.redo,
      this.peek,
      this.draw,
      this.resign,
      this.review,
      this.study,
      this.flip,
      this.share,
    );
  }

  /** @param {keyof typeof ICONS} name @param {string} label @param {() => any} action */
  button(name, label, action) {
    const button = make(
      "button",
      { type: "button", "data-name": name, onclick: () => button.getAttribute("aria-disabled") !== "true" && action() },
      icon(ICONS[name]),
      make("span", {}, label),
    );
    return button;
  }

  update() {
    const { view } = this;
    const { game, rules } = view;
    const { session } = view;
    const isPlaying = session.playing.length > 0 && isFull(game);
    const isOver = Boolean(game.outcome);
    const mayStudy = !game.hidden && (!game.between_people || isOver || !session.you.length);
    const set = (/** @type {HTMLElement} */ button, /** @type {boolean} */ isThere, isUsable = true) => {
      button.hidden = !isThere;
      mark(button, "aria-disabled", isUsable ? null : "true");
    };
    set(this.undo, isPlaying && !view.isFinal, this.canTakeBack && view.isLive);
    set(this.redo, isPlaying && !view.isFinal && !game.between_people, game.can_redo && view.isLive);
    const held = view.board.held;
    set(this.peek, game.visibility === "peek" && isPlaying && !isOver, Boolean(held && view.board.squares.has(held)));
    set(this.draw, rules.draw_agreement && isPlaying && !isOver, !game.draw_offer);
    set(this.resign, isPlaying && !isOver);
    set(this.study, mayStudy && isFull(game));
    set(this.review, isOver && session.played.length > 0);
    mark(this.study, "aria-pressed", String(Boolean(view.study)));
    mark(this.review, "aria-pressed", String(Boolean(view.review)));
    if (!mayStudy && view.study) void this.toggleStudy();
    const label = game.between_people ? "Ask to take\u00a0back" : "Take back";
    const words = this.undo.querySelector("span");
    if (words) say(words, label);
    inColumns(this.element);
  }

  /** Whether there is something to take back or to ask for; with consent even a touch. */
  get canTakeBack() {
    const { game } = this.view;
    if (!game.between_people) return game.can_undo;
    return !game.outcome && !game.undo_request && (game.ply > 0 || game.touched !== null);
  }

  takeBack() {
    const { view } = this;
    return view.act({ action: view.game.between_people ? "ask-undo" : "undo", seat: view.seat });
  }

  async giveUp() {
    const sure = await confirmed("Resign?", "The game ends, and the other side wins.", "Resign");
    if (sure) await this.view.act({ action: "resign", seat: this.view.seat });
  }

  async toggleStudy() {
    const { view } = this;
    if (view.study) {
      view.study.close();
      view.study.element.remove();
      view.study = null;
    } else {
      const { EvaluationPanel } = await import("../panels/evaluation.js");
      view.study = new EvaluationPanel(view.rules, {
        show: (arrows, preview) => {
          view.arrows = arrows;
          view.preview = preview;
          view.showBoard();
        },
        play: (move) => this.playStudied(move),
      });
      view.extra.append(view.study.element);
    }
    view.arrows = [];
    view.preview = null;
    view.update(null);
  }

  /** A move of the study list: in the game if it is our turn, else in a study of its own. @param {string} move */
  playStudied(move) {
    const { view } = this;
    if (view.isLive && view.session.isMyTurn) view.play(move);
    else {
      const { rules, start, moves } = view.position();
      navigate(positionAddress(rules, start, [...moves, move]));
    }
  }

  async toggleReview() {
    const { view } = this;
    if (view.review) {
      view.review.close();
      view.review.element.remove();
      view.review = null;
    } else {
      const { ReviewPanel } = await import("./review.js");
      view.review = new ReviewPanel(view);
      view.extra.prepend(view.review.element);
    }
    view.arrows = [];
    view.update(null);
  }

  async openShare() {
    const { openShare } = await import("../panels/share.js");
    const { view } = this;
    openShare({
      rules: view.rules,
      board: view.boardAfter(view.ply),
      position: view.position(),
      game: view.game,
      flip: view.flip,
      friend: other(view.seat),
    });
  }
}
