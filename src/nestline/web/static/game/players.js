/**
 * The line above or below the board: who plays a side, and a list to change that.
 *
 * @import { SeatName } from "../server/types.js"
 * @import { GameView } from "./view.js"
 */

import { pieceDrawing } from "../board/drawing.js";
import { keyed, make, mark, say } from "../shared/dom.js";
import { other } from "../shared/notation.js";
import { levelName, playerName } from "../shared/words.js";
import { isFull } from "./session.js";

export class PlayerStrip {
  /** @param {GameView} view @param {SeatName} seat */
  constructor(view, seat) {
    this.view = view;
    this.seat = seat;
    this.piece = make("span", { class: "emblem" }, pieceDrawing(view.rules, seat, view.rules.stock.length));
    this.name = make("span", { class: "name" });
    this.thinking = make("span", { class: "thinking", "aria-hidden": "true" }, make("i"), make("i"), make("i"));
    this.chooser = make("select", { onchange: () => this.choose() });
    this.element = make("div", { class: "player" }, this.piece, this.name, this.thinking, this.chooser);
  }

  show() {
    const { seat } = this;
    const { game, rules, session } = this.view;
    const facts = game.seats[seat];
    const isMine = session.you.includes(seat);
    const colour = playerName(rules, seat);
    const isAlone = session.playing.length === 1 && session.playing[0] === seat;
    let text = facts.taken ? facts.name : "waiting…";
    if (isAlone) text = "you";
    say(this.name, text === colour ? colour : `${colour}: ${text}`);
    const turn = !game.outcome && game.turn === seat;
    this.element.classList.toggle("turn", turn);
    this.thinking.hidden = !(turn && game.thinking?.seat === seat);
    this.chooser.hidden = !isMine || Boolean(game.outcome) || game.between_people || !isFull(game);
    mark(this.chooser, "aria-label", `Who plays ${colour}`);
    this.showOptions();
    if (document.activeElement !== this.chooser) this.chooser.value = facts.level ?? "";
    if (this.chooser.value === "" && facts.level) {
      // A level under an older name, from an older game.
      this.chooser.append(make("option", { value: facts.level }, levelName(facts.level)));
      this.chooser.value = facts.level;
    }
  }

  /** Who can play this side. The rules may say that a person begins against the computer. */
  showOptions() {
    const { game, rules } = this.view;
    const isFirst = this.seat === "first";
    const isFree = !rules.person_begins;
    const meetsComputer = game.seats[other(this.seat)].player === "computer";
    const levels = isFree || !isFirst || meetsComputer ? rules.levels : [];
    const person = isFree || isFirst || !meetsComputer ? [["", "A person"]] : [];
    keyed(
      this.chooser,
      [...person, ...levels.map((level) => [level, levelName(level)])],
      ([value = ""]) => value,
      ([value, label = ""]) => make("option", { value }, label),
    );
    if (this.chooser.options.length < 2) this.chooser.hidden = true;
  }

  choose() {
    const level = this.chooser.value;
    const { seat } = this;
    void this.view.act(level ? { action: "hand-over", seat, level } : { action: "take-over", seat });
  }
}
