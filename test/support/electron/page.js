/**
 * Runs in the page before the page's own scripts, and plays the part of Chromium and Electron between a page and its
 * preload. The preload gets a `require` that knows only Electron; the page gets copies, like through Electron's context
 * bridge. `__toMain` sends calls to the test, which forwards them; it is removed before the page's own scripts run.
 */
(() => {
  const toMain = globalThis.__toMain;
  delete globalThis.__toMain;

  const listeners = new Map();
  const deliver = async () => {
    for (;;) {
      for (const [channel, payload] of await toMain('events')) {
        for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, payload);
      }
    }
  };
  deliver().catch(() => undefined); // the window is closed

  /** Passes a value between page and preload: functions by reference, files unchanged, anything else as a copy. */
  const cross = (value, freeze) => {
    if (typeof value === 'function') {
      return (...args) => cross(value(...args.map((arg) => cross(arg, false))), false);
    }
    if (value instanceof Promise) {
      return value.then(
        (result) => cross(result, false),
        (error) => Promise.reject(new Error(error.message)),
      );
    }
    if (value instanceof File) return value;
    if (freeze && typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([key, part]) => [key, cross(part, true)]);
      return Object.freeze(Object.fromEntries(entries));
    }
    return structuredClone(value);
  };

  const electron = {
    contextBridge: {
      exposeInMainWorld(name, api) {
        Object.defineProperty(globalThis, name, { value: cross(api, true), enumerable: true });
      },
    },
    ipcRenderer: {
      invoke: (channel, ...args) => toMain('invoke', channel, structuredClone(args)),
      send(channel, ...args) {
        toMain('send', channel, structuredClone(args)).catch(() => undefined);
      },
      on(channel, listener) {
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
      },
      off(channel, listener) {
        listeners.get(channel)?.delete(listener);
      },
    },
    webUtils: {
      // Electron returns the path at once; the only caller also accepts a promise.
      async getPathForFile(file) {
        if (!(file instanceof File)) throw new TypeError('not a File');
        globalThis.__file = file;
        try {
          return await toMain('path');
        } finally {
          delete globalThis.__file;
        }
      },
    },
  };
  const require = (name) => {
    if (name === 'electron') return electron;
    throw new Error(`the preload is sandboxed and cannot require ${name}`);
  };
  const module = { exports: {} };
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- what the preload may see, and what it must not
  (function (require, module, exports, process, Buffer, global) {
    /* PRELOAD */
  })(require, module, module.exports);
})();
