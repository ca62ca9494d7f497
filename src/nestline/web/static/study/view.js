/**
 * The study view: any position, moves for both sides, branches, values, and the editor.
 *
 * @import { RuleSet, SeatChoice, Study } from "../server/types.js"
 * @import { Arrow, Shown, Worth } from "../board/board.js"
 * @import { StudiedPosition } from "../shared/addresses.js"
 */

import { lookAt } from "../analysis/analyse.js";
import { NestBoard } from "../board/board.js";
import { seated, startGame } from "../local/creation.js";
import { EvaluationPanel } from "../panels/evaluation.js";
import { hasOwnKeys, NestMoves, turnsBoard, walk } from "../panels/moves.js";
import { openShare } from "../panels/share.js";
import { TypedMove } from "../panels/typed_move.js";
import { fetchRuleSet, fetchRules, gameOf, messageOf, requireStudy } from "../server/api.js";
import { positionAddress } from "../shared/addresses.js";
import { announce, notice } from "../shared/announce.js";
import { openDialog } from "../shared/dialogs.js";
import { icon, inColumns, make, mark, say } from "../shared/dom.js";
import { select } from "../shared/fields.js";
import { navigate } from "../shared/navigate.js";
import { lastChoice, newestToken, preferences } from "../shared/settings.js";
import { levelName, moveInWords, moveText, whyRefused } from "../shared/words.js";
import { place } from "../site/site.js";
import { Editor } from "./editor.js";
import { OpeningsPanel } from "./openings.js";
import { Branch, keepLines, keptLines } from "./tree.js";

/**
 * @param {HTMLElement} content
 * @param {import("../shared/navigate.js").Visit} visit
 */
export async function open(content, { address }) {
  const { rules: name, start: position, moves } = readAddress(address);
  const [rules, all] = await Promise.all([fetchRuleSet(name), fetchRules(), requireStudy(newestToken())]);
  const study = await lookAt(rules, { start: position, moves: [] });
  document.title = `Study: ${rules.title} · nestline`;
  content.className = "view studying";
  const view = new Studying(content, rules, all, study);
  view.open();
  for (const line of keptLines(rules.name, study.board.text)) await view.follow(line, false);
  await view.follow(moves);
  return { leave: () => view.close(), revisit: (/** @type {URL} */ address) => view.revisit(address) };
}

/** @param {URL} address @returns {StudiedPosition} */
function readAddress({ searchParams }) {
  return {
    rules: searchParams.get("rules") ?? lastChoice().rules,
    start: (searchParams.get("position") ?? "start").replaceAll("_", " "),
    moves: (searchParams.get("moves") ?? "").split(" ").filter(Boolean),
  };
}

/** Whether a text is a legal move there, canonically written. @param {Branch} from @param {string} text */
const isMoveAt = (from, text) => from.study.moves.some((each) => each.move === text);

/**
 * A move as it is written canonically: the one that leads to the position found.
 *
 * @param {Branch} from @param {string} text @param {Study} study
 */
function canonical(from, text, study) {
  if (isMoveAt(from, text)) return text;
  return from.study.moves.find((each) => each.after === study.board.text)?.move ?? text;
}

