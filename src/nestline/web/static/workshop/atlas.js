/**
 * What is known about a game: the table of solved games that comes with nestline.
 *
 * @import { Values } from "./design.js"
 */
import { fetchFile } from "../server/api.js";
import { FIELDS, PLAY_FIELDS, settle } from "./fields.js";

/**
 * A solved game; values are those of the player who begins, distances count the moves of both.
 *
 * @typedef {object} Solved
 * @property {"win" | "draw" | "loss"} value
 * @property {number | null} distance
 * @property {number} reachable  positions, up to symmetry
 * @property {number | null} longest  the longest win of all placements; null if nobody has looked
 * @property {string[]} firstMoves  the best ones, up to symmetry
 */

/** @typedef {Map<string, Solved & {stuck: boolean}>} Atlas */

/** @param {any} value */
function cell(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join("-") : String(value);
}

/** The same for rule sets that play the same game. @param {Values} values */
function keyOf(values) {
  return PLAY_FIELDS.map((key) => cell(values[key])).join(",");
}

/** @param {string} text  of the table's CSV file @returns {Atlas} */
export function readAtlas(text) {
  const [header = "", ...lines] = text.trim().split("\n");
  const names = header.split(",");
  /** @type {Atlas} */
  const atlas = new Map();
  for (const line of lines) {
    const cells = line.split(",");
    /** @type {Record<string, string>} */
    const row = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
    // A table that is older than a field has its default.
    const key = PLAY_FIELDS.map((name) => row[name] ?? cell(FIELDS[name]?.default)).join(",");
    atlas.set(key, {
      value: /** @type {Solved["value"]} */ (row.value),
      distance: row.distance ? Number(row.distance) : null,
      reachable: Number(row.reachable),
      longest: Number(row.longest_win),
      firstMoves: row.first_moves?.split(" ") ?? [],
      stuck: row.stuck === "yes",
    });
  }
  return atlas;
}

/** @type {Promise<Atlas> | null} */
let loading = null;

/** The table, loaded when it is first asked for. */
export function loadAtlas() {
  const file = new URL("../atlas.csv", import.meta.url);
  loading ??= fetchFile(file, "The table of solved games", (response) => response.text())
    .then(readAtlas)
    .catch((error) => {
      loading = null;
      throw error;
    });
  return loading;
}

/** @param {Atlas} atlas @param {Values} rules @returns {Solved | null} */
export function knownGame(atlas, rules) {
  const values = { ...rules };
  settle(values);
  const found = atlas.get(keyOf(values));
  if (found || values.no_move !== "draw") return found ?? null;
  // Where nobody is ever without a move, it does not matter what happens then.
  const twin = atlas.get(keyOf({ ...values, no_move: "loses" }));
  return twin && !twin.stuck ? twin : null;
}
