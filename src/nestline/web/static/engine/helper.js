/**
 * A thread that helps a search: it deepens on its own until it is told to stop, by a word in the
 * memory it shares.
 */
import { DEEPENED } from "./layout.js";
import { Instance } from "./module.js";

/** @type {Instance | null} */
let instance = null;

/** First the module and its memory, then what to call `advance` with. @param {MessageEvent} event */
self.onmessage = ({ data }) => {
  if (!instance) {
    instance = new Instance(data.module, data);
    return;
  }
  const advance = /** @type {(...given: number[]) => number} */ (instance.call.advance);
  while (advance(...data) === DEEPENED);
  self.postMessage(null);
};
