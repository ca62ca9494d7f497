// What the page reads from tables: read as JSON, answered as JSON.
import { readFileSync } from "node:fs";
import { Law } from "../../src/nestline/web/static/engine/law.js";
import { Instance, loadModule } from "../../src/nestline/web/static/engine/module.js";
import { Search } from "../../src/nestline/web/static/engine/search.js";
import { Table } from "../../src/nestline/web/static/engine/table.js";
import { TableFile } from "../../src/nestline/web/static/engine/table_file.js";

const module = await loadModule(readFileSync(process.env.WASM));
const { rules, url, positions, games } = JSON.parse(readFileSync(0, "utf8"));
const instance = new Instance(module);
const search = new Search(new Law(instance, rules), rules, null, { mebibytes: 1 });
const table = new Table(search, new TableFile(url, instance));
const answer = {};
try {
  await table.open();
  answer.probes = [];
  for (const [first, second] of positions ?? []) {
    const { value, distance } = await table.probe({ first: BigInt(first), second: BigInt(second), turn: "first" });
    answer.probes.push([value, distance]);
  }
  answer.games = [];
  for (const boards of games ?? []) {
    const game = { positions: boards.map((board) => search.law.read(board)) };
    const moves = await table.moves(game);
    const line = await table.bestLine(game.positions.at(-1));
    answer.games.push({ moves, line, chosen: await table.choose(game) });
  }
} catch (error) {
  answer.problem = error.message;
}
process.stdout.write(JSON.stringify(answer));
