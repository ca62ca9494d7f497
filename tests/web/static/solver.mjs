// Solves games with the page's own solver.
import { readFileSync } from "node:fs";
import { Law } from "../../../src/nestline/web/static/engine/law.js";
import { Instance, loadModule } from "../../../src/nestline/web/static/engine/module.js";
import { entriesAbout, solve } from "../../../src/nestline/web/static/workshop/solver.js";

const { games, sizes } = JSON.parse(readFileSync(0, "utf8"));
const module = await loadModule(readFileSync(process.env.WASM));
const solved = games.map((game) => solve(new Law(new Instance(module), game)));
process.stdout.write(JSON.stringify({ solved, entries: sizes.map(entriesAbout) }));
