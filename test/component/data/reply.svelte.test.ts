import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { CallReply } from '../../../src-contract/calls.ts';
import { CallQuery } from '../../../src-renderer/data/calls/call-query.svelte.ts';
import { fails, pending, scriptWindow } from '../support/window.ts';
import Host from './Host.svelte';

type Plans = CallReply<'plan.list'>;
const plans: Plans = { plans: [] };

/** Creates state during component setup, as a view does. */
async function inComponent<Created>(
  make: () => Created,
): Promise<{ created: Created; leave: () => Promise<void> }> {
  let created: Created | undefined;
  const screen = await render(Host, { setUp: () => (created = make()) });
  return { created: created as Created, leave: () => screen.unmount() };
}

test('a reply is null until it arrives, and stays during a refresh and when the refresh fails', async () => {
  const first = Promise.withResolvers<Plans>();
  const bridge = scriptWindow({ 'plan.list': () => first.promise });
  const { created: reply } = await inComponent(() => new CallQuery('plan.list', {}));
  expect([reply.busy, reply.value]).toEqual([true, null]);
  first.resolve(plans);
  await expect.poll(() => reply.value).toEqual(plans);
  bridge.answer('plan.list', fails('catalogue-busy'));
  const refresh = reply.refresh();
  expect([reply.busy, reply.value]).toEqual([true, plans]);
  await refresh;
  expect(reply.error?.code).toBe('catalogue-busy');
  expect(reply.value).toEqual(plans);
  bridge.answer('plan.list', plans);
  await reply.refresh();
  expect(reply.error).toBeNull();
});

test('any number of refreshes requested during a call cause one more call', async () => {
  const bridge = scriptWindow({ 'plan.list': plans });
  const { created: reply } = await inComponent(() => new CallQuery('plan.list', {}));
  await expect.poll(() => reply.value).toEqual(plans);
  for (let times = 0; times < 50; times += 1) void reply.refresh();
  await expect.poll(() => reply.busy).toBe(false);
  expect(bridge.asked('plan.list')).toHaveLength(3);
});

test('when the request changes, the outdated call is cancelled and its late reply is discarded', async () => {
  let release: (() => void) | null = null;
  let cancelled = false;
  let search = $state.raw('slow');
  const bridge = scriptWindow({
    'archive.projects': async (request, { signal }) => {
      if (request.search === 'slow') {
        signal.addEventListener('abort', () => (cancelled = true));
        await new Promise<void>((done) => (release = done));
      }
      return { projects: [], total: request.search === 'quick' ? 1 : 0 };
    },
  });
  const { created: reply } = await inComponent(
    () => new CallQuery('archive.projects', () => ({ search, offset: 0, limit: 10 })),
  );
  await expect.poll(() => bridge.asked('archive.projects').length).toBe(1);
  search = 'quick';
  await expect.poll(() => reply.value?.total).toBe(1);
  expect([cancelled, reply.isStale]).toEqual([true, false]);
  (release as (() => void) | null)?.();
  await reply.refresh();
  expect([reply.value?.total, reply.error]).toEqual([1, null]);
  expect(bridge.asked('archive.projects')).toHaveLength(3);
});

test('a null request calls nothing and shows nothing', async () => {
  let name = $state.raw<string | null>('work');
  const bridge = scriptWindow({ 'plan.list': plans });
  const { created: reply } = await inComponent(
    () => new CallQuery('plan.list', () => (name === null ? null : {})),
  );
  await expect.poll(() => reply.value).toEqual(plans);
  name = null;
  await expect.poll(() => reply.value).toBeNull();
  expect(bridge.asked('plan.list')).toHaveLength(1);
});

test('events cause throttled refreshes, and none after the view is left', async () => {
  vi.useFakeTimers();
  try {
    const bridge = scriptWindow({ 'plan.list': plans });
    const { leave } = await inComponent(() => new CallQuery('plan.list', {}, { reloadOn: ['plan.changed'] }));
    const emit = (times: number): void => {
      for (let revision = 0; revision < times; revision += 1)
        bridge.emit('plan.changed', { planId: '1', revision });
    };
    await vi.advanceTimersByTimeAsync(0);
    expect(bridge.asked('plan.list')).toHaveLength(1);
    emit(1000);
    await vi.advanceTimersByTimeAsync(0);
    emit(1000);
    await vi.advanceTimersByTimeAsync(240);
    expect(bridge.asked('plan.list')).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bridge.asked('plan.list')).toHaveLength(3);
    emit(1);
    await leave();
    emit(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bridge.asked('plan.list')).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});

test('leaving the view cancels the call', async () => {
  let signal: AbortSignal | null = null;
  scriptWindow({
    'plan.list': (_, inProgress) => {
      signal = inProgress.signal;
      return pending;
    },
  });
  const { leave } = await inComponent(() => new CallQuery('plan.list', {}));
  await expect.poll(() => signal).not.toBeNull();
  await leave();
  expect((signal as AbortSignal | null)?.aborted).toBe(true);
});
