/**
 * The opening explorer: what the engine thinks of the first moves of an unsolved game and of the replies to
 * them, and how its games against itself went that began so. `nestline openings make` writes the files.
 *
 * @import { RuleSet, Study } from "../server/types.js"
 * @import { Law } from "../engine/law.js"
 */
import { refereeFor } from "../local/referees.js";
import { fetchFile, messageOf } from "../server/api.js";
import { make, say } from "../shared/dom.js";
import { listing, scoreText } from "../shared/words.js";

/**
 * @typedef {{moves: string, score: number, depth: number, best: string,
 *   played: number, won: number, drawn: number}} Line
 *   for the player who makes the move
 * @typedef {Line & {move: string, alike: string[]}} Choice
 * @typedef {[string, number, number, number, string, number, number, number]} Row  as in the file
 * @typedef {{games: number, lines: Map<string, Line>}} Explorer  lines by the key of the position after them
 */

/** The rule sets that have an explorer. */
export const OPENING_SETS = ["gobblet", "gobblet-house"];

/** How many pieces are on the board before the last move that an explorer knows. */
const MOST_PIECES = 1;

/** @type {Map<string, Promise<Explorer>>} */
const explorers = new Map();

/** @param {string} rules @param {Law} law @returns {Promise<Explorer>} */
async function load(rules, law) {
  const file = new URL(`openings/${rules}.json`, import.meta.url);
  return readExplorer(await fetchFile(file, "The openings"), law);
}

/** @param {{games: number, lines: Row[]}} file @param {Law} law @returns {Explorer} */
export function readExplorer({ games, lines }, law) {
  const found = new Map();
  for (const [moves, score, depth, , best, played, won, drawn] of lines) {
    const position = moves.split(" ").reduce((before, move) => law.play(before, move), law.start());
    found.set(law.key(position), { moves, score, depth, best, played, won, drawn });
  }
  return { games, lines: found };
}

/**
 * What an explorer knows about the moves of a position, best first; symmetric ones once.
 *
 * @param {Explorer} explorer @param {Law} law @param {import("../engine/law.js").Position} position
 * @returns {Choice[]}
 */
export function choicesAt({ lines }, law, position) {
  return law
    .alike(position, law.legalMoves(position))
    .flatMap(([move = "", ...alike]) => {
      const line = lines.get(law.key(law.play(position, move)));
      return line ? [{ ...line, move, alike }] : [];
    })
    .sort((one, two) => two.score - one.score || (one.moves < two.moves ? -1 : 1));
}

/** @param {number} count @param {number} of */
const percent = (count, of) => (of ? `${Math.round((100 * count) / of)}\u202f%` : "–");

export class OpeningsPanel {
  /** @param {RuleSet} rules @param {{play: (move: string) => void, preview: (move: string | null) => void}} listener */
  constructor(rules, listener) {
    this.rules = rules;
    this.wanted = "";
    this.rows = make("tbody");
    this.remark = make("p", { class: "remark", role: "status" });
    const heads = ["Move", "Value", "Games", "Won", "Drawn"];
    this.table = make(
      "table",
      {},
      make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
      this.rows,
    );
    this.element = make(
      "section",
      { class: "openings", "aria-label": "Openings" },
      make("h2", {}, "Openings"),
      this.table,
      this.remark,
    );
    this.element.hidden = true;
    const moveAt = (/** @type {Event} */ { target }) =>
      (target instanceof Element && /** @type {HTMLElement | null} */ (target.closest("[data-move]"))?.dataset.move) ||
      null;
    for (const name of ["pointerover", "focusin"]) {
      this.rows.addEventListener(name, (event) => listener.preview(moveAt(event)));
    }
    for (const name of ["pointerout", "focusout"]) this.rows.addEventListener(name, () => listener.preview(null));
    this.rows.addEventListener("click", (event) => {
      const move = moveAt(event);
      if (move) listener.play(move);
    });
  }

  /** Show what is known about the moves of a position; nothing if it is none of an opening. @param {Study} study */
  async look({ board, outcome }) {
    this.wanted = board.text;
    const pieces = Object.values(board.stacks).flat().length;
    const isOpening = OPENING_SETS.includes(this.rules.name) && pieces <= MOST_PIECES && !outcome;
    if (!isOpening) {
      this.element.hidden = true;
      return;
    }
    try {
      const { law } = await refereeFor(this.rules);
      const loading = explorers.get(this.rules.name) ?? load(this.rules.name, law);
      explorers.set(this.rules.name, loading);
      loading.catch(() => explorers.delete(this.rules.name));
      const explorer = await loading;
      if (this.wanted === board.text) this.show(choicesAt(explorer, law, law.read(board)), explorer.games);
    } catch (error) {
      this.rows.replaceChildren();
      this.table.hidden = true;
      this.element.hidden = false;
      say(this.remark, messageOf(error));
    }
  }

  /** @param {Choice[]} choices @param {number} games */
  show(choices, games) {
    this.element.hidden = choices.length === 0;
    this.table.hidden = false;
    this.rows.replaceChildren(...choices.map((choice) => this.row(choice)));
    const source =
      "Values and wins are those of the player who makes the move. " +
      `Searched beforehand; ${games.toLocaleString("en")} games of the engine against itself.`;
    say(this.remark, source);
  }

  /** @param {Choice} choice */
  row({ move, alike, score, depth, best, played, won, drawn }) {
    const count = alike.length ? ` ×${alike.length + 1}` : "";
    const same = alike.length ? ` The same as ${listing(alike)}.` : "";
    const button = make(
      "button",
      {
        type: "button",
        class: "chip",
        "data-move": move,
        title: best,
        "aria-label": `${move}${count}: play it.${same}`,
      },
      make("b", {}, move),
      count && make("small", {}, count),
    );
    const value = make("td", { title: `Searched to depth ${depth}` }, scoreText(score));
    const cells = [String(played), percent(won, played), percent(drawn, played)];
    return make("tr", {}, make("th", { scope: "row" }, button), value, ...cells.map((cell) => make("td", {}, cell)));
  }
}