class Studying {
  /** @param {HTMLElement} content @param {RuleSet} rules @param {RuleSet[]} all @param {Study} study */
  constructor(content, rules, all, study) {
    this.content = content;
    this.rules = rules;
    this.all = all;
    this.here = new Branch(null, null, study);
    this.root = this.here;
    this.flipped = false;
    /** @type {Arrow[]} */
    this.arrows = [];
    /** @type {string | null} */
    this.preview = null;
    /** The move of the explorer that is pointed at. @type {string | null} */
    this.opening = null;
    /** @type {Record<string, Worth> | null} */
    this.worth = null;
    /** @type {Editor | null} */
    this.editor = null;
    this.board = new NestBoard();
    this.moves = new NestMoves();
    this.status = make("h2", { class: "status", tabindex: "-1" });
    this.branches = make("div", { class: "row branches" });
    this.typed = new TypedMove((move) => this.type(move), rules);
    this.place = make("div", { class: "extra" });
    this.panel = new EvaluationPanel(rules, {
      show: (arrows, preview, worth) => {
        this.arrows = arrows;
        this.preview = preview;
        this.worth = worth;
        if (!this.editor) this.board.show(this.shown());
      },
      play: (move) => void this.play(move),
    });
    this.openings = new OpeningsPanel(rules, {
      play: (move) => void this.play(move),
      preview: (move) => {
        this.opening = move;
        this.board.show(this.shown());
      },
    });
    const tool = (/** @type {string} */ path, /** @type {string} */ label, /** @type {() => void} */ action) =>
      make("button", { type: "button", onclick: action }, icon(path), make("span", {}, label));
    this.back = tool("M9 7L4 12L9 17M4 12H20", "Back", () => this.walk(-1));
    this.forward = tool("M15 7L20 12L15 17M20 12H4", "Forward", () => this.walk(1));
    this.edit = tool("M4 20L5 16L16 5L19 8L8 19ZM13.500 7.500L16.500 10.500", "Edit", () => this.toggleEditor());
    this.buttons = make(
      "div",
      { class: "buttons", role: "group", "aria-label": "Study" },
      this.back,
      this.forward,
      this.edit,
      tool("M8 4V20M8 20L4 16M8 20L12 16M16 20V4M16 4L12 8M16 4L20 8", "Flip", () => this.turnBoard()),
      tool("M7 4V20L19 12Z", "Play on", () => this.playOn()),
      tool("M9 4H15V7H9ZM9 5H6V20H18V5H15M9 12H15M9 16H13", "Paste", () => this.paste()),
      tool("M12 15V4M12 4L8 8M12 4L16 8M6 12V20H18V12", "Share", () => this.share()),
    );
  }

  open() {
    const choose = select(
      "rules",
      "Game",
      this.all
        .concat(
          this.all.includes(this.rules) || this.all.some((each) => each.name === this.rules.name) ? [] : [this.rules],
        )
        .map((each) => [each.name, each.title]),
      this.rules.name,
    );
    choose.addEventListener("change", (event) =>
      navigate(`/study?rules=${/** @type {HTMLSelectElement} */ (event.target).value}`),
    );
    inColumns(this.buttons);
    this.content.append(
      make("h1", { class: "for-listeners" }, `Study: ${this.rules.title}`),
      make("section", { class: "table", "aria-label": "Board and reserves" }, this.board),
      make(
        "section",
        { class: "panel", "aria-label": "Study" },
        choose,
        this.status,
        this.panel.element,
        this.buttons,
        this.place,
        this.typed.element,
        this.moves,
        this.branches,
        this.openings.element,
      ),
    );
    this.board.prepare(this.rules, this.shown());
    this.board.addEventListener("nest-move", (event) => void this.play(/** @type {CustomEvent} */ (event).detail.move));
    this.board.addEventListener(
      "nest-refuse",
      (event) => void this.explain(/** @type {CustomEvent} */ (event).detail.move),
    );
    this.board.addEventListener("nest-pick", (event) =>
      this.editor?.pick(/** @type {CustomEvent} */ (event).detail.place),
    );
    this.board.addEventListener("nest-drop", (event) => this.editor?.drop(/** @type {CustomEvent} */ (event).detail));
    this.moves.addEventListener("nest-jump", (event) => this.jump(/** @type {CustomEvent} */ (event).detail.ply));
    this.onKey = (/** @type {KeyboardEvent} */ event) => {
      if (turnsBoard(event)) return this.turnBoard();
      if (hasOwnKeys(event.target) || this.editor || ["ArrowUp", "ArrowDown"].includes(event.key)) return;
      const path = this.here.path();
      walk(event, path.length, this.here.line().length, (ply) => this.jump(ply));
    };
    this.onPreferences = () => this.update();
    document.addEventListener("keydown", this.onKey);
    window.addEventListener("nest-preferences", this.onPreferences);
    this.update();
  }

  close() {
    this.panel.close();
    if (this.onKey) document.removeEventListener("keydown", this.onKey);
    if (this.onPreferences) window.removeEventListener("nest-preferences", this.onPreferences);
  }

  /** @returns {Shown} */
  shown() {
    const { study, move } = this.here;
    const { warn, coordinates } = preferences();
    const isEditing = this.editor !== null;
    return {
      board: this.editor ? this.editor.board : study.board,
      legal: study.outcome || isEditing ? [] : study.moves.map((each) => each.move),
      dangerous: study.moves.filter((each) => each.dangerous).map((each) => each.move),
      lastMove: isEditing ? null : move,
      lines: isEditing ? [] : (study.outcome?.lines ?? []),
      winner: study.outcome?.winner ?? null,
      turn: study.outcome || isEditing ? null : study.board.turn,
      warn,
      coordinates,
      flip: this.flipped,
      arrows: isEditing ? [] : this.arrows,
      preview: isEditing ? null : (this.preview ?? this.opening),
      pickable: isEditing,
      worth: this.worth,
    };
  }

