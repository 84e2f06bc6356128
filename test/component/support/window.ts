/**
 * @file The harness of component tests. Each runs in a page of a real browser.
 *
 *     import { render } from 'vitest-browser-svelte';
 *     import { expectAccessible, scriptWindow } from './window.ts';
 *
 *     test('an empty list says what to do', async () => {
 *       const bridge = scriptWindow({ 'plan.list': { plans: [] } });           // the reply of each call
 *       const screen = await render(PlansView);
 *       await expect.element(screen.getByText('No schedule yet')).toBeVisible();
 *       await expectAccessible();                                              // axe, light and dark
 *       expect(bridge.asked('plan.list')).toHaveLength(1);                     // the parsed requests
 *     });
 *
 * A script has one entry per call: a value (the reply), `fails(code, …)`, `pending` (never replies), or a function of the
 * parsed request. The function returns one of these or a promise of one. Its second argument sends progress and has the signal
 * that cancels the call. Every request and every value is validated against the schemas of the contract, and an unscripted
 * call fails the test. A test therefore cannot pass on replies that the app would never send. `bridge.answer(name, …)` changes
 * the script, and `bridge.emit(event, payload)` sends an event. Console output of the app fails the test (see `setup.ts`).
 */
import { expect } from 'vitest';
import { commands } from 'vitest/browser';
import './commands.ts';
import {
  callNames,
  type CallName,
  type EventName,
  type WindowBridge,
} from '../../../src-contract/call-names.ts';
import {
  calls,
  events,
  type CallReply,
  type EventPayload,
  type ParsedRequest,
  type Result,
} from '../../../src-contract/calls.ts';
import { AppError, type ErrorCode, type ErrorDetails } from '../../../src-contract/errors.ts';
import type { Progress } from '../../../src-contract/runs/job.ts';
import { liveJobs } from '../../../src-renderer/data/calls/live-jobs.svelte.ts';
import { host } from '../../../src-renderer/data/host.svelte.ts';
import { router } from '../../../src-renderer/data/places/router.svelte.ts';
import { settings } from '../../../src-renderer/data/settings.svelte.ts';
import { toasts } from '../../../src-renderer/data/toasts.svelte.ts';
import { now } from '../../../src-renderer/kit/now.svelte.ts';

const failure = Symbol('failure');
const never = Symbol('pending');

interface Fails {
  [failure]: AppError;
}

/** A call that returns this error. */
export function fails(code: ErrorCode, message = `scripted ${code}`, details: ErrorDetails = {}): Fails {
  return { [failure]: new AppError(code, message, { details }) };
}

/** A call that does not return before it is cancelled. */
export const pending = { [never]: true } as const;

type Answer<Name extends CallName> = CallReply<Name> | Fails | typeof pending;

interface CallInProgress {
  progress: (progress: Progress) => void;
  signal: AbortSignal;
}

type Scripted<Name extends CallName> =
  | Answer<Name>
  | ((request: ParsedRequest<Name>, inProgress: CallInProgress) => Answer<Name> | Promise<Answer<Name>>);

export type Script = { [Name in CallName]?: Scripted<Name> };

export interface ScriptedWindow {
  /** Requests of that call so far, parsed, oldest first. */
  asked: <Name extends CallName>(name: Name) => ParsedRequest<Name>[];
  answer: <Name extends CallName>(name: Name, scripted: Scripted<Name>) => void;
  emit: <Name extends EventName>(event: Name, payload: EventPayload<Name>) => void;
  /** Files whose reference was requested; the reference is `/dropped/<name>`. */
  readonly dropped: File[];
}

/** Unscripted calls and values that their schema rejects, checked after each test. */
let complaints: string[] = [];

