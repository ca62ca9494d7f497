// Runs one of the scripts of this folder in node: the question is read as JSON, the answer written as JSON.
import { readFileSync } from "node:fs";
import { loadModule } from "../../src/nestline/web/static/engine/module.js";

const { answer } = await import(process.argv[2]);
const module = await loadModule(readFileSync(process.env.WASM));
process.stdout.write(JSON.stringify(await answer(JSON.parse(readFileSync(0, "utf8")), module)));
