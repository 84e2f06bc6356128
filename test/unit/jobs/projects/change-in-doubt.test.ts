import { expect, it } from 'vitest';
import { projectOf } from '../../../support/jobs/fake-instance.ts';
import { ChangeHarness } from './change-harness.ts';

const minute = 60_000;
const unmark = { kind: 'set-archived', archived: false } as const;

/** A project whose mark for deletion appears only from this check on. */
function markedLate(look: number): ChangeHarness {
  const bench = new ChangeHarness();
  let looks = 0;
  bench.instance.changes.onSetArchived = () => undefined;
  bench.instance.onProject = () => {
    looks += 1;
    return projectOf({ archived: looks >= look && bench.times('set archived').length === 0 });
  };
  return bench;
}

it('a mark whose request may still take effect is checked again before it counts as absent', async () => {
  const bench = markedLate(2);
  const began = bench.clock.now();
  const { id } = bench.enqueue(unmark, { inDoubt: true });
  expect(await bench.bench.ended(id)).toMatchObject({
    state: { status: 'succeeded' },
    result: { changed: true },
  });
  expect(bench.times('set archived')).toHaveLength(1);
  expect((bench.times('set archived')[0] ?? 0) - began).toBeGreaterThanOrEqual(minute);
});

it('one that never takes effect is checked twice, in another process too, and nothing is sent', async () => {
  const bench = markedLate(Infinity);
  const { id } = bench.enqueue(unmark, { inDoubt: true });
  await bench.clock.advance(minute / 2);
  const next = bench.restart();
  expect(await next.ended(id)).toMatchObject({ state: { status: 'succeeded' }, result: { changed: false } });
  expect(bench.times('set archived')).toEqual([]);
  expect(bench.clock.now()).toBeGreaterThanOrEqual(minute);
});

it('one that is there, or of which there is no doubt, is not waited for', async () => {
  for (const [look, inDoubt] of [
    [1, true],
    [2, false],
  ] as const) {
    const bench = markedLate(look);
    const began = bench.clock.now();
    await bench.run(unmark, { inDoubt });
    expect(bench.clock.now() - began).toBeLessThan(minute);
    expect(bench.times('set archived')).toHaveLength(inDoubt ? 1 : 0);
  }
});
