/**
 * The workshop: a form to design a rule set, a board that plays it, what is known about the game, and
 * ways to play and share it. Everything happens in the page.
 *
 * @import { RuleSet } from "../server/types.js"
 * @import { Atlas, Solved } from "./atlas.js"
 * @import { Problem } from "./checking.js"
 */
import { LivingBoard } from "../board/living.js";
import { seated, startGame } from "../local/creation.js";
import { refereeFor } from "../local/referees.js";
import { copied, saveFile } from "../panels/share.js";
import { fetchRules, isDesign, messageOf } from "../server/api.js";
import { openDialog } from "../shared/dialogs.js";
import { make, say } from "../shared/dom.js";
import { select } from "../shared/fields.js";
import { canShare, shareWithOthers } from "../shared/sharing.js";
import { linkTo, place } from "../site/site.js";
import { knownGame, loadAtlas } from "./atlas.js";
import { changed, problems } from "./checking.js";
import { readDesign, rulesFile, writeDesign } from "./design.js";
import { FIELDS, PLAY_FIELDS } from "./fields.js";
import { Form } from "./form.js";
import { playout } from "./playout.js";
import { baseOf, ruleSet } from "./rule_set.js";
import { entriesAbout, MOST_ENTRIES } from "./solver.js";
import { solvedFacts, solvedWords } from "./words.js";

const USUAL = "gobblers";
const NEW_TITLE = "My game";
/** What `nestline solve` takes at most on a computer at home. */
const MOST_IN_TERMINAL = 1e9;
/** The place among the levels for the first game. */
const LEVEL = 3;

/**
 * @param {HTMLElement} content
 * @param {import("../shared/navigate.js").Visit} visit
 */
export async function open(content, { address }) {
  document.title = "Workshop · nestline";
  content.className = "view workshop";
  const all = await fetchRules();
  const wanted = address.searchParams.get("rules") ?? USUAL;
  const { like, changes } = isDesign(wanted) ? readDesign(wanted) : { like: wanted, changes: {} };
  const base = baseOf(like, all);
  const workshop = new Workshop(all, base);
  // A game of other rules is not called like the set that it began with.
  workshop.form.write({ ...changed(base, {}), title: NEW_TITLE, ...changes });
  content.append(...workshop.elements());
  workshop.update();
  return () => {
    workshop.stop();
    workshop.living.close();
  };
}

