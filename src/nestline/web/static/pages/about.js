/**
 * About: what this is, which version runs, where programs find the API.
 *
 * @import { RuleSet } from "../server/types.js"
 */
import { fetchRules, fetchStatus } from "../server/api.js";
import { make } from "../shared/dom.js";
import { hasServer, published } from "../site/site.js";

const STATES = /** @type {Record<string, string>} */ ({
  ready: "solved: study is exact",
  building: "is being solved on this server",
  none: "judged by the engine",
});

/** How far a game is solved, in words. @param {RuleSet} rules */
function stateOf({ table }) {
  const words = STATES[table.state] ?? table.state;
  return table.state === "building" ? `${words} (${Math.round(100 * table.part)} %)` : words;
}

/** @param {HTMLElement} content */
export async function open(content) {
  document.title = "About · nestline";
  content.className = "view words";
  const [rules, version] = await Promise.all([fetchRules(), published?.version ?? fetchVersion()]);
  content.append(
    make("h1", {}, "About nestline"),
    make(
      "p",
      { class: "lead" },
      "Tic-tac-toe, Gobblet Gobblers and Gobblet are one family: pieces in nested sizes on a square " +
        "board, and a full line of visible pieces wins. Here you can learn them, play them, solve puzzles and " +
        "study every position. Page, server and terminal apply the same rules, which are written once.",
    ),
    make("h2", {}, "What is solved here"),
    make(
      "ul",
      {},
      rules.map((each) => make("li", {}, make("a", { href: `/rules/${each.name}` }, each.title), `: ${stateOf(each)}`)),
    ),
    ...(hasServer ? forPrograms() : []),
    make("h2", {}, "Privacy"),
    make(
      "p",
      {},
      "The page loads nothing from other servers. Your browser keeps your games, settings and progress, and " +
        "the secrets of the seats you hold in games by link; a cookie keeps the players of such a game " +
        "from studying it, and has no other use.",
    ),
    make(
      "p",
      { class: "remark" },
      `Version ${version}. Free software under the MIT licence. Gobblet is a publisher's ` +
        "trade name; the games' names are used only to say which rules a rule set follows.",
    ),
  );
}

async function fetchVersion() {
  return (await fetchStatus()).version;
}

function forPrograms() {
  return [
    make("h2", {}, "For programs"),
    make(
      "p",
      {},
      "Games over HTTP and a WebSocket, values of positions, reviews and pictures: ",
      make("a", { href: "/api/v1/docs", "data-elsewhere": "" }, "the API"),
      " is open to other programs. Its description is ",
      make("a", { href: "/api/v1/openapi.json", "data-elsewhere": "" }, "an OpenAPI document"),
      ".",
    ),
  ];
}
