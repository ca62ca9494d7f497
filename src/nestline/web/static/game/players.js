/**
 * The card above or below the board: who plays a side, whether it is their turn, and whether they are there.
 *
 * @import { SeatName } from "../server/types.js"
 * @import { GameView } from "./view.js"
 */

import { pieceDrawing } from "../board/drawing.js";
import { openDialog } from "../shared/dialogs.js";
import { icon, make, mark, say } from "../shared/dom.js";
import { radios } from "../shared/fields.js";
import { isFull } from "../shared/games.js";
import { other } from "../shared/notation.js";
import { levelName, playerName } from "../shared/words.js";

const CHANGE = "M8 10L12 14L16 10";

export class PlayerCard {
  /** @param {GameView} view @param {SeatName} seat */
  constructor(view, seat) {
    this.view = view;
    this.seat = seat;
    this.piece = make("span", { class: "emblem" }, pieceDrawing(view.rules, seat, view.rules.stock.length));
    this.name = make("span", { class: "name" });
    this.detail = make("span", { class: "who" });
    this.presence = make("span", { class: "presence" });
    this.thinking = make("span", { class: "thinking", "aria-hidden": "true" }, make("i"), make("i"), make("i"));
    this.change = make("button", { type: "button", class: "change", onclick: () => this.choose() }, icon(CHANGE));
    this.element = make(
      "div",
      { class: "player", role: "group" },
      this.piece,
      make("span", { class: "names" }, this.name, make("span", { class: "details" }, this.detail, this.presence)),
      this.thinking,
      this.change,
    );
  }

  show() {
    const { seat } = this;
    const { game, rules, session } = this.view;
    const facts = game.seats[seat];
    const isMine = session.you.includes(seat);
    const colour = playerName(rules, seat);
    const isAlone = session.playing.length === 1 && session.playing[0] === seat;
    const hasName = facts.player === "person" && facts.name !== colour;
    const person = isAlone && !hasName ? "You" : facts.name;
    const name = facts.taken ? (facts.player === "person" ? person : "Computer") : "Waiting…";
    say(this.name, name);
    const about = [name === colour ? "" : colour];
    if (facts.level) about.push(levelName(facts.level, rules));
    else if (isAlone && hasName) about.push("you");
    say(this.detail, about.filter(Boolean).join(" · "));
    const isElsewhere = game.between_people && facts.player === "person" && !isMine;
    const presence = isElsewhere ? (session.presence?.[seat] ?? null) : null;
    mark(this.presence, "data-presence", presence);
    say(this.presence, presence ?? "");
    const turn = !game.outcome && game.turn === seat && isFull(game);
    this.element.classList.toggle("turn", turn);
    this.element.classList.toggle("winner", game.outcome?.winner === seat);
    mark(this.element, "aria-label", turn ? `${colour}, to move` : colour);
    this.thinking.hidden = !(turn && game.thinking?.seat === seat && !game.thinking.remark);
    const isFree = isMine && !game.outcome && !game.between_people && isFull(game);
    this.change.hidden = !isFree || this.options().length < 2;
    mark(this.change, "aria-label", `Change who plays ${colour}`);
    mark(this.change, "title", `Change who plays ${colour}`);
  }

  /** Who can play this side; the rules may say that a person begins against the computer. @returns {string[][]} */
  options() {
    const { game, rules } = this.view;
    const { level } = game.seats[this.seat];
    const isFirst = this.seat === "first";
    const isFree = !rules.person_begins;
    const meetsComputer = game.seats[other(this.seat)].player === "computer";
    const known = isFree || !isFirst || meetsComputer ? rules.levels : [];
    // A level under an older name, from an older game.
    const levels = level && !known.includes(level) ? [...known, level] : known;
    const person = isFree || isFirst || !meetsComputer ? [["", "A person"]] : [];
    return [...person, ...levels.map((each) => [each, levelName(each, rules)])];
  }

  choose() {
    const { seat, view } = this;
    const colour = playerName(view.rules, seat);
    const chosen = view.game.seats[seat].level ?? "";
    const choices = radios("player", `Who plays ${colour}`, this.options(), chosen);
    choices.classList.add("levels");
    const dialog = openDialog(`Who plays ${colour}?`, choices);
    choices.querySelector("legend")?.classList.add("for-listeners");
    // A choice by the mouse is final; with the arrow keys people pass other levels on their way.
    const take = () => {
      const level = /** @type {HTMLInputElement | null} */ (choices.querySelector(":checked"))?.value ?? "";
      if (level !== chosen) void view.act(level ? { action: "hand-over", seat, level } : { action: "take-over", seat });
      dialog.close();
    };
    dialog.append(
      make("p", { class: "row" }, make("button", { type: "button", class: "primary", onclick: take }, "Done")),
    );
    /** @type {HTMLElement | null} */ (choices.querySelector(":checked"))?.focus();
  }
}
