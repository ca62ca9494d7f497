// The levels of the page's engine, asked for one move after another: a line of JSON each.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Law } from "../src/nestline/web/static/engine/law.js";
import { Instance, loadModule } from "../src/nestline/web/static/engine/module.js";
import { Search, weightsFor } from "../src/nestline/web/static/engine/search.js";

const engine = new URL("../src/nestline/web/static/engine/", import.meta.url);
const module = await loadModule(readFileSync(new URL("nestline.wasm", engine)));
const searches = new Map();

// Rule sets without weights of their own are judged by those that the module has for all.
function learnedWeights(rules) {
  const family = weightsFor(rules);
  if (family === null) return null;
  const { buffer, byteOffset, byteLength } = readFileSync(new URL(`weights/${family}.bin`, engine));
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

function searchFor(rules) {
  if (!searches.has(rules.name)) {
    searches.set(rules.name, new Search(new Law(new Instance(module), rules), rules, learnedWeights(rules)));
  }
  return searches.get(rules.name);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { rules, level, boards } = JSON.parse(line);
  const search = searchFor(rules);
  if (boards.length <= 2) search.forget();
  const game = { positions: boards.map((board) => search.law.read(board)) };
  let move = search.beginLevel(game, level);
  if (!move) {
    let found = null;
    for (let next = search.advance(); next; next = search.advance()) found = next;
    move = search.chooseLevel(level, found);
  }
  process.stdout.write(`${JSON.stringify(move)}\n`);
}
