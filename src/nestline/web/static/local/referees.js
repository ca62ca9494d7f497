/**
 * One referee for each rule set of the page, made when it is first asked for.
 *
 * @import { LawFields } from "../engine/law.js"
 * @import { RuleSet } from "../server/types.js"
 */
import { Law } from "../engine/law.js";
import { Instance, loadModule } from "../engine/module.js";
import { Referee } from "./referee.js";

/** @type {Promise<Instance> | null} */
let instance = null;
/** @type {Map<string, Promise<Referee>>} */
const referees = new Map();

/** The rules of a set, to be asked in the page. @param {RuleSet} rules @returns {Promise<Referee>} */
export function refereeFor(rules) {
  // What the server says about its table may change.
  const key = JSON.stringify({ ...rules, table: null });
  const found = referees.get(key) ?? makeReferee(rules);
  referees.set(key, found);
  found.catch(() => referees.delete(key));
  return found;
}

/** @param {RuleSet} rules */
async function makeReferee(rules) {
  return new Referee(await lawOf(rules), rules);
}

/** The law of these fields. @param {LawFields} rules */
export async function lawOf(rules) {
  instance ??= loadModule().then((module) => new Instance(module));
  instance.catch(() => {
    instance = null;
  });
  return new Law(await instance, rules);
}
