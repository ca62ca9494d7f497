// Search from a folder of files: browsers start no worker from file://, so a hidden frame takes its place.
// The theme's worker looks for the name IFrameWorker in its parent, and takes its own address from the first script.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      const script = new URL(address, document.baseURI).href;
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc =
        "<script>self.postMessage = (data) => parent.postMessage(data, '*');" +
        "self.importScripts = (...all) => Promise.all(all.map((src) => new Promise((done, failed) =>" +
        "document.head.append(Object.assign(document.createElement('script'), { src, onload: done, onerror: failed })))));" +
        `</` + `script><script src="${script}"></` + `script>`;
      this.loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
      this.frame = frame;
      document.documentElement.append(frame);
      window.addEventListener("message", (event) => {
        if (event.source === frame.contentWindow)
          this.dispatchEvent(new MessageEvent("message", { data: event.data }));
      });
    }

    postMessage(data) {
      // Not the frame's own postMessage, which is the worker's: that one answers.
      this.loaded.then(() => window.postMessage.call(this.frame.contentWindow, data, "*"));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
