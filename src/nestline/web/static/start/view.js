/**
 * The start page: a board that plays by itself, the games as tiles, who plays, and Play. Everything has
 * a default, and the last choice is remembered.
 *
 * @import { NewGame, RuleSet, SeatChoice, SeatName, Visibility } from "../server/types.js"
 * @import { Choice } from "../shared/settings.js"
 */

import { LivingBoard } from "../board/living.js";
import { seated, startGame } from "../local/creation.js";
import { isAnyKept } from "../local/storage.js";
import { fetchRuleSet, fetchRules, gameOf, isDesign, messageOf } from "../server/api.js";
import { make, say } from "../shared/dom.js";
import { radios, select } from "../shared/fields.js";
import { heldGames, isNew, lastChoice, rememberChoice } from "../shared/settings.js";
import { levelName, playerName } from "../shared/words.js";
import { hasServer } from "../site/site.js";
import { StrengthSlider } from "./strength.js";
import { tiles } from "./tiles.js";

const OPPONENTS = { computer: "Computer", screen: "Friend here", link: "Friend by link" };
/** For somebody who has not chosen yet: the weakest level that takes every win. */
const FIRST_LEVELS = ["child-7", "3"];
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
  if (!hasServer && choice.opponent === "link") choice.opponent = "computer";
  if (wanted) {
    // A custom set is not among those that come with nestline.
    if (!rules.some((each) => each.name === wanted)) rules.push(await fetchRuleSet(wanted));
    choice.rules = wanted;
  }
  if (!rules.some((each) => each.name === choice.rules)) choice.rules = rules[0]?.name ?? "";
  content.className = "view start";
  const start = new Start(rules, choice);
  content.append(...start.elements());
  const games = showGames(content, start.ways);
  return () => {
    start.living.close();
    void games.then((shown) => shown?.close());
  };
}

/**
 * The games of this browser, where there are any.
 *
 * @param {HTMLElement} content
 * @param {HTMLElement} ways  to other places
 */
async function showGames(content, ways) {
  const isKept = await isAnyKept().catch(() => false);
  if (!isKept && !heldGames().length) return null;
  const { OwnGames } = await import("./own_games.js");
  const games = new OwnGames();
  content.append(games.element);
  ways.append(games.way);
  void games.open();
  return games;
}

