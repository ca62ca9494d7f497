/**
 * The start page: choose a game, choose who plays, and play. Everything has a default.
 *
 * @import { NewGame, RuleSet, SeatChoice, SeatName, Visibility } from "../server/types.js"
 * @import { KeptGame } from "../local/storage.js"
 * @import { Choice } from "../shared/settings.js"
 */

import { emblem } from "../board/miniature.js";
import { seated, startGame } from "../local/creation.js";
import { unfinished } from "../local/storage.js";
import { fetchRuleSet, fetchRules, messageOf } from "../server/api.js";
import { make, say } from "../shared/dom.js";
import { radios, select } from "../shared/fields.js";
import { isNew, lastChoice, rememberChoice } from "../shared/settings.js";
import { levelName, playerName } from "../shared/words.js";

const OPPONENTS = { computer: "The computer", screen: "A friend, on this screen", link: "A friend, by a link" };
const MOST_UNFINISHED = 3;
const VISIBILITIES = /** @type {Record<string, string>} */ ({
  open: "Always shown",
  peek: "Hidden, lift yours to look",
  memory: "Hidden, remember them",
});

/**
 * @param {HTMLElement} content
 * @param {import("../shared/navigate.js").Visit} visit
 */
export async function open(content, { address }) {
  document.title = "nestline: play";
  const wanted = address.searchParams.get("rules");
  const rules = [...(await fetchRules())];
  const choice = lastChoice();
  if (wanted) {
    // A custom set is not among those that come with nestline.
    if (!rules.some((each) => each.name === wanted)) rules.push(await fetchRuleSet(wanted));
    choice.rules = wanted;
  }
  if (!rules.some((each) => each.name === choice.rules)) choice.rules = rules[0]?.name ?? "";
  content.className = "view start";
  content.append(...new Start(rules, choice).elements());
  void showUnfinished(content);
}

/** The games of this browser that wait for a move, to go on with. @param {HTMLElement} content */
async function showUnfinished(content) {
  const games = await unfinished(MOST_UNFINISHED).catch(() => []);
  if (!games.length) return;
  const items = games.map((game) => {
    const link = make("a", { href: `/game/${game.id}` }, `${game.set.title}: ${playersOf(game).join(" against ")}`);
    const when = new Date(game.changed).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    return make("li", {}, link, ` (${when})`);
  });
  content.append(make("section", { class: "unfinished" }, make("h2", {}, "Go on playing"), make("ul", {}, items)));
}

/** @param {KeptGame} game */
function playersOf({ setup, set }) {
  return setup.seats.map(({ name, level }, index) =>
    level === null ? (name ?? set.players[index === 0 ? 0 : 1]) : `the computer, ${levelName(level).toLowerCase()}`,
  );
}

