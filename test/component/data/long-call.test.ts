import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { LongCall } from '../../../src-renderer/data/calls/long-call.svelte.ts';
import { fails, pending, scriptWindow } from '../support/window.ts';
import Host from './Host.svelte';

const request = { name: 'work', visible: false };
const reply = { projects: 3, refreshedAt: '2026-11-20T08:00:00.000Z' };

async function refreshCall(options?: { continuesAfterLeaving?: boolean }) {
  const created: LongCall<'instance.refresh'>[] = [];
  const screen = await render(Host, { setUp: () => created.push(new LongCall('instance.refresh', options)) });
  const [refresh] = created;
  if (refresh === undefined) throw new Error('not set up');
  return { refresh, leave: () => screen.unmount() };
}

test('progress is shown while the call runs, and the reply after it', async () => {
  let finish: (() => void) | null = null;
  scriptWindow({
    'instance.refresh': async (_, { progress }) => {
      progress({ step: 'list', unit: 'records', done: 2, total: 3 });
      await new Promise<void>((done) => (finish = done));
      return reply;
    },
  });
  const { refresh } = await refreshCall();
  const answer = refresh.run(request);
  await expect.poll(() => refresh.progress?.done).toBe(2);
  expect(refresh.busy).toBe(true);
  (finish as (() => void) | null)?.();
  expect(await answer).toEqual({ ok: true, value: reply });
  expect([refresh.busy, refresh.progress, refresh.value]).toEqual([false, null, reply]);
});

test('a cancellation is not an error, and the previous reply stays', async () => {
  const bridge = scriptWindow({ 'instance.refresh': reply });
  const { refresh } = await refreshCall();
  await refresh.run(request);
  bridge.answer('instance.refresh', pending);
  const answer = refresh.run(request);
  refresh.cancel();
  expect(await answer).toBeNull();
  expect([refresh.busy, refresh.error, refresh.value]).toEqual([false, null, reply]);
});

test('an error is shown until the next run', async () => {
  const bridge = scriptWindow({ 'instance.refresh': fails('token-expired') });
  const { refresh } = await refreshCall();
  await refresh.run(request);
  expect(refresh.error?.code).toBe('token-expired');
  bridge.answer('instance.refresh', reply);
  await refresh.run(request);
  expect(refresh.error).toBeNull();
});

test.each([
  [false, true],
  [true, false],
])(
  'leaving the view with continuesAfterLeaving %s cancels the call: %s',
  async (continuesAfterLeaving, aborted) => {
    let signal: AbortSignal | null = null;
    scriptWindow({
      'instance.refresh': (_, inProgress) => {
        signal = inProgress.signal;
        return pending;
      },
    });
    const { refresh, leave } = await refreshCall({ continuesAfterLeaving });
    const answer = refresh.run(request);
    await expect.poll(() => signal).not.toBeNull();
    await leave();
    expect((signal as AbortSignal | null)?.aborted).toBe(aborted);
    refresh.cancel();
    await answer;
  },
);
