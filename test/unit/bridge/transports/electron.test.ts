/**
 * @file Runs page, preload and main process together over a fake of Electron's IPC, which copies every message as the
 * real one does. Electron itself cannot be loaded here: outside its own binary it starts a download.
 */
import { EventEmitter } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { serveWindow, type Subscribe } from '../../../../src-main/bridge/transports/electron.ts';
import type { Dispatch } from '../../../../src-main/bridge/dispatch.ts';
import type { CallContext } from '../../../../src-main/bridge/handler.ts';
import {
  callNames,
  cancelChannel,
  fileChannel,
  type EventName,
  type WindowBridge,
} from '../../../../src-contract/call-names.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

type Handler = (event: unknown, ...args: unknown[]) => unknown;

const electron = vi.hoisted(() => ({
  handlers: new Map<string, (event: unknown, ...args: unknown[]) => unknown>(),
  mainListeners: new Map<string, (event: unknown, ...args: unknown[]) => unknown>(),
  exposed: new Map<string, unknown>(),
  toMain: (_kind: 'handlers' | 'mainListeners', _name: string, _args: unknown[]): unknown => undefined,
  listeners: new Map<string, Set<(event: unknown, payload: unknown) => void>>(),
}));

vi.mock('electron', () => ({
  ipcMain: {
    handle(name: string, handler: Handler) {
      if (electron.handlers.has(name)) throw new Error(`a second handler for ${name}`);
      electron.handlers.set(name, handler);
    },
    removeHandler: (name: string) => electron.handlers.delete(name),
    on(name: string, handler: Handler) {
      if (electron.mainListeners.has(name)) throw new Error(`a second listener for ${name}`);
      electron.mainListeners.set(name, handler);
    },
    removeAllListeners: (name: string) => electron.mainListeners.delete(name),
  },
  ipcRenderer: {
    invoke: async (name: string, ...args: unknown[]) =>
      structuredClone(await electron.toMain('handlers', name, structuredClone(args))),
    send: (name: string, ...args: unknown[]) => {
      electron.toMain('mainListeners', name, structuredClone(args));
    },
    on(name: string, listener: (event: unknown, payload: unknown) => void) {
      const listeners = electron.listeners.get(name) ?? new Set();
      electron.listeners.set(name, listeners.add(listener));
    },
    off: (name: string, listener: (event: unknown, payload: unknown) => void) =>
      electron.listeners.get(name)?.delete(listener),
  },
  contextBridge: { exposeInMainWorld: (name: string, api: unknown) => electron.exposed.set(name, api) },
  webUtils: {
    getPathForFile(file: unknown) {
      if (file instanceof File) return `/home/${file.name}`;
      throw new TypeError('not a File');
    },
  },
}));

const page = { origin: 'app://bundle', parent: null, detached: false };

class Contents extends EventEmitter {
  readonly id = 7;
  isDestroyed(): boolean {
    return false;
  }
  send(name: string, payload: unknown): void {
    for (const listener of electron.listeners.get(name) ?? [])
      listener({ sender: this }, structuredClone(payload));
  }
}

interface Seen {
  name: string;
  request: unknown;
  context: CallContext;
}

async function openWindow(answer: (seen: Seen) => unknown = () => ({ ok: true, value: {} })) {
  electron.handlers.clear();
  electron.mainListeners.clear();
  electron.listeners.clear();
  electron.exposed.clear();
  const seen: Seen[] = [];
  const subscribers = new Set<(name: EventName, payload: unknown) => void>();
  const dispatch: Dispatch = (name, request, context) => {
    seen.push({ name, request, context });
    return Promise.resolve(answer({ name, request, context }) as ReturnType<Dispatch>);
  };
  const subscribe: Subscribe = (listener) => {
    subscribers.add(listener);
    return () => subscribers.delete(listener);
  };
  const contents = new Contents();
  const sendToPage = serveWindow({
    contents: contents as unknown as Parameters<typeof serveWindow>[0]['contents'],
    origin: page.origin,
    dispatch,
    subscribe,
    clock: new SteppedClock(),
  });
  electron.toMain = (kind, name, args) =>
    electron[kind].get(name)?.({ sender: contents, senderFrame: page }, ...args);

  vi.resetModules();
  await import('../../../../src-preload/preload.ts');
  const bridge = electron.exposed.get('packhorse') as WindowBridge;
  const publish = (name: EventName, payload: unknown): void => {
    for (const subscriber of subscribers) subscriber(name, payload);
  };
  return { bridge, contents, seen, publish, subscribers, sendToPage };
}

