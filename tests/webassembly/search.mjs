// What the page's engine finds: read as JSON, answered as JSON.
import { readFileSync } from "node:fs";
import { Law } from "../../src/nestline/web/static/engine/law.js";
import { Instance, loadModule } from "../../src/nestline/web/static/engine/module.js";
import { Search, weightsFor } from "../../src/nestline/web/static/engine/search.js";

const engine = new URL("../../src/nestline/web/static/engine/", import.meta.url);
const module = await loadModule(readFileSync(process.env.WASM));

function learned(rules) {
  const name = weightsFor(rules);
  if (name === null) return null;
  const { buffer, byteOffset, byteLength } = readFileSync(new URL(`weights/${name}.bin`, engine));
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

function answer(search, { boards, moves, limits, level }) {
  const game = { positions: boards.map((board) => search.law.read(board)), moves };
  if (level) {
    const move = search.beginLevel(game, level);
    if (move) return move;
  } else {
    search.begin(game, limits);
  }
  let found = null;
  for (let next = search.advance(); next; next = search.advance()) found = next;
  return level ? search.chooseLevel(level, found) : { ...found, nodes: search.nodes };
}

const questions = JSON.parse(readFileSync(0, "utf8"));
const answers = questions.map(({ rules, options, games }) => {
  const search = new Search(new Law(new Instance(module), rules), rules, learned(rules), options);
  return games.map((game) => answer(search, game));
});
process.stdout.write(JSON.stringify(answers));