  update() {
    const { study } = this.here;
    this.board.show(this.shown());
    say(this.status, this.editor ? "Editing the position" : study.text);
    const line = this.here.line();
    const ply = this.here.path().length;
    mark(this.back, "aria-disabled", ply > 0 && !this.editor ? null : "true");
    mark(this.forward, "aria-disabled", ply < line.length && !this.editor ? null : "true");
    mark(this.edit, "aria-pressed", String(this.editor !== null));
    this.moves.hidden = this.editor !== null;
    this.typed.element.hidden = this.editor !== null || Boolean(study.outcome);
    this.panel.element.hidden = this.editor !== null;
    this.moves.show(
      line.map((branch) => ({
        move: moveText(this.rules, /** @type {string} */ (branch.move)),
        title: moveInWords(this.rules, branch.move ?? "", branch.study.board, branch.parent?.study.board ?? null),
        mark: branch.siblings().length ? `+${branch.siblings().length}` : undefined,
      })),
      ply,
    );
    this.showBranches();
    if (this.editor) this.openings.element.hidden = true;
    else {
      this.panel.look(this.position());
      void this.openings.look(study);
    }
  }

  /** Moves that were tried here besides the one that is shown. */
  showBranches() {
    const others = this.editor ? [] : this.here.children.filter((child) => child !== this.here.next);
    this.branches.hidden = others.length === 0;
    this.branches.replaceChildren(
      ...(others.length ? [make("span", { class: "remark" }, "Also tried:")] : []),
      ...others.map((child) =>
        make(
          "button",
          { type: "button", class: "chip", onclick: () => this.goTo(child) },
          make("b", {}, moveText(this.rules, /** @type {string} */ (child.move))),
        ),
      ),
    );
  }

  position() {
    return { rules: this.rules.name, start: this.root.study.board.text, moves: this.here.moves() };
  }

  /** @param {Branch} branch */
  goTo(branch) {
    for (const each of branch.path()) if (each.parent) each.parent.next = each;
    this.here = branch;
    this.arrows = [];
    this.preview = null;
    this.opening = null;
    this.worth = null;
    const address = positionAddress(this.rules.name, this.root.study.board.text, branch.moves());
    // Every step is one the browser can go back.
    if (place(address) !== location.pathname + location.search) history.pushState(null, "", place(address));
    keepLines(this.rules.name, this.root);
    const had = this.branches.contains(document.activeElement);
    this.update();
    if (had) this.status.focus({ preventScroll: true });
  }

  /** Back or forward in the browser: the branch at an address, if it is one of this study. @param {URL} address */
  revisit(address) {
    const { rules, start, moves } = readAddress(address);
    if (rules !== this.rules.name || start !== this.root.study.board.text) return false;
    /** @type {Branch | null} */
    let branch = this.root;
    for (const move of moves) branch = branch?.find(move) ?? null;
    if (!branch) return false;
    this.goTo(branch);
    return true;
  }

  /** @param {number} ply */
  jump(ply) {
    const branch = ply === 0 ? this.root : this.here.line()[ply - 1];
    if (!branch) return;
    this.goTo(branch);
    announce(ply ? (this.moves.moves[ply - 1]?.title ?? "") : "The start.");
  }

  /** @param {number} step */
  walk(step) {
    const button = step < 0 ? this.back : this.forward;
    if (button.getAttribute("aria-disabled") !== "true") this.jump(this.here.path().length + step);
  }

  /** Play a move; it becomes a branch, or leads into one. @param {string} move */
  async play(move) {
    try {
      await this.type(move);
      return true;
    } catch (error) {
      notice(messageOf(error), gameOf(error));
      this.update();
      return false;
    }
  }

  /** Say why a move is refused, as for a typed one. @param {string | null} move */
  async explain(move) {
    if (!move) return notice("Take a piece of the side to move first.");
    const { start, moves } = this.position();
    await lookAt(this.rules, { start, moves: [...moves, move] }).catch((error) =>
      notice(whyRefused(this.rules, messageOf(error))),
    );
  }

