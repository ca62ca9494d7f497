/**
 * What answers questions about the games of one rule set: its search, the threads that help, its tablebase.
 *
 * @import { History, Search } from "./search.js"
 */
import { load } from "./asking.js";
import { canShare } from "./module.js";
import { Table } from "./table.js";
import { NoTable, TableFile } from "./table_file.js";
import { Team } from "./team.js";

export class Player {
  /** @param {Search} search */
  constructor(search) {
    this.search = search;
    this.team = canShare ? new Team(search.law.instance) : null;
    /** @type {Promise<Table | null> | null} */
    this._table = null;
    this._plies = 0;
  }

  /**
   * The table, opened once; null if there is none. A design may play the same game without knowing its table, so
   * that a missing address says nothing about the next one.
   *
   * @param {string | null} url
   * @returns {Promise<Table | null>}
   */
  async table(url) {
    if (url === null || this.search.law.side > 3) return null;
    this._table ??= this._open(url);
    return this._table;
  }

  /** @param {string} url */
  async _open(url) {
    const table = new Table(this.search, new TableFile(url, this.search.law.instance, load));
    try {
      await table.open();
      return table;
    } catch (error) {
      // It may be there later: being built, or reached again.
      this._table = null;
      if (error instanceof NoTable) return null;
      throw error;
    }
  }

  /** For a new game the transposition table is cleared. @param {History} game */
  meet(game) {
    if (game.positions.length <= 2 && this._plies > 0) this.search.forget();
    this._plies = game.positions.length;
  }
}