class Workshop {
  /** @param {RuleSet[]} all @param {RuleSet} base */
  constructor(all, base) {
    this.all = all;
    this.base = base;
    /** What is on the screen; null while it is refused. @type {RuleSet | null} */
    this.rules = null;
    this.updates = 0;
    /** Ends what is being solved. */
    this.stop = () => {};
    this.form = new Form(() => this.update());
    this.living = new LivingBoard();
    this.living.element.hidden = true;
    this.title = make("h2", { class: "game-title" });
    this.verdict = make("div", { class: "known", role: "status" });
    this.facts = make("div", { class: "facts" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.play = make(
      "button",
      { type: "button", class: "primary play", onclick: () => this.begin("computer") },
      "Play",
    );
    this.ways = make("div", { class: "row ways-on" });
    this.begins = select(
      "like",
      "Begin with",
      all.map((each) => [each.name, each.title]),
      base.name,
    );
    this.begins.addEventListener("change", (event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      this.base = all.find((each) => each.name === value) ?? base;
      this.form.write({ ...changed(this.base, {}), title: NEW_TITLE });
      this.update();
    });
  }

  elements() {
    return [
      make(
        "div",
        { class: "workshop-head" },
        make("h1", {}, "Workshop"),
        make(
          "p",
          { class: "lead" },
          "Design a game of your own. The board plays it at once, and if it is among the games that nestline has " +
            "solved, you learn who wins.",
        ),
        this.begins,
      ),
      make(
        "section",
        { class: "designed", "aria-label": "Your game" },
        make("div", { class: "glance" }, this.living.element, this.title, this.verdict),
        make("div", { class: "doing" }, this.facts, this.play, this.ways, this.problem),
      ),
      this.form.element,
    ];
  }

  get changes() {
    return this.form.changes(this.base);
  }

  get design() {
    return writeDesign(this.base.name, this.changes);
  }

  /** Check what the form says, and show the game. */
  update() {
    this.updates += 1;
    this.stop();
    const { base, changes, design } = this;
    const found = problems(base, changes);
    this.form.refuse(found);
    say(this.problem, "");
    history.replaceState(null, "", place(`/workshop?rules=${design}`));
    if (found.length) this.refuse(found);
    else void this.show(this.updates).catch((error) => say(this.problem, messageOf(error)));
  }

  /** @param {Problem[]} found */
  refuse(found) {
    this.rules = null;
    this.living.element.hidden = true;
    this.play.disabled = true;
    this.ways.replaceChildren();
    say(this.title, "This cannot be played");
    const reasons = found.map(({ key, message }) =>
      make("li", {}, make("strong", {}, FIELDS[key]?.label ?? key), ` (${key}): ${message}.`),
    );
    this.verdict.replaceChildren(make("ul", {}, reasons));
    this.facts.replaceChildren();
  }

  /** @param {number} update */
  async show(update) {
    const rules = await ruleSet(this.base, this.changes, this.design);
    const { law } = await refereeFor(rules);
    if (update !== this.updates) return;
    this.rules = rules;
    this.play.disabled = false;
    say(this.title, rules.title);
    this.living.element.hidden = false;
    this.living.show(rules, playout(law, rules.name));
    this.ways.replaceChildren(
      make("button", { type: "button", onclick: () => this.begin("here") }, "Play a friend here"),
      make("a", { class: "button", href: `/?rules=${rules.name}` }, "More ways to play"),
      make("button", { type: "button", onclick: () => this.share() }, "Share"),
      make("a", { class: "button", href: `/rules/${rules.name}` }, "Rules in words"),
      make("a", { class: "button", href: `/study?rules=${rules.name}` }, "Study"),
    );
    const atlas = await loadAtlas();
    if (update === this.updates) this.tell(atlas, rules);
  }

  /** What is known about the game. @param {Atlas} atlas @param {RuleSet} rules */
  tell(atlas, rules) {
    const solved = knownGame(atlas, rules);
    if (solved) return this.showSolved(rules, solved);
    const entries = entriesAbout(rules);
    const positions = `${entries.toLocaleString("en", { maximumSignificantDigits: 2 })} positions`;
    const size = `This game is not in the atlas of solved games. It has about ${positions}`;
    if (entries <= MOST_ENTRIES) {
      const button = make("button", { type: "button", onclick: () => this.solve(rules) }, "Solve it");
      this.judge("Not solved yet.", "", `${size}, few enough to find out here who wins.`, button);
    } else if (entries <= MOST_IN_TERMINAL) {
      const command = make("code", {}, `nestline solve ${rules.name}`);
      this.judge("Not solved yet.", "", `${size}, too many for the page. In a terminal, `, command, " finds out.");
    } else this.judge("Nobody knows who wins.", "", `${size}, too many for the page.`);
  }

  /** @param {string} verdict @param {string} kind @param {...(string | Node)} facts */
  judge(verdict, kind, ...facts) {
    this.verdict.replaceChildren(make("p", { class: `verdict ${kind}` }, verdict));
    this.facts.replaceChildren(...facts);
  }

  /** @param {RuleSet} rules @param {Solved} solved */
  showSolved(rules, solved) {
    this.judge(solvedWords(rules, solved), solved.value, solvedFacts(solved));
  }

  /** Solve the game in a worker, which ends when the rules change. @param {RuleSet} rules */
  solve(rules) {
    this.judge("Solving …", "");
    const worker = new Worker(new URL("solver_worker.js", import.meta.url), { type: "module" });
    this.stop = () => worker.terminate();
    worker.onerror = () => this.judge("This browser cannot solve it.", "");
    worker.onmessage = ({ data: { positions, solved, problem } }) => {
      if (solved) this.showSolved(rules, solved);
      else if (problem) this.judge("This browser cannot solve it.", "", problem);
      else say(this.facts, `${positions.toLocaleString("en")} positions so far`);
    };
    worker.postMessage(Object.fromEntries(PLAY_FIELDS.map((key) => [key, /** @type {any} */ (rules)[key]])));
  }

  /** @param {"computer" | "here"} player */
  async begin(player) {
    const { rules } = this;
    if (!rules) return;
    const level = rules.levels[Math.min(LEVEL, rules.levels.length - 1)] ?? "random";
    const other = player === "computer" ? { player, level } : { player };
    try {
      await startGame({ rules: rules.name, seats: seated("first", other) });
    } catch (error) {
      say(this.problem, messageOf(error));
    }
  }

  share() {
    const { base, changes, rules } = this;
    if (!rules) return;
    const link = linkTo(`/workshop?rules=${rules.name}`);
    const file = () => saveFile(new Blob([rulesFile(base.name, changes)], { type: "text/plain" }), "rules.toml");
    openDialog(
      "Share",
      make("p", {}, "The link carries the rules, so it works wherever nestline does."),
      copied("Link to this game", link),
      copied("Link to play it", linkTo(`/?rules=${rules.name}`)),
      copied("For the terminal", `nestline play --rules ${rules.name}`),
      make(
        "div",
        { class: "pairs" },
        make("button", { type: "button", onclick: file }, "Rule set's file"),
        canShare()
          ? make("button", { type: "button", onclick: () => shareWithOthers(rules.title, link) }, "Share…")
          : null,
      ),
    );
  }
}
