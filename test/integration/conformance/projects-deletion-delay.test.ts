import { expect, test } from 'vitest';
import { Conformance } from '../../support/conformance.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 2, 1, 12);
const clock = new ShiftedClock(start);
const defaultDelay = Conformance.ofFile({ clock, projectCount: 0 });
const weekDelay = Conformance.ofFile({ clock, projectCount: 0, deletion: { delayDays: 7 }, tier: 'free' });

test('delete-project removes the project permanently after the configured delay, not before; restoring it then fails', async () => {
  const { id } = await weekDelay.createProject({ name: 'Iceberg' });
  const path = `/projects/${id}`;
  await weekDelay.delete('maintainer', path);
  expect(await weekDelay.row('maintainer', path)).toMatchObject({ marked_for_deletion_on: '2026-03-01' });

  clock.step(7 * day - 60_000);
  expect((await weekDelay.send('maintainer', path)).status).toBe(200);
  clock.step(60_000);
  expect((await weekDelay.send('maintainer', path)).status).toBe(404);
  expect((await weekDelay.post('maintainer', `${path}/restore`)).status).toBe(404);
});

test('delete-project waits 30 days by default; a restored project is not deleted', async () => {
  const rows = [
    await defaultDelay.createProject({ name: 'Stays' }),
    await defaultDelay.createProject({ name: 'Goes' }),
  ];
  for (const { id } of rows) await defaultDelay.delete('maintainer', `/projects/${id}`);
  await defaultDelay.post('maintainer', `/projects/${rows[0]?.id ?? 0}/restore`);

  clock.step(30 * day - 60_000);
  expect(await defaultDelay.list('maintainer', '/projects', 'id')).toEqual(
    rows.map(({ id }) => id).reverse(),
  );
  clock.step(60_000);
  expect(await defaultDelay.list('maintainer', '/projects')).toEqual(['stays']);
});
