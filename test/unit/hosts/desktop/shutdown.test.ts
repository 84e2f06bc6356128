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
  'closing with "%s", explained: %s, a way back: %s → %s',
  (closeBehaviour, closeExplained, back, does) => {
    expect(closingAction({ closeBehaviour, closeExplained }, back)).toBe(does);
  },
);

/** `drained` ends the draining; `newTokens` are unstored tokens, which a user who agrees copies. */
function leave({
  busy = false,
  agrees = Promise.resolve(true),
  rested = (): Promise<unknown> => Promise.resolve(),
}) {
  const clock = new SteppedClock();
  const happened: string[] = [];
  const drained = Promise.withResolvers<null>();
  const keychain = { works: false };
  const newTokens = new NewTokens(() =>
    keychain.works ? Promise.resolve() : Promise.reject(new Error('The keyring is locked.')),
  );
  const quit = createQuitHandler({
    clock,
    newTokens,
    async resolveUnstoredToken() {
      happened.push('explained');
      return (await agrees) && newTokens.handOver(() => undefined);
    },
    isBusy: () => busy,
    confirmQuit() {
      happened.push('asked');
      return agrees;
    },
    hide: () => happened.push('hidden'),
    async suspendWork() {
      happened.push('resting');
      await rested();
    },
    resume: () => happened.push('going on'),
    async closeApp() {
      happened.push('draining');
      await drained.promise;
    },
    exit: () => happened.push('exit'),
  });
  return { quit, clock, happened, drained, newTokens, keychain };
}