class Start {
  /** @param {RuleSet[]} rules @param {Choice} choice */
  constructor(rules, choice) {
    this.all = rules;
    this.choice = choice;
    this.button = make("button", { type: "submit", class: "primary play" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.summary = make("p", { class: "summary" });
    this.options = make("div", { class: "options" });
    this.form = make(
      "form",
      { class: "chooser", onsubmit: (/** @type {Event} */ event) => this.play(event), onchange: () => this.read() },
      make("div", { class: "choices" }, this.cards()),
      make(
        "div",
        { class: "setup panel" },
        this.options,
        make("div", { class: "go" }, this.summary, this.button, this.problem),
      ),
    );
    this.showOptions();
  }

  elements() {
    return [make("h1", {}, "Pick a game and play"), isNew() ? offer() : "", this.form];
  }

  get rules() {
    return /** @type {RuleSet} */ (this.all.find((each) => each.name === this.choice.rules) ?? this.all[0]);
  }

  /** Whether the rules say which side a person plays against the computer. */
  get isSideGiven() {
    return this.choice.opponent === "computer" && this.rules.person_begins;
  }

  cards() {
    return make(
      "fieldset",
      { class: "cards" },
      make("legend", { class: "for-listeners" }, "Game"),
      this.all.map((rules) =>
        make(
          "label",
          { class: "card" },
          make("input", { type: "radio", name: "rules", value: rules.name, checked: rules.name === this.choice.rules }),
          emblem(rules),
          make("span", { class: "card-words" }, make("strong", {}, rules.title), make("span", {}, rules.summary)),
        ),
      ),
    );
  }

  /** Who plays, and how: what the chosen rule set offers. */
  showOptions() {
    const { rules, choice } = this;
    const isLevelKnown = rules.levels.includes(choice.level);
    const level = isLevelKnown ? choice.level : (rules.levels.at(-1) ?? "1");
    const seats = /** @type {const} */ (["first", "second"]);
    const sides = [
      ...seats.map((seat, index) => [seat, `${playerName(rules, seat)}, ${index ? "second" : "first"} to move`]),
      ["chance", "By chance"],
    ];
    this.options.replaceChildren(
      radios("opponent", "Against", Object.entries(OPPONENTS), choice.opponent),
      choice.opponent === "computer"
        ? select(
            "level",
            "Strength",
            rules.levels.map((each) => [each, levelName(each)]),
            level,
          )
        : "",
      this.isSideGiven ? make("p", { class: "remark" }, `You play ${playerName(rules, "first")} and begin.`) : "",
      choice.opponent === "screen" || this.isSideGiven ? "" : select("side", "You play", sides, choice.side),
      rules.visibilities.length > 1
        ? select(
            "visibility",
            "Covered pieces",
            rules.visibilities.map((each) => [each, VISIBILITIES[each] ?? each]),
            choice.visibilities[rules.name] ?? rules.visibility,
          )
        : "",
      rules.touch_move
        ? make(
            "label",
            { class: "tick" },
            make("input", { type: "checkbox", name: "touch", checked: choice.touch }),
            "A touched piece must be played",
          )
        : "",
    );
    say(this.button, choice.opponent === "link" ? "Get the link" : "Play");
    this.summarise();
  }

  /** A summary beside the button, since the choices may have scrolled out of sight. */
  summarise() {
    const { rules, choice } = this;
    const level = rules.levels.includes(choice.level) ? choice.level : (rules.levels.at(-1) ?? "1");
    const against = {
      computer: `the computer, ${levelName(level).toLowerCase()}`,
      screen: "a friend here",
      link: "a friend elsewhere",
    };
    say(this.summary, [rules.title, `against ${against[choice.opponent]}`, ...this.chosen()].join(", "));
  }

  /** What was chosen besides, or remembered from the last time. */
  chosen() {
    const { rules, choice } = this;
    const hasSide = choice.opponent !== "screen" && !this.isSideGiven;
    const side = choice.side === "chance" ? "sides by chance" : `you play ${playerName(rules, choice.side)}`;
    const seen = choice.visibilities[rules.name] ?? rules.visibility;
    return [
      hasSide ? side : "",
      rules.visibilities.length > 1 && seen !== "open" ? "covered pieces hidden" : "",
      rules.touch_move && choice.touch ? "a touched piece must be played" : "",
    ].filter(Boolean);
  }

  /** Apply what was chosen. */
  read() {
    const data = new FormData(this.form);
    const before = { ...this.choice };
    const text = (/** @type {string} */ name, /** @type {string} */ usual) => String(data.get(name) ?? usual);
    const seen = /** @type {Visibility | null} */ (data.get("visibility"));
    const touched = this.form.elements.namedItem("touch");
    this.choice = {
      rules: text("rules", before.rules),
      opponent: /** @type {Choice["opponent"]} */ (text("opponent", before.opponent)),
      level: text("level", before.level),
      side: /** @type {Choice["side"]} */ (text("side", before.side)),
      visibilities: seen ? { ...before.visibilities, [before.rules]: seen } : before.visibilities,
      touch: touched instanceof HTMLInputElement ? touched.checked : before.touch,
    };
    this.summarise();
    if (before.rules === this.choice.rules && before.opponent === this.choice.opponent) return;
    // The focus stays on what was just chosen.
    const focused = document.activeElement;
    const [name, value] = focused instanceof HTMLInputElement ? [focused.name, focused.value] : ["", ""];
    this.showOptions();
    if (name === "opponent") {
      /** @type {HTMLElement | null} */ (this.form.querySelector(`input[value="${value}"]`))?.focus();
    }
  }

  /** @param {Event} event */
  async play(event) {
    event.preventDefault();
    if (this.button.getAttribute("aria-busy")) return;
    this.read();
    rememberChoice(this.choice);
    this.button.setAttribute("aria-busy", "true");
    say(this.problem, "");
    try {
      await startGame(newGame(this.rules, this.choice));
    } catch (error) {
      this.button.removeAttribute("aria-busy");
      say(this.problem, messageOf(error));
    }
  }
}

/** Lessons, for somebody who has never played here. */
function offer() {
  return make(
    "p",
    { class: "offer" },
    make("span", {}, "New here? "),
    make("a", { href: "/learn", class: "button" }, "Learn it in three minutes"),
  );
}

/**
 * What to ask the server for.
 *
 * @param {RuleSet} rules
 * @param {Choice} choice
 * @returns {NewGame}
 */
function newGame(rules, choice) {
  const level = rules.levels.includes(choice.level) ? choice.level : rules.levels.at(-1);
  /** @type {Record<Choice["opponent"], SeatChoice>} */
  const others = { computer: { player: "computer", level }, screen: { player: "here" }, link: { player: "link" } };
  /** @type {SeatName} */
  const chance = Math.random() < 0.5 ? "first" : "second";
  const wanted = choice.side === "chance" ? chance : choice.side;
  const isGiven = choice.opponent === "screen" || (choice.opponent === "computer" && rules.person_begins);
  return {
    rules: rules.name,
    seats: seated(isGiven ? "first" : wanted, others[choice.opponent]),
    visibility: choice.visibilities[rules.name] ?? null,
    touch_move: rules.touch_move ? choice.touch : null,
  };
}
