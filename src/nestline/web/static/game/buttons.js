/**
 * The buttons around a game: those used most first, the others behind "More". The game decides which there
 * are; those that cannot be used now stay in place, disabled, so that the focus does not jump.
 *
 * @import { GameView } from "./view.js"
 */

import { positionAddress } from "../shared/addresses.js";
import { confirmed } from "../shared/dialogs.js";
import { icon, inColumns, make, mark, say } from "../shared/dom.js";
import { isFull } from "../shared/games.js";
import { navigate } from "../shared/navigate.js";
import { other } from "../shared/notation.js";
import { preferences } from "../shared/settings.js";
import { canNotify, isNotifying, toggleNotifying } from "./notification.js";

const ICONS = {
  hint: "M12 3A6 6 0 0 1 15 14V17H9V14A6 6 0 0 1 12 3M10 20.500H14",
  undo: "M9 7L4 12L9 17M4 12H14A6 6 0 0 1 20 18",
  redo: "M15 7L20 12L15 17M20 12H10A6 6 0 0 0 4 18",
  flip: "M8 4V20M8 20L4 16M8 20L12 16M16 20V4M16 4L12 8M16 4L20 8",
  draw: "M5 9H19M5 15H19",
  resign: "M6 21V4M6 4H18L15 8.500L18 13H6",
  study: "M10.500 4A6.500 6.500 0 1 0 10.600 4M15.500 15.500L20.500 20.500",
  share: "M12 15V4M12 4L8 8M12 4L16 8M6 12V20H18V12",
  peek: "M3 12C6 6 18 6 21 12C18 18 6 18 3 12M12 9.500A2.500 2.500 0 1 0 12.100 9.500",
  review: "M4 18L9 11L13 14L20 5",
  sound: "M4 9V15H8L12 19V5L8 9ZM15.500 9A4.500 4.500 0 0 1 15.500 15M18 6.500A8 8 0 0 1 18 17.500",
  notify: "M6 16V11A6 6 0 0 1 18 11V16L20 18H4ZM10 20.500H14",
  more: "M5 12H5.100M12 12H12.100M19 12H19.100",
};

export class GameButtons {
  /** @param {GameView} view */
  constructor(view) {
    this.view = view;
    this.hint = this.button("hint", "Hint", () => view.hints.next());
    this.undo = this.button("undo", "Take back", () => this.takeBack());
    this.redo = this.button("redo", "Redo", () => view.act({ action: "redo" }));
    this.peek = this.button("peek", "Look under", () => view.board.held && view.peek(view.board.held));
    this.draw = this.button("draw", "Offer a\u00a0draw", () => view.act({ action: "offer-draw", seat: view.seat }));
    this.resign = this.button("resign", "Resign", () => this.giveUp());
    this.study = this.button("study", "Study", () => this.toggleStudy());
    this.review = this.button("review", "Review", () => this.toggleReview());
    this.flip = this.button("flip", "Flip", () => view.turnBoard());
    this.sound = this.button("sound", "Sounds", () => view.toggleSounds());
    this.notify = this.button("notify", "Notify me", () => void toggleNotifying().then(() => this.update()));
    this.share = this.button("share", "Share", () => this.openShare());
    this.more = this.button("more", "More", () => this.toggleMenu());
    const others = [this.redo, this.draw, this.resign, this.study, this.flip, this.sound, this.notify, this.share];
    this.menu = make("div", { class: "buttons menu", role: "group", "aria-label": "More", hidden: true }, others);
    this.main = make(
      "div",
      { class: "buttons", role: "group", "aria-label": "Game" },
      ...[this.hint, this.undo, this.peek, this.review, this.more],
    );
    this.element = make("div", { class: "game-buttons" }, this.main, this.menu);
    this.menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.toggleMenu();
      this.more.focus();
    });
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

  toggleMenu() {
    this.menu.hidden = !this.menu.hidden;
    this.update();
  }

  update() {
    const { view } = this;
    const { game, rules, session, hints } = view;
    const isPlaying = session.playing.length > 0 && isFull(game);
    const isOver = Boolean(game.outcome);
    const mayStudy = !game.hidden && (!game.between_people || isOver || !session.you.length);
    const set = (/** @type {HTMLElement} */ button, /** @type {boolean} */ isThere, isUsable = true) => {
      button.hidden = !isThere;
      mark(button, "aria-disabled", isUsable ? null : "true");
    };
    set(this.hint, hints.isThere, hints.isUsable);
    set(this.undo, isPlaying && !view.isFinal, this.canTakeBack && view.isLive);
    set(this.redo, isPlaying && !view.isFinal && !game.between_people, game.can_redo && view.isLive);
    const held = view.board.held;
    set(this.peek, game.visibility === "peek" && isPlaying && !isOver, Boolean(held && view.board.squares.has(held)));
    set(this.draw, rules.draw_agreement && isPlaying && !isOver, !game.draw_offer);
    set(this.resign, isPlaying && !isOver);
    set(this.study, mayStudy && isFull(game));
    set(this.review, isOver && session.played.length > 0);
    set(this.notify, canNotify() && !isOver && session.playing.length === 1 && (game.between_people || !isFull(game)));
    mark(this.notify, "aria-pressed", String(isNotifying()));
    mark(this.study, "aria-pressed", String(Boolean(view.study)));
    mark(this.review, "aria-pressed", String(Boolean(view.review)));
    mark(this.sound, "aria-pressed", String(preferences().sound));
    mark(this.more, "aria-expanded", String(!this.menu.hidden));
    if (!mayStudy && view.study) void this.toggleStudy();
    say(/** @type {Element} */ (this.undo.lastElementChild), game.between_people ? "Ask to take back" : "Take back");
    say(/** @type {Element} */ (this.hint.lastElementChild), hints.label);
    inColumns(this.main);
    inColumns(this.menu);
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
        show: (arrows, preview, worth) => {
          view.arrows = arrows;
          view.preview = preview;
          view.worth = worth;
          view.showBoard();
        },
        play: (move) => this.playStudied(move),
      });
      view.extra.append(view.study.element);
    }
    view.arrows = [];
    view.preview = null;
    view.worth = null;
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
      boards: view.game.hidden ? undefined : [view.game.start, ...view.session.played.map((each) => each.board)],
      friend: other(view.seat),
    });
  }
}
