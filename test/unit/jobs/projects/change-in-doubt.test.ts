import { expect, it } from 'vitest';
import { projectOf } from '../../../support/jobs/fake-instance.ts';
import { ChangeHarness } from './change-harness.ts';

const minute = 60_000;
const unarchive = { kind: 'set-archived', archived: false } as const;

/** Returns a harness whose project is archived only from this check on. */
function archivedFrom(check: number): ChangeHarness {
  const harness = new ChangeHarness();
  let checks = 0;
  harness.instance.changes.onSetArchived = () => undefined;
  harness.instance.onProject = () => {
    checks += 1;
    return projectOf({ archived: checks >= check && harness.times('set archived').length === 0 });
  };
  return harness;
}

it('a request to archive that may still take effect is checked again before the project counts as not archived', async () => {
  const harness = archivedFrom(2);
  const startedAt = harness.clock.now();
  const { id } = harness.enqueue(unarchive, { inDoubt: true });
  expect(await harness.bench.ended(id)).toMatchObject({
    state: { status: 'succeeded' },
    result: { changed: true },
  });
  expect(harness.times('set archived')).toHaveLength(1);
  expect((harness.times('set archived')[0] ?? 0) - startedAt).toBeGreaterThanOrEqual(minute);
});

it('a request to archive that never takes effect is checked twice, also across a restart, and nothing is sent', async () => {
  const harness = archivedFrom(Infinity);
  const { id } = harness.enqueue(unarchive, { inDoubt: true });
  await harness.clock.advance(minute / 2);
  expect(harness.times('project')).toHaveLength(1);
  const next = harness.restart();
  expect(await next.ended(id)).toMatchObject({ state: { status: 'succeeded' }, result: { changed: false } });
  expect(harness.times('set archived')).toEqual([]);
  const [first = 0, second = 0, ...more] = harness.times('project');
  expect(second - first).toBeGreaterThanOrEqual(minute);
  expect(more).toEqual([]);
});

it('a request to archive that has taken effect, or that is not in doubt, causes no wait', async () => {
  for (const [check, inDoubt] of [
    [1, true],
    [2, false],
  ] as const) {
    const harness = archivedFrom(check);
    const startedAt = harness.clock.now();
    await harness.run(unarchive, { inDoubt });
    expect(harness.clock.now() - startedAt).toBeLessThan(minute);
    expect(harness.times('set archived')).toHaveLength(inDoubt ? 1 : 0);
  }
});