/** Installs a bridge as `window.packhorse` that replies as scripted. Call it before rendering. */
export function scriptWindow(script: Script = {}): ScriptedWindow {
  const asked = new Map<CallName, unknown[]>();
  const listeners = new Map<EventName, Set<(payload: unknown) => void>>();
  const inProgress = new Map<string, AbortController>();
  const current = new Map<CallName, unknown>(Object.entries(script) as [CallName, unknown][]);
  const dropped: File[] = [];

  const send = (event: EventName, payload: unknown): void => {
    const checked = events[event].parse(payload);
    for (const listener of listeners.get(event) ?? []) listener(checked);
  };

  async function answer(name: CallName, request: unknown, id: string): Promise<Result<unknown>> {
    const parsed = calls[name].request.safeParse(request);
    if (!parsed.success)
      return complain(`The window called ${name} with an invalid request: ${parsed.error.message}`);
    asked.set(name, [...(asked.get(name) ?? []), parsed.data]);
    if (!current.has(name)) return complain(`The window called ${name}, which the test does not script.`);
    const controller = new AbortController();
    inProgress.set(id, controller);
    const scripted = current.get(name);
    const scriptedResult: unknown =
      typeof scripted === 'function'
        ? await (scripted as (request: unknown, inProgress: CallInProgress) => unknown)(parsed.data, {
            progress: (progress) => {
              send('call.progress', { id, progress });
            },
            signal: controller.signal,
          })
        : scripted;
    if (scriptedResult === pending) await aborted(controller.signal);
    inProgress.delete(id);
    if (controller.signal.aborted) {
      return { ok: false, error: new AppError('cancelled', 'scripted').toData() };
    }
    if (scriptedResult !== null && typeof scriptedResult === 'object' && failure in scriptedResult) {
      return { ok: false, error: (scriptedResult as Fails)[failure].toData() };
    }
    const value = calls[name].reply.safeParse(scriptedResult);
    if (!value.success)
      return complain(`The reply that the test scripts for ${name} is invalid: ${value.error.message}`);
    return { ok: true, value: value.data };
  }

  const bridge: WindowBridge = {
    calls: Object.fromEntries(
      callNames.map((name) => [name, (request: unknown, id: string) => answer(name, request, id)]),
    ) as WindowBridge['calls'],
    cancel: (id) => inProgress.get(id)?.abort(),
    on: (event, listener) => {
      const registered = listeners.get(event) ?? new Set();
      listeners.set(event, registered.add(listener));
      return () => registered.delete(listener);
    },
    fileReference: (file, onProgress) => {
      if (!(file instanceof File)) throw new TypeError('Only a File has a reference.');
      dropped.push(file);
      onProgress(file.size, file.size);
      return Promise.resolve(`/dropped/${file.name}`);
    },
  };
  Object.defineProperty(window, 'packhorse', { value: bridge, configurable: true });

  return {
    asked: <Name extends CallName>(name: Name) => (asked.get(name) ?? []) as ParsedRequest<Name>[],
    answer: (name, scripted) => current.set(name, scripted),
    emit: send,
    dropped,
  };
}

function complain(what: string): Result<never> {
  complaints.push(what);
  return { ok: false, error: new AppError('internal', what).toData() };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    signal.addEventListener('abort', () => {
      done();
    });
  });
}

export type Theme = 'light' | 'dark';

/** Applies the theme to the page, as the setting does. */
export function setTheme(theme: Theme | null): void {
  if (theme === null) delete document.documentElement.dataset['appearance'];
  else document.documentElement.dataset['appearance'] = theme;
}

/**
 * Asserts that axe finds no violation in the page, in the light and in the dark theme. `whole`: the page is the whole
 * window with its landmarks, otherwise a part of it.
 */
export async function expectAccessible({ whole = false }: { whole?: boolean } = {}): Promise<void> {
  const before = document.documentElement.dataset['appearance'];
  for (const [theme, scope] of [
    ['light', whole ? 'whole' : 'part'],
    // The dark theme differs only in its colours.
    ['dark', 'colours'],
  ] as const) {
    setTheme(theme);
    expect(await commands.axeViolations('body', scope), `axe found violations in the ${theme} theme`).toEqual(
      [],
    );
  }
  setTheme(before === 'light' || before === 'dark' ? before : null);
}

/**
 * Never replies. A removed component may still send a late request; without a bridge it would connect to the test's own
 * server.
 */
const silentBridge: WindowBridge = {
  calls: Object.fromEntries(
    callNames.map((name) => [
      name,
      (_request: unknown, _id: string) => new Promise<Result<unknown>>(() => undefined),
    ]),
  ) as WindowBridge['calls'],
  cancel: () => undefined,
  on: () => () => undefined,
  fileReference: () => new Promise(() => undefined),
};

/** Resets the window after every test, so that the next test starts with a newly opened one. */
export function forgetWindow(): void {
  setTheme(null);
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  router.follow()();
  host.capabilities = null;
  settings.value = null;
  settings.error = null;
  liveJobs.jobs = null;
  toasts.list = [];
  now.value = Date.now();
  if ('packhorse' in window)
    Object.defineProperty(window, 'packhorse', { value: silentBridge, configurable: true });
  const found = complaints;
  complaints = [];
  expect(found, 'A call is not scripted, or a request or a scripted reply is invalid').toEqual([]);
}