  /** @param {string} spelled  a move in any spelling */
  async type(spelled) {
    const from = this.here;
    // In an address, moves are separated by spaces.
    const text = spelled.replace(/\s+/g, "");
    const known = from.find(text);
    if (known) return this.goTo(known);
    const study = await lookAt(this.rules, { start: this.root.study.board.text, moves: [...from.moves(), text] });
    const branch = from.add(canonical(from, text, study), study);
    announce(moveInWords(this.rules, branch.move ?? text, study.board, from.study.board));
    this.goTo(branch);
    return undefined;
  }

  /**
   * Play the moves of an address or of a kept branch, as far as they are legal.
   *
   * @param {string[]} moves @param {boolean} [isShown]  whether the board goes there too
   */
  async follow(moves, isShown = true) {
    const start = this.root.study.board.text;
    let branch = this.root;
    try {
      for (const index of moves.keys()) {
        const study = await lookAt(this.rules, { start, moves: moves.slice(0, index + 1) });
        branch = branch.add(canonical(branch, moves[index] ?? "", study), study);
      }
    } catch {
      if (!isShown) return;
      // One of them is not a move: play those before it, and say what is wrong.
      for (const move of moves) if (!(await this.play(move))) return;
    }
    if (moves.length && isShown) this.goTo(branch);
  }

  /** @param {string} text */
  isMove(text) {
    return isMoveAt(this.here, text);
  }

  turnBoard() {
    this.flipped = !this.flipped;
    this.update();
  }

  toggleEditor() {
    if (this.editor) {
      this.editor.element.remove();
      this.editor = null;
    } else {
      this.editor = new Editor(this.rules, this.here.study.board, {
        change: () => this.board.show(this.shown()),
        done: (text) => navigate(positionAddress(this.rules.name, text)),
      });
      this.place.append(this.editor.element);
    }
    this.update();
  }

  share() {
    openShare({
      rules: this.rules,
      board: this.here.study.board,
      position: this.position(),
      game: null,
      boards: [this.root, ...this.here.path()].map((branch) => branch.study.board),
      flip: this.flipped,
    });
  }

  /** Start a game from this position. */
  playOn() {
    const level = select(
      "level",
      "Against",
      [
        ["", "A friend, on this screen"],
        ...this.rules.levels.map((each) => [each, `The computer: ${levelName(each, this.rules)}`]),
      ],
      lastChoice().levels[this.rules.name] ?? "3",
    );
    const start = async () => {
      const chosen = /** @type {HTMLSelectElement} */ (level.querySelector("select")).value;
      /** @type {SeatChoice} */
      const other = chosen ? { player: "computer", level: chosen } : { player: "here" };
      const { text, turn } = this.here.study.board;
      const side = chosen && this.rules.person_begins ? "first" : turn;
      try {
        await startGame({ rules: this.rules.name, position: text, seats: seated(side, other) });
        dialog.close();
      } catch (error) {
        notice(messageOf(error), gameOf(error));
      }
    };
    const dialog = openDialog(
      "Play on from here",
      level,
      make(
        "p",
        { class: "row" },
        make("button", { type: "button", class: "primary", onclick: () => void start() }, "Play"),
      ),
    );
  }

  /** Open a position or a record that was copied elsewhere. */
  paste() {
    const field = make("textarea", {
      "aria-label": "Position or record",
      placeholder: 'x3/x,b1w3,x/w2,x2 b\n\nor a record: [Rules "gobblers"] 1. 3b2 3a1 …',
      spellcheck: "false",
    });
    const problem = make("p", { class: "problem", role: "alert" });
    const openIt = async () => {
      const text = field.value.trim();
      try {
        if (text.startsWith("[")) {
          await startGame({ record: text, seats: { first: { player: "here" }, second: { player: "here" } } });
          dialog.close();
        } else {
          const study = await lookAt(this.rules, { start: text, moves: [] });
          dialog.close();
          navigate(positionAddress(this.rules.name, study.board.text));
        }
      } catch (error) {
        say(problem, messageOf(error));
      }
    };
    const dialog = openDialog(
      "Open a position or a record",
      make("p", {}, `A position is read under the rules of ${this.rules.title}; a record names its own rules.`),
      field,
      problem,
      make(
        "p",
        { class: "row" },
        make("button", { type: "button", class: "primary", onclick: () => void openIt() }, "Open"),
      ),
    );
  }
}
