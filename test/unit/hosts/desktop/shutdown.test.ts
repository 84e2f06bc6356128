/** @file Closing the window and quitting the program: the questions, the waits, and their time limits. */
import { describe, expect, test } from 'vitest';
import { closingAction } from '../../../../src-main/hosts/desktop/shutdown/closing.ts';
import { createQuitHandler } from '../../../../src-main/hosts/desktop/shutdown/quitting.ts';
import { NewTokens } from '../../../../src-main/services/tokens/new-tokens.ts';
import { Token } from '../../../../src-main/platform/token.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';

test.each([
  ['tray', false, true, 'explain'],
  ['tray', true, true, 'hide'],
  ['tray', false, false, 'quit'],
  ['tray', true, false, 'quit'],
  ['quit', false, true, 'quit'],
  ['quit', true, true, 'quit'],
  ['quit', true, false, 'quit'],
] as const)(
  'closing the window with the behaviour "%s", explained: %s, can come back: %s → %s',
  (closeBehaviour, closeExplained, back, action) => {
    expect(closingAction({ closeBehaviour, closeExplained }, back)).toBe(action);
  },
);

/** Creates a quit handler. `drained` ends the draining. A user who agrees copies the unstored tokens in `newTokens`. */
function createQuit({
  busy = false,
  agrees = Promise.resolve(true),
  stopJobs = (): Promise<unknown> => Promise.resolve(),
}) {
  const clock = new SteppedClock();
  const events: string[] = [];
  const drained = Promise.withResolvers<null>();
  const keychain = { works: false };
  const newTokens = new NewTokens(() =>
    keychain.works ? Promise.resolve() : Promise.reject(new Error('The keyring is locked.')),
  );
  const quit = createQuitHandler({
    clock,
    newTokens,
    async resolveUnstoredToken() {
      events.push('explained');
      return (await agrees) && newTokens.handOver(() => undefined);
    },
    isBusy: () => busy,
    confirmQuit() {
      events.push('asked');
      return agrees;
    },
    hide: () => events.push('hidden'),
    async suspendWork() {
      events.push('resting');
      await stopJobs();
    },
    resume: () => events.push('going on'),
    async closeApp() {
      events.push('draining');
      await drained.promise;
    },
    exit: () => events.push('exit'),
  });
  return { quit, clock, events, drained, newTokens, keychain };
}

