import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { CallReply } from '../../../src-contract/calls.ts';
import { CallQuery } from '../../../src-renderer/data/calls/call-query.svelte.ts';
import { fails, pending, scriptWindow } from '../support/window.ts';
import Host from './Host.svelte';

type Plans = CallReply<'plan.list'>;
const plans: Plans = { plans: [] };

/** Creates state during component setup, as a view does. */
async function inComponent<Made>(make: () => Made): Promise<{ made: Made; leave: () => Promise<void> }> {
  let made: Made | undefined;
  const screen = await render(Host, { setUp: () => (made = make()) });
  return { made: made as Made, leave: () => screen.unmount() };
}

test('a reply is null until it is there, and stays while it is asked for again and when that fails', async () => {
  const bridge = scriptWindow({ 'plan.list': plans });
  const { made: reply } = await inComponent(() => new CallQuery('plan.list', {}));
  await expect.poll(() => reply.value).toEqual(plans);
  bridge.answer('plan.list', fails('catalogue-busy'));
  await reply.refresh();
  expect(reply.error?.code).toBe('catalogue-busy');
  expect(reply.value).toEqual(plans);
  bridge.answer('plan.list', plans);
  await reply.refresh();
  expect(reply.error).toBeNull();
});

test('however often a refresh is asked for meanwhile, one follows the current answer', async () => {
  const bridge = scriptWindow({ 'plan.list': plans });
  const { made: reply } = await inComponent(() => new CallQuery('plan.list', {}));
  await expect.poll(() => reply.value).toEqual(plans);
  for (let times = 0; times < 50; times += 1) void reply.refresh();
  await expect.poll(() => reply.busy).toBe(false);
  expect(bridge.asked('plan.list')).toHaveLength(3);
});

test('when the request changes the outdated call is given up, and its late answer dropped', async () => {
  let release: (() => void) | null = null;
  let givenUp = false;
  let search = $state.raw('slow');
  const bridge = scriptWindow({
    'archive.projects': async (request, { signal }) => {
      if (request.search === 'slow') {
        signal.addEventListener('abort', () => (givenUp = true));
        await new Promise<void>((done) => (release = done));
      }
      return { projects: [], total: request.search === 'quick' ? 1 : 0 };
    },
  });
  const { made: reply } = await inComponent(
    () => new CallQuery('archive.projects', () => ({ search, offset: 0, limit: 10 })),
  );
  await expect.poll(() => bridge.asked('archive.projects').length).toBe(1);
  search = 'quick';
  await expect.poll(() => reply.value?.total).toBe(1);
  expect([givenUp, reply.isStale]).toEqual([true, false]);
  (release as (() => void) | null)?.();
  await reply.refresh();
  expect([reply.value?.total, reply.error]).toEqual([1, null]);
  expect(bridge.asked('archive.projects')).toHaveLength(3);
});

test('a request of null asks for nothing and shows nothing', async () => {
  let name = $state.raw<string | null>('work');
  const bridge = scriptWindow({ 'plan.list': plans });
  const { made: reply } = await inComponent(
    () => new CallQuery('plan.list', () => (name === null ? null : {})),
  );
  await expect.poll(() => reply.value).toEqual(plans);
  name = null;
  await expect.poll(() => reply.value).toBeNull();
  expect(bridge.asked('plan.list')).toHaveLength(1);
});

test('events ask again, spaced; after the view is left they do not', async () => {
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

test('leaving the view gives the call up', async () => {
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