class Start {
  /** @param {RuleSet[]} rules @param {Choice} choice */
  constructor(rules, choice) {
    this.all = rules;
    this.choice = choice;
    this.living = new LivingBoard();
    this.ways = make(
      "div",
      { class: "ways" },
      make("a", { href: "/learn", class: "button" }, isNew() ? "Learn it in three minutes" : "Lessons"),
      make("a", { href: "/puzzles", class: "button" }, "Puzzle of the day"),
    );
    this.button = make("button", { type: "submit", class: "primary play" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.summary = make("p", { class: "summary" });
    this.about = make("p", { class: "about" });
    this.options = make("div", { class: "options" });
    this.more = make("details", { class: "more" }, make("summary", {}, "More choices"), this.options);
    // The button stays at the bottom of the window, where they would unfold behind it.
    this.more.addEventListener("toggle", () => this.more.open && this.more.scrollIntoView({ block: "nearest" }));
    this.opponent = make("div", { class: "opponent" });
    const opponents = Object.entries(OPPONENTS).filter(([each]) => hasServer || each !== "link");
    const against = radios("opponent", "Play against", opponents, choice.opponent);
    against.classList.add("chips");
    this.form = make(
      "form",
      { class: "chooser", onsubmit: (/** @type {Event} */ event) => this.play(event), onchange: () => this.read() },
      tiles(rules, choice.rules),
      this.about,
      against,
      this.opponent,
      this.more,
      make("div", { class: "go" }, this.summary, this.button, this.problem),
    );
    this.showOptions();
  }

  elements() {
    return [
      make(
        "section",
        { class: "hero", "aria-label": "Welcome" },
        make("h1", {}, make("span", {}, "Larger covers smaller."), " ", make("span", {}, "A line wins.")),
        make("p", { class: "lead" }, "Tic-tac-toe and its clever cousins."),
        this.living.element,
        this.ways,
      ),
      this.form,
    ];
  }

  get rules() {
    return /** @type {RuleSet} */ (this.all.find((each) => each.name === this.choice.rules) ?? this.all[0]);
  }

  /** Whether the rules say which side a person plays against the computer. */
  get isSideGiven() {
    return this.choice.opponent === "computer" && this.rules.person_begins;
  }

  /** Who plays, and how: what the chosen rule set offers. */
  showOptions() {
    const { rules, choice } = this;
    this.living.show(rules);
    const links = [make("a", { href: `/rules/${rules.name}` }, "Rules")];
    if (!rules.custom || isDesign(rules.name))
      links.push(make("a", { href: `/workshop?rules=${rules.name}` }, "Change them"));
    this.about.replaceChildren(`${rules.summary} `, make("span", { class: "on" }, ...links));
    this.strength = choice.opponent === "computer" ? new StrengthSlider(rules, levelOf(rules, choice)) : null;
    this.opponent.replaceChildren(...(this.strength ? [this.strength.element] : []));
    this.options.replaceChildren(...this.fields());
    this.more.hidden = !this.options.childElementCount;
    say(this.button, choice.opponent === "link" ? "Get the link" : "Play");
    this.summarise();
  }

  fields() {
    const { rules, choice } = this;
    const seats = /** @type {const} */ (["first", "second"]);
    const sides = [
      ...seats.map((seat, index) => [seat, `${playerName(rules, seat)}, ${index ? "second" : "first"} to move`]),
      ["chance", "By chance"],
    ];
    const seen = rules.visibilities.map((each) => [each, VISIBILITIES[each] ?? each]);
    const isTouched = make("input", { type: "checkbox", name: "touch", checked: choice.touch });
    return [
      choice.opponent !== "screen" && !this.isSideGiven && select("side", "You play", sides, choice.side),
      seen.length > 1 &&
        select("visibility", "Covered pieces", seen, choice.visibilities[rules.name] ?? rules.visibility),
      rules.touch_move && make("label", { class: "tick" }, isTouched, "A touched piece must be played"),
    ].filter((field) => field !== false);
  }

  /** Everything that was chosen or remembered, in one line above the button. */
  summarise() {
    const { rules, choice } = this;
    const seen = choice.visibilities[rules.name] ?? rules.visibility;
    const against = {
      computer: `the computer, ${levelName(this.strength?.chosen.level ?? "", rules)}`,
      screen: "a friend here",
      link: "a friend by link",
    };
    const parts = [
      `${rules.title} against ${against[choice.opponent]}`,
      this.sideInWords(),
      rules.visibilities.length > 1 ? (seen === "open" ? "covered pieces shown" : "covered pieces hidden") : "",
      rules.touch_move ? (choice.touch ? "a touched piece must be played" : "touching is free") : "",
    ];
    say(this.summary, parts.filter(Boolean).join("\u00a0· "));
  }

  sideInWords() {
    const { rules, choice } = this;
    if (choice.opponent === "screen") return "";
    if (this.isSideGiven) return `you play ${playerName(rules, "first")} and begin`;
    if (choice.side === "chance") return "sides by chance";
    return `you play ${playerName(rules, choice.side)}${choice.side === "first" ? " and begin" : ""}`;
  }

  /** Apply what was chosen. */
  read() {
    const data = new FormData(this.form);
    const before = { ...this.choice };
    const text = (/** @type {string} */ name, /** @type {string} */ usual) => String(data.get(name) ?? usual);
    const seen = /** @type {Visibility | null} */ (data.get("visibility"));
    const touched = this.form.elements.namedItem("touch");
    const level = this.strength?.chosen.level;
    this.choice = {
      rules: text("rules", before.rules),
      opponent: /** @type {Choice["opponent"]} */ (text("opponent", before.opponent)),
      levels: level ? { ...before.levels, [before.rules]: level } : before.levels,
      side: /** @type {Choice["side"]} */ (text("side", before.side)),
      visibilities: seen ? { ...before.visibilities, [before.rules]: seen } : before.visibilities,
      touch: touched instanceof HTMLInputElement ? touched.checked : before.touch,
    };
    if (before.rules === this.choice.rules && before.opponent === this.choice.opponent) this.summarise();
    else this.showOptions();
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
      const game = gameOf(error);
      this.problem.replaceChildren(
        messageOf(error),
        ...(game ? [" ", make("a", { href: `/game/${game}` }, "Go to your game")] : []),
      );
    }
  }
}

/** The level that was last chosen with these rules. @param {RuleSet} rules @param {Choice} choice */
function levelOf(rules, choice) {
  const level = choice.levels[rules.name] ?? "";
  return rules.levels.includes(level) ? level : (FIRST_LEVELS.find((each) => rules.levels.includes(each)) ?? "1");
}

/**
 * What to ask the game's host for.
 *
 * @param {RuleSet} rules
 * @param {Choice} choice
 * @returns {NewGame}
 */
function newGame(rules, choice) {
  /** @type {Record<Choice["opponent"], SeatChoice>} */
  const others = {
    computer: { player: "computer", level: levelOf(rules, choice) },
    screen: { player: "here" },
    link: { player: "link" },
  };
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