describe('quitting', () => {
  test('asks no question when no job runs, and ends when everything is stored', async () => {
    const { quit, events, drained } = createQuit({});
    const quitting = quit('person');
    await expect.poll(() => events).toEqual(['hidden', 'resting', 'draining']);
    drained.resolve(null);
    await quitting;
    expect(events).toEqual(['hidden', 'resting', 'draining', 'exit']);
  });

  test('asks when a job runs, and does nothing when the answer is no', async () => {
    const { quit, events } = createQuit({ busy: true, agrees: Promise.resolve(false) });
    await quit('person');
    expect(events).toEqual(['asked']);
    await quit('person');
    expect(events).toEqual(['asked', 'asked']);
  });

  test('asks only one question at a time', async () => {
    const agreement = Promise.withResolvers<boolean>();
    const { quit, events, drained } = createQuit({ busy: true, agrees: agreement.promise });
    const quitting = quit('person');
    await quit('person');
    agreement.resolve(true);
    drained.resolve(null);
    await quitting;
    expect(events).toEqual(['asked', 'hidden', 'resting', 'draining', 'exit']);
  });

  test('by the system waits for no answer, not even to an open question', async () => {
    const { quit, events, drained } = createQuit({ busy: true, agrees: new Promise(() => undefined) });
    void quit('person');
    const quitting = quit('system');
    drained.resolve(null);
    await quitting;
    expect(events).toEqual(['asked', 'hidden', 'draining', 'exit']);
  });

  test('again during a quit joins the first one', async () => {
    const { quit, events, drained } = createQuit({});
    const all = [quit('person'), quit('system'), quit('person')];
    drained.resolve(null);
    await Promise.all(all);
    expect(events).toEqual(['hidden', 'draining', 'exit']);
  });

  test('ends after ten seconds, even if storing hangs', async () => {
    const { quit, clock, events } = createQuit({});
    const quitting = quit('person');
    await clock.advance(0);
    await clock.advance(9_999);
    expect(events).not.toContain('exit');
    await clock.advance(1);
    await quitting;
    expect(events).toContain('exit');
  });

  test('ends even if storing fails, and leaves no timer', async () => {
    const { quit, clock, events, drained } = createQuit({});
    const quitting = quit('person');
    drained.reject(new Error('the disk is gone'));
    await quitting;
    expect(events).toContain('exit');
    expect(clock.pending).toBe(0);
  });

  const tokenReply = { token: { name: 'packhorse' } as never, secret: new Token('glpat-new') };

  test('does not start while only this process knows a new token, and the reason is explained', async () => {
    const { quit, events, newTokens } = createQuit({ busy: true, agrees: Promise.resolve(false) });
    await newTokens.trackRequest('work', () => Promise.resolve(tokenReply));
    await quit('person');
    await quit('person');
    expect(events).toEqual(['explained', 'explained']);
  });

  test('tries the keychain first, and explains nothing if it works again', async () => {
    const { quit, events, newTokens, keychain, drained } = createQuit({});
    await newTokens.trackRequest('work', () => Promise.resolve(tokenReply));
    keychain.works = true;
    drained.resolve(null);
    await quit('person');
    expect(events).toEqual(['hidden', 'resting', 'draining', 'exit']);
    expect(newTokens.unstored).toEqual([]);
  });

  test('continues when the user has copied the token and still wants to quit', async () => {
    const { quit, events, drained, newTokens } = createQuit({});
    await newTokens.trackRequest('work', () => Promise.resolve(tokenReply));
    const quitting = quit('person');
    drained.resolve(null);
    await quitting;
    expect(events).toEqual(['explained', 'hidden', 'resting', 'draining', 'exit']);
  });

  test.each(['asked', 'explained'])(
    'explains a new token that an instance returns during the question "%s", and begins only afterwards',
    async (first) => {
      const agreement = Promise.withResolvers<boolean>();
      const { quit, events, newTokens, drained } = createQuit({ busy: true, agrees: agreement.promise });
      if (first === 'explained') await newTokens.trackRequest('lab', () => Promise.resolve(tokenReply));
      const quitting = quit('person');
      await expect.poll(() => events).toEqual([first]);
      const pendingReply = Promise.withResolvers<typeof tokenReply>();
      const pending = newTokens.trackRequest('work', () => pendingReply.promise);
      agreement.resolve(true);
      pendingReply.resolve({ ...tokenReply, secret: new Token('glpat-newer') });
      await pending;
      drained.resolve(null);
      await quitting;
      expect(events).toEqual([first, 'explained', 'hidden', 'resting', 'draining', 'exit']);
      expect(newTokens.unstored).toEqual([]);
    },
  );

  /** Creates a quit handler for which a new token arrives while the jobs stop. */
  const createQuitWithLateToken = (parts: Parameters<typeof createQuit>[0]) => {
    const scene: ReturnType<typeof createQuit> = createQuit({
      ...parts,
      stopJobs: () => scene.newTokens.trackRequest('work', () => Promise.resolve(tokenReply)),
    });
    return scene;
  };

  test('checks for new tokens after the last job has stopped', async () => {
    const { quit, events, drained, newTokens } = createQuitWithLateToken({ busy: true });
    drained.resolve(null);
    await quit('person');
    expect(events).toEqual(['asked', 'hidden', 'resting', 'explained', 'draining', 'exit']);
    expect(newTokens.unstored).toEqual([]);
  });

  test('keeps everything running when the user prefers to wait for the keychain', async () => {
    const { quit, events } = createQuitWithLateToken({ agrees: Promise.resolve(false) });
    await quit('person');
    expect(events).toEqual(['hidden', 'resting', 'explained', 'going on']);
  });

  test('by the system ends an open question, and no work is resumed afterwards', async () => {
    const agreement = Promise.withResolvers<boolean>();
    const { quit, events, drained } = createQuitWithLateToken({ agrees: agreement.promise });
    const pending = quit('person');
    await expect.poll(() => events).toContain('explained');
    const quitting = quit('system');
    agreement.resolve(false);
    await pending;
    drained.resolve(null);
    await quitting;
    expect(events).toEqual(['hidden', 'resting', 'explained', 'hidden', 'draining', 'exit']);
  });

  test('stores everything after ten seconds, even if the jobs do not stop', async () => {
    const { quit, events, clock, drained } = createQuit({ stopJobs: () => new Promise(() => undefined) });
    const quitting = quit('person');
    await clock.advance(9_999);
    expect(events).toEqual(['hidden', 'resting']);
    await clock.advance(1);
    drained.resolve(null);
    await quitting;
    expect(events).toEqual(['hidden', 'resting', 'draining', 'exit']);
  });

  test('waits for the reply of an instance to a request for a new token', async () => {
    const { quit, events, newTokens, clock } = createQuit({ agrees: Promise.resolve(false) });
    const pendingReply = Promise.withResolvers<typeof tokenReply>();
    const pending = newTokens.trackRequest('work', () => pendingReply.promise);
    const quitting = quit('person');
    await clock.advance(30_000);
    expect(events).toEqual([]);
    pendingReply.resolve(tokenReply);
    await pending;
    await quitting;
    expect(events).toEqual(['explained']);
  });

  test('by the system waits as long as an instance may take to return a new token', async () => {
    const { quit, events, newTokens, clock } = createQuit({});
    void newTokens.trackRequest('work', () => new Promise<never>(() => undefined));
    const quitting = quit('system');
    await clock.advance(89_999);
    expect(events).not.toContain('exit');
    await clock.advance(1);
    await quitting;
    expect(events).toEqual(['hidden', 'draining', 'exit']);
  });
});
