/**
 * Files for a worker: what it cannot load itself, the page loads for it. Without a network, Firefox asks the
 * service worker for what a page wants, but not for what a worker wants.
 */

/**
 * @typedef {{url: string, options: RequestInit | undefined}} Wanted
 * @typedef {(url: string | URL, options?: RequestInit) => Promise<Response>} Load  as `fetch` does it
 */

/**
 * Load in a worker whose page answers with `loadFor`.
 *
 * @type {Load}
 */
export async function load(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
    });
    self.postMessage({ wanted: { url: String(url), options } }, { transfer: [port2] });
    const found = await answer;
    port1.close();
    if (!found) throw error;
    return new Response(found.content, { status: found.status });
  }
}

/** Answer a worker that asks with `load`. @param {Wanted} wanted @param {MessagePort | undefined} port */
export async function loadFor({ url, options }, port) {
  try {
    const response = await fetch(url, options);
    const content = await response.arrayBuffer();
    port?.postMessage({ status: response.status, content }, [content]);
  } catch {
    port?.postMessage(null);
  }
}
