import { expect, it } from 'vitest';
import { projectOf } from '../../../support/jobs/fake-instance.ts';
import { ChangeHarness } from './change-harness.ts';

const minute = 60_000;
const unarchive = { kind: 'set-archived', archived: false } as const;

/** Returns a harness whose project is archived only from this check on. */
function archivedFrom(check: number): ChangeHarness {
  const bench = new ChangeHarness();
  let checks = 0;
  bench.instance.changes.onSetArchived = () => undefined;
  bench.instance.onProject = () => {
    checks += 1;
    return projectOf({ archived: checks >= check && bench.times('set archived').length === 0 });
  };
  return bench;
}

it('a request to archive that may still take effect is checked again before the project counts as not archived', async () => {
  const bench = archivedFrom(2);
  const startedAt = bench.clock.now();
  const { id } = bench.enqueue(unarchive, { inDoubt: true });
  expect(await bench.bench.ended(id)).toMatchObject({
    state: { status: 'succeeded' },
    result: { changed: true },
  });
  expect(bench.times('set archived')).toHaveLength(1);
  expect((bench.times('set archived')[0] ?? 0) - startedAt).toBeGreaterThanOrEqual(minute);
});

it('a request to archive that never takes effect is checked twice, also across a restart, and nothing is sent', async () => {
  const bench = archivedFrom(Infinity);
  const { id } = bench.enqueue(unarchive, { inDoubt: true });
  await bench.clock.advance(minute / 2);
  const next = bench.restart();
  expect(await next.ended(id)).toMatchObject({ state: { status: 'succeeded' }, result: { changed: false } });
  expect(bench.times('set archived')).toEqual([]);
  expect(bench.clock.now()).toBeGreaterThanOrEqual(minute);
});

it('a request to archive that has taken effect, or that is not in doubt, causes no wait', async () => {
  for (const [check, inDoubt] of [
    [1, true],
    [2, false],
  ] as const) {
    const bench = archivedFrom(check);
    const startedAt = bench.clock.now();
    await bench.run(unarchive, { inDoubt });
    expect(bench.clock.now() - startedAt).toBeLessThan(minute);
    expect(bench.times('set archived')).toHaveLength(inDoubt ? 1 : 0);
  }
});
