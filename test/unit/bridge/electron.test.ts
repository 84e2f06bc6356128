/**
 * @file Page, preload and main process together, over a stand-in for Electron's IPC that copies every message as the real
 * one does. Electron itself cannot be loaded here: outside its own binary it starts a download.
 */
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answerWindow, type Subscribe } from '../../../src-main/bridge/electron.ts';
import type { Dispatch } from '../../../src-main/bridge/dispatch.ts';
import { callNames, type EventName, type WindowBridge } from '../../../src-preload/contract/call-names.ts';

type Handler = (event: unknown, request: unknown) => unknown;

const electron = vi.hoisted(() => ({
  handlers: new Map<string, (event: unknown, request: unknown) => unknown>(),
  exposed: new Map<string, unknown>(),
  toMain: (_name: string, _request: unknown): unknown => undefined,
  listeners: new Map<string, Set<(event: unknown, payload: unknown) => void>>(),
}));

vi.mock('electron', () => ({
  ipcMain: {
    handle(name: string, handler: Handler) {
      if (electron.handlers.has(name)) throw new Error(`a second handler for ${name}`);
      electron.handlers.set(name, handler);
    },
    removeHandler: (name: string) => electron.handlers.delete(name),
  },
  ipcRenderer: {
    invoke: async (name: string, request: unknown) =>
      structuredClone(await electron.toMain(name, structuredClone(request))),
    on(name: string, listener: (event: unknown, payload: unknown) => void) {
      const listeners = electron.listeners.get(name) ?? new Set();
      electron.listeners.set(name, listeners.add(listener));
    },
    off: (name: string, listener: (event: unknown, payload: unknown) => void) =>
      electron.listeners.get(name)?.delete(listener),
  },
  contextBridge: { exposeInMainWorld: (name: string, api: unknown) => electron.exposed.set(name, api) },
}));

const page = { origin: 'app://bundle', parent: null, detached: false };

class Contents extends EventEmitter {
  readonly id = 7;
  send(name: string, payload: unknown): void {
    for (const listener of electron.listeners.get(name) ?? [])
      listener({ sender: this }, structuredClone(payload));
  }
}

interface Seen {
  name: string;
  request: unknown;
  signal: AbortSignal;
}

async function openWindow(answer: (seen: Seen) => unknown = () => ({ ok: true, value: {} })) {
  electron.handlers.clear();
  electron.listeners.clear();
  electron.exposed.clear();
  const seen: Seen[] = [];
  const subscribers = new Set<(name: EventName, payload: unknown) => void>();
  const dispatch: Dispatch = (name, request, { signal }) => {
    seen.push({ name, request, signal });
    return Promise.resolve(answer({ name, request, signal }) as Awaited<ReturnType<Dispatch>>);
  };
  const subscribe: Subscribe = (listener) => {
    subscribers.add(listener);
    return () => subscribers.delete(listener);
  };
  const contents = new Contents();
  answerWindow(contents as unknown as Parameters<typeof answerWindow>[0], page.origin, dispatch, subscribe);
  electron.toMain = (name, request) =>
    electron.handlers.get(name)?.({ sender: contents, senderFrame: page }, request);

  vi.resetModules();
  await import('../../../src-preload/preload.ts');
  const bridge = electron.exposed.get('packhorse') as WindowBridge;
  const publish = (name: EventName, payload: unknown): void => {
    for (const subscriber of subscribers) subscriber(name, payload);
  };
  return { bridge, contents, seen, publish, subscribers };
}

describe('the page', () => {
  test('reaches dispatch by name and gets its result', async () => {
    const { bridge, seen } = await openWindow(() => ({ ok: true, value: { appVersion: '1' } }));
    expect(await bridge.calls['job.show']({ job: 'j1' }, 'c1')).toEqual({
      ok: true,
      value: { appVersion: '1' },
    });
    expect(seen).toMatchObject([{ name: 'job.show', request: { job: 'j1' } }]);
  });

  test('has one function per call and one to hear events, frozen, and no way to name a channel', async () => {
    const { bridge } = await openWindow();
    expect(Object.keys(bridge).sort()).toEqual(['calls', 'on']);
    expect(Object.keys(bridge.calls)).toEqual([...callNames]);
    expect(Object.isFrozen(bridge)).toBe(true);
    expect(Object.isFrozen(bridge.calls)).toBe(true);
    expect(() => bridge.on('ELECTRON_INTERNAL' as EventName, () => undefined)).toThrow('no such event');
  });

  test('hears events as data without Electron’s event, until it stops listening', async () => {
    const { bridge, publish } = await openWindow();
    const heard: unknown[][] = [];
    const stop = bridge.on('job.changed', (...data: unknown[]) => heard.push(data));
    publish('job.changed', { jobId: 'j1', runId: 'r1', revision: 2 });
    stop();
    publish('job.changed', { jobId: 'j1', runId: 'r1', revision: 3 });
    expect(heard).toEqual([[{ jobId: 'j1', runId: 'r1', revision: 2 }]]);
  });
});

describe('only the page in the main frame of our window is answered', () => {
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
    'a frame that is gone': { senderFrame: null },
    'another window': { sender: { id: 8 } },
  };
  test.each(Object.entries(senders))('%s is refused for every call', (_who, changed) => {
    for (const name of callNames) {
      const event = { sender: window.contents, senderFrame: page, ...changed };
      expect(() => electron.handlers.get(name)?.(event, {}), name).toThrow('not our page');
    }
    expect(window.seen).toEqual([]);
  });
});

describe('when the window is gone', () => {
  test('calls under way are aborted and nothing is answered or sent any more', async () => {
    const { bridge, contents, seen, subscribers } = await openWindow();
    await bridge.calls['archive.inspect']({ archive: 'a' }, 'c1');
    expect(seen[0]?.signal.aborted).toBe(false);
    contents.emit('destroyed');
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(electron.handlers.size).toBe(0);
    expect(subscribers.size).toBe(0);
  });
});

test('the main process answers every call of the contract and no other', async () => {
  await openWindow();
  expect([...electron.handlers.keys()]).toEqual([...callNames]);
});
