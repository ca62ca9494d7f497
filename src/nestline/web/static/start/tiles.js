/**
 * The games to choose from as tiles: one for each kind of game, with its rule sets as a switch inside.
 *
 * @import { RuleSet } from "../server/types.js"
 */
import { emblem } from "../board/miniature.js";
import { make } from "../shared/dom.js";

const NUMBERS = ["no", "one", "two", "three", "four"];
/** The rule set of a kind that has no name of its own besides the game's. */
const USUAL = "Classic";

/** The rule sets that are variants of one game: same board, covering or not. @param {RuleSet[]} all */
export function kindsOf(all) {
  /** @type {Map<string, RuleSet[]>} */
  const kinds = new Map();
  for (const rules of all) {
    const kind = `${rules.board} ${rules.stock.length > 1}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), rules]);
  }
  return [...kinds.values()].sort(([one], [two]) => difficulty(one) - difficulty(two));
}

/** @param {RuleSet | undefined} rules */
function difficulty(rules) {
  return rules ? 10 * rules.board + rules.stock.length : 0;
}

/** `Gobblet` of `Gobblet, house rules` @param {RuleSet} rules */
function gameName({ title }) {
  return title.split(",")[0] ?? title;
}

/** `House` of `Gobblet, house rules` @param {RuleSet} rules @param {string} game  the name of the tile */
export function variantName({ title }, game) {
  if (title === game) return USUAL;
  const own = (title.startsWith(`${game},`) ? title.slice(game.length + 1) : title).trim().replace(/ rules$/, "");
  return own[0]?.toUpperCase() + own.slice(1);
}

/** `Three in a row, three sizes` @param {RuleSet} rules */
function shortly({ line, stock, reserve }) {
  const number = NUMBERS[line] ?? String(line);
  const row = `${number[0]?.toUpperCase()}${number.slice(1)} in a row`;
  if (stock.length === 1) return row;
  return `${row}, ${NUMBERS[stock.length]} ${reserve === "nested" ? "nested " : ""}sizes`;
}

/**
 * @param {RuleSet[]} all
 * @param {string} chosen  the name of a rule set
 */
export function tiles(all, chosen) {
  return make(
    "fieldset",
    { class: "tiles" },
    make("legend", { class: "for-listeners" }, "Game"),
    kindsOf(all).map((kind) => tile(kind, chosen)),
  );
}

/** @param {RuleSet[]} kind @param {string} chosen */
function tile(kind, chosen) {
  const first = /** @type {RuleSet} */ (kind[0]);
  const shown = kind.find((each) => each.name === chosen) ?? first;
  const game = gameName(first);
  const face = make(
    "label",
    { class: "tile-face", for: `rules-${shown.name}` },
    emblem(shown),
    make("strong", {}, game),
    make("span", { class: "tile-words" }, shortly(shown)),
  );
  const isAlone = kind.length === 1;
  const variants = kind.map((rules) => {
    const name = variantName(rules, game);
    const input = make("input", {
      type: "radio",
      name: "rules",
      id: `rules-${rules.name}`,
      value: rules.name,
      checked: rules.name === chosen,
      "aria-label": isAlone ? rules.title : `${rules.title}: ${name}`,
      // The tile stands for the variant that was chosen last.
      onchange: () => face.setAttribute("for", `rules-${rules.name}`),
    });
    return make("label", {}, input, isAlone ? "" : make("span", {}, name));
  });
  return make(
    "div",
    { class: isAlone ? "tile alone" : "tile" },
    face,
    make("div", { class: "segments beside" }, variants),
  );
}
