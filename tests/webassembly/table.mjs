// What the page reads from tables, in node and in browsers.
import { Law } from "../../src/nestline/web/static/engine/law.js";
import { Instance } from "../../src/nestline/web/static/engine/module.js";
import { Search } from "../../src/nestline/web/static/engine/search.js";
import { Table } from "../../src/nestline/web/static/engine/table.js";
import { TableFile } from "../../src/nestline/web/static/engine/table_file.js";

export async function answer({ rules, url, positions, games }, module) {
  const instance = new Instance(module);
  const search = new Search(new Law(instance, rules), rules, null, { mebibytes: 1 });
  const table = new Table(search, new TableFile(url, instance));
  const told = {};
  try {
    await table.open();
    told.probes = [];
    for (const [first, second] of positions ?? []) {
      const { value, distance } = await table.probe({ first: BigInt(first), second: BigInt(second), turn: "first" });
      told.probes.push([value, distance]);
    }
    told.games = [];
    for (const boards of games ?? []) {
      const game = { positions: boards.map((board) => search.law.read(board)) };
      const moves = await table.moves(game);
      const line = await table.bestLine(game.positions.at(-1));
      told.games.push({ moves, line, chosen: await table.choose(game) });
    }
  } catch (error) {
    told.problem = error.message;
  }
  return told;
}