describe('the page', () => {
  test('calls dispatch by name and receives its result', async () => {
    const { bridge, seen } = await openWindow(() => ({ ok: true, value: { appVersion: '1' } }));
    expect(await bridge.calls['job.show']({ job: 'j1' }, 'c1')).toEqual({
      ok: true,
      value: { appVersion: '1' },
    });
    expect(seen).toMatchObject([{ name: 'job.show', request: { job: 'j1' } }]);
  });

  test('has frozen functions for calls, cancelling, file references and events only, and cannot name a channel', async () => {
    const { bridge } = await openWindow();
    expect(Object.keys(bridge).sort()).toEqual(['calls', 'cancel', 'fileReference', 'on']);
    expect(Object.keys(bridge.calls)).toEqual([...callNames]);
    expect(Object.isFrozen(bridge)).toBe(true);
    expect(Object.isFrozen(bridge.calls)).toBe(true);
    expect(() => bridge.on('ELECTRON_INTERNAL' as EventName, () => undefined)).toThrow(
      'There is no such event.',
    );
  });

  test('receives events as data without Electron’s event, until it unsubscribes', async () => {
    const { bridge, publish } = await openWindow();
    const received: unknown[][] = [];
    const stop = bridge.on('job.changed', (...data: unknown[]) => received.push(data));
    publish('job.changed', { jobId: 'j1', runId: 'r1', revision: 2 });
    stop();
    publish('job.changed', { jobId: 'j1', runId: 'r1', revision: 3 });
    expect(received).toEqual([[{ jobId: 'j1', runId: 'r1', revision: 2 }]]);
  });

  test('receives the commands of the host', async () => {
    const { bridge, sendToPage } = await openWindow();
    const received: unknown[] = [];
    bridge.on('host.command', (payload) => received.push(payload));
    sendToPage('host.command', { command: 'palette' });
    expect(received).toEqual([{ command: 'palette' }]);
  });

  test('receives the progress of its call under the id of that call', async () => {
    const progress = { step: 'read', unit: 'bytes', done: 1, total: 2 } as const;
    const { bridge } = await openWindow(({ context }) => {
      context.progress(progress);
      return { ok: true, value: {} };
    });
    const received: unknown[] = [];
    bridge.on('call.progress', (payload) => received.push(payload));
    await bridge.calls['archive.inspect']({ archive: 'a' }, 'c9');
    expect(received).toEqual([{ id: 'c9', progress }]);
  });

  test('cancels a call by its id, and the call returns the error "cancelled"', async () => {
    const { bridge, seen } = await openWindow(() => new Promise(() => undefined));
    const answer = bridge.calls['archive.inspect']({ archive: 'a' }, 'c1');
    bridge.cancel('another');
    expect(seen[0]?.context.signal.aborted).toBe(false);
    bridge.cancel('c1');
    expect(await answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(seen[0]?.context.signal.aborted).toBe(true);
  });

  test('receives the path of a File, and of nothing else', async () => {
    const { bridge } = await openWindow();
    const quiet = (): void => undefined;
    expect(await bridge.fileReference(new File([], 'export.tar.gz'), quiet)).toBe('/home/export.tar.gz');
    await expect(bridge.fileReference({ path: '/etc/passwd' }, quiet)).rejects.toThrow('not a File');
  });
});

describe('paths that the window may name', () => {
  const grantedUses = (seen: Seen[], path: string): boolean[] =>
    (['file', 'folder', 'certificate'] as const).map(
      (as) => seen.at(-1)?.context.grants.isGranted(path, as) ?? false,
    );

  test('are those of files whose path it requested from the preload, for use as files only, also after a reload', async () => {
    const { bridge, contents, seen } = await openWindow();
    await bridge.fileReference(new File([], 'export.tar.gz'), () => undefined);
    contents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    await bridge.calls['doctor.run']({}, 'c1');
    expect(grantedUses(seen, '/home/export.tar.gz')).toEqual([true, false, false]);
    expect(grantedUses(seen, '/home/other.tar.gz')).toEqual([false, false, false]);
  });

  test.each([[''], ['relative.tar.gz'], [`/${'x'.repeat(40_000)}`], [7], [null], [['/etc/passwd']]])(
    'never include a value that is no path: %.20j',
    async (path) => {
      const { bridge, contents, seen } = await openWindow();
      await electron.handlers.get(fileChannel)?.({ sender: contents, senderFrame: page }, path);
      await bridge.calls['doctor.run']({}, 'c1');
      expect(grantedUses(seen, String(path))).toEqual([false, false, false]);
    },
  );
});

describe('only the page in the main frame of the window is served', () => {
  let window: Awaited<ReturnType<typeof openWindow>>;
  beforeEach(async () => {
    window = await openWindow();
  });
  const senders = {
    'another origin': { senderFrame: { ...page, origin: 'https://gitlab.example.com' } },
    'an origin that only begins like ours': { senderFrame: { ...page, origin: 'app://bundle.evil' } },
    'an opaque origin': { senderFrame: { ...page, origin: 'null' } },
    'a frame inside the page': { senderFrame: { ...page, parent: page } },
    'a detached frame': { senderFrame: { ...page, detached: true } },
    'a frame that no longer exists': { senderFrame: null },
    'another window': { sender: { id: 8 } },
  };
  test.each(Object.entries(senders))('%s is refused for every call and for file paths', (_who, changed) => {
    for (const name of [...callNames, fileChannel]) {
      const event = { sender: window.contents, senderFrame: page, ...changed };
      expect(() => electron.handlers.get(name)?.(event, {}), name).toThrow('not our page');
    }
    expect(window.seen).toEqual([]);
  });

  test.each(Object.entries(senders))('%s cancels no call', async (_who, changed) => {
    const { bridge, contents, seen } = await openWindow(() => new Promise(() => undefined));
    void bridge.calls['archive.inspect']({ archive: 'a' }, 'c1');
    electron.mainListeners.get(cancelChannel)?.({ sender: contents, senderFrame: page, ...changed }, 'c1');
    expect(seen[0]?.context.signal.aborted).toBe(false);
  });

  test('a frame whose origin cannot be read is refused', () => {
    const disposedFrame = {
      get origin(): string {
        throw new Error('Render frame was disposed');
      },
      parent: null,
      detached: false,
    };
    for (const name of callNames) {
      const event = { sender: window.contents, senderFrame: disposedFrame };
      expect(() => electron.handlers.get(name)?.(event, {}), name).toThrow('not our page');
    }
  });
});

describe('when the window is destroyed', () => {
  test('calls in progress are aborted, all handlers, listeners and subscriptions are removed, and nothing more is sent', async () => {
    const { bridge, contents, seen, subscribers, sendToPage } = await openWindow();
    void bridge.calls['archive.inspect']({ archive: 'a' }, 'c1');
    expect(seen[0]?.context.signal.aborted).toBe(false);
    const send = vi.spyOn(contents, 'send');
    contents.emit('destroyed');
    expect(seen[0]?.context.signal.aborted).toBe(true);
    expect(electron.handlers.size).toBe(0);
    expect(electron.mainListeners.size).toBe(0);
    expect(subscribers.size).toBe(0);
    seen[0]?.context.progress({ step: 'read', unit: 'bytes', done: 1, total: 2 });
    vi.spyOn(contents, 'isDestroyed').mockReturnValue(true);
    sendToPage('host.command', { command: 'palette' });
    expect(send).not.toHaveBeenCalled();
  });
});

describe('when the page is reloaded or its process dies', () => {
  const loaded = { isMainFrame: true, isSameDocument: false };
  test.each([
    ['did-start-navigation', loaded, true],
    ['did-start-navigation', { ...loaded, isSameDocument: true }, false],
    ['did-start-navigation', { ...loaded, isMainFrame: false }, false],
    ['render-process-gone', {}, true],
  ])(
    '%s %o: calls of the old page are aborted: %s; calls of the next page succeed',
    async (event, details, aborted) => {
      let answered = false;
      const { bridge, contents, seen } = await openWindow(() =>
        answered ? { ok: true, value: {} } : new Promise(() => undefined),
      );
      void bridge.calls['archive.inspect']({ archive: 'a' }, 'c1');
      contents.emit(event, details);
      expect(seen[0]?.context.signal.aborted).toBe(aborted);
      answered = true;
      expect(await bridge.calls['job.show']({ job: 'j1' }, 'c2')).toEqual({ ok: true, value: {} });
    },
  );
});

test('the main process handles every call of the contract, file paths and cancellations, and nothing else', async () => {
  await openWindow();
  expect([...electron.handlers.keys()]).toEqual([...callNames, fileChannel]);
  expect([...electron.mainListeners.keys()]).toEqual([cancelChannel]);
});

test('no other file registers an IPC channel', () => {
  const root = join(import.meta.dirname, '../../../..');
  const registering = globSync('{src-main,src-contract,src-preload,src-renderer}/**/*.{ts,svelte}', {
    cwd: root,
  }).filter((file) =>
    /\bipcMain\b|\.mainFrame\.ipc\b|\bcontents\.ipc\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(registering).toEqual(['src-main/bridge/transports/electron.ts']);
});