describe('quitting', () => {
  test('asks no question when no job runs, and ends when all is stored', async () => {
    const { quit, happened, drained } = leave({});
    const left = quit('person');
    await expect.poll(() => happened).toEqual(['hidden', 'resting', 'draining']);
    drained.resolve(null);
    await left;
    expect(happened).toEqual(['hidden', 'resting', 'draining', 'exit']);
  });

  test('asks when a job runs, and does nothing when the answer is no', async () => {
    const { quit, happened } = leave({ busy: true, agrees: Promise.resolve(false) });
    await quit('person');
    expect(happened).toEqual(['asked']);
    await quit('person');
    expect(happened).toEqual(['asked', 'asked']);
  });

  test('asks once at a time', async () => {
    const agreement = Promise.withResolvers<boolean>();
    const { quit, happened, drained } = leave({ busy: true, agrees: agreement.promise });
    const left = quit('person');
    await quit('person');
    agreement.resolve(true);
    drained.resolve(null);
    await left;
    expect(happened).toEqual(['asked', 'hidden', 'resting', 'draining', 'exit']);
  });

  test('by the system waits for no answer, not even to an open question', async () => {
    const { quit, happened, drained } = leave({ busy: true, agrees: new Promise(() => undefined) });
    void quit('person');
    const left = quit('system');
    drained.resolve(null);
    await left;
    expect(happened).toEqual(['asked', 'hidden', 'draining', 'exit']);
  });

  test('again while one is in progress joins it', async () => {
    const { quit, happened, drained } = leave({});
    const all = [quit('person'), quit('system'), quit('person')];
    drained.resolve(null);
    await Promise.all(all);
    expect(happened).toEqual(['hidden', 'draining', 'exit']);
  });

  test('ends after ten seconds, whatever hangs', async () => {
    const { quit, clock, happened } = leave({});
    const left = quit('person');
    await clock.advance(0);
    await clock.advance(9_999);
    expect(happened).not.toContain('exit');
    await clock.advance(1);
    await left;
    expect(happened).toContain('exit');
  });

  test('ends also when storing fails, and leaves no timer behind', async () => {
    const { quit, clock, happened, drained } = leave({});
    const left = quit('person');
    drained.reject(new Error('the disk is gone'));
    await left;
    expect(happened).toContain('exit');
    expect(clock.pending).toBe(0);
  });

  const answer = { token: { name: 'packhorse' } as never, secret: new Token('glpat-new') };

  test('is not done while only this process knows a new token: it is said why', async () => {
    const { quit, happened, newTokens } = leave({ busy: true, agrees: Promise.resolve(false) });
    await newTokens.trackRequest('work', () => Promise.resolve(answer));
    await quit('person');
    await quit('person');
    expect(happened).toEqual(['explained', 'explained']);
  });

  test('tries the keychain first, which may work again', async () => {
    const { quit, happened, newTokens, keychain, drained } = leave({});
    await newTokens.trackRequest('work', () => Promise.resolve(answer));
    keychain.works = true;
    drained.resolve(null);
    await quit('person');
    expect(happened).toEqual(['hidden', 'resting', 'draining', 'exit']);
    expect(newTokens.unstored).toEqual([]);
  });

  test('continues when the user has copied the token and still wants to quit', async () => {
    const { quit, happened, drained, newTokens } = leave({});
    await newTokens.trackRequest('work', () => Promise.resolve(answer));
    const left = quit('person');
    drained.resolve(null);
    await left;
    expect(happened).toEqual(['explained', 'hidden', 'resting', 'draining', 'exit']);
  });

  test.each(['asked', 'explained'])(
    'is not done when an instance tells a new token while the answer is waited for: %s',
    async (first) => {
      const agreement = Promise.withResolvers<boolean>();
      const { quit, happened, newTokens, drained } = leave({ busy: true, agrees: agreement.promise });
      if (first === 'explained') await newTokens.trackRequest('lab', () => Promise.resolve(answer));
      const left = quit('person');
      await expect.poll(() => happened).toEqual([first]);
      const asked = Promise.withResolvers<typeof answer>();
      const asking = newTokens.trackRequest('work', () => asked.promise);
      agreement.resolve(true);
      asked.resolve({ ...answer, secret: new Token('glpat-newer') });
      await asking;
      drained.resolve(null);
      await left;
      expect(happened.slice(0, 2)).toEqual([first, 'explained']);
      expect(newTokens.unstored).toEqual([]);
    },
  );

  /** A new token arrives while the jobs are being stopped. */
  const leaveLate = (parts: Parameters<typeof leave>[0]) => {
    const scene: ReturnType<typeof leave> = leave({
      ...parts,
      rested: () => scene.newTokens.trackRequest('work', () => Promise.resolve(answer)),
    });
    return scene;
  };

  test('checks for new tokens after the last job has stopped', async () => {
    const { quit, happened, drained, newTokens } = leaveLate({ busy: true });
    drained.resolve(null);
    await quit('person');
    expect(happened).toEqual(['asked', 'hidden', 'resting', 'explained', 'draining', 'exit']);
    expect(newTokens.unstored).toEqual([]);
  });

  test('keeps everything running when the user prefers to wait for the keychain', async () => {
    const { quit, happened } = leaveLate({ agrees: Promise.resolve(false) });
    await quit('person');
    expect(happened).toEqual(['hidden', 'resting', 'explained', 'going on']);
  });

  test('by the system ends an open question, and nothing is started again after it', async () => {
    const agreement = Promise.withResolvers<boolean>();
    const { quit, happened, drained } = leaveLate({ agrees: agreement.promise });
    const asking = quit('person');
    await expect.poll(() => happened).toContain('explained');
    const left = quit('system');
    agreement.resolve(false);
    await asking;
    drained.resolve(null);
    await left;
    expect(happened).toEqual(['hidden', 'resting', 'explained', 'hidden', 'draining', 'exit']);
  });

  test('ends also when the jobs do not come to rest', async () => {
    const { quit, happened, clock } = leave({ rested: () => new Promise(() => undefined) });
    const left = quit('person');
    await clock.advance(20_000);
    await left;
    expect(happened).toContain('exit');
  });

  test('waits for the reply of an instance to a request for a new token', async () => {
    const { quit, happened, newTokens, clock } = leave({ agrees: Promise.resolve(false) });
    const asked = Promise.withResolvers<typeof answer>();
    const asking = newTokens.trackRequest('work', () => asked.promise);
    const left = quit('person');
    await clock.advance(30_000);
    expect(happened).toEqual([]);
    asked.resolve(answer);
    await asking;
    await left;
    expect(happened).toEqual(['explained']);
  });

  test('by the system takes as long as an instance may take to return a new token', async () => {
    const { quit, happened, newTokens, clock } = leave({});
    void newTokens.trackRequest('work', () => new Promise<never>(() => undefined));
    const left = quit('system');
    await clock.advance(89_999);
    expect(happened).not.toContain('exit');
    await clock.advance(1);
    await left;
    expect(happened).toEqual(['hidden', 'draining', 'exit']);
  });
});
