/**
 * A worker that solves one small game, while the page stays quick.
 *
 * @import { LawFields } from "../engine/law.js"
 */
import { Law } from "../engine/law.js";
import { Instance, loadModule } from "../engine/module.js";
import { solve } from "./solver.js";

self.onmessage = async ({ data }) => {
  const rules = /** @type {LawFields} */ (data);
  try {
    const law = new Law(new Instance(await loadModule()), rules);
    self.postMessage({ solved: solve(law, (positions) => self.postMessage({ positions })) });
  } catch (error) {
    self.postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
};
