import { expect, test } from 'vitest';
import { Conformance } from '../../support/conformance.ts';
import { ShiftedClock } from '../../support/clocks/shifted-clock.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 2, 1, 12);
const clock = new ShiftedClock(start);
const month = Conformance.ofFile({ clock, projectCount: 0 });
const week = Conformance.ofFile({ clock, projectCount: 0, deletion: { delayDays: 7 }, tier: 'free' });

test('delete-project is final after the configured delay, and not before; then nothing restores it', async () => {
  const { id } = await week.made({ name: 'Iceberg' });
  const path = `/projects/${id}`;
  await week.delete('maintainer', path);
  expect(await week.row('maintainer', path)).toMatchObject({ marked_for_deletion_on: '2026-03-01' });

  clock.step(7 * day - 60_000);
  expect((await week.send('maintainer', path)).status).toBe(200);
  clock.step(60_000);
  expect((await week.send('maintainer', path)).status).toBe(404);
  expect((await week.post('maintainer', `${path}/restore`)).status).toBe(404);
});

test('delete-project waits 30 days where nothing else is configured; a restored project stays', async () => {
  const rows = [await month.made({ name: 'Stays' }), await month.made({ name: 'Goes' })];
  for (const { id } of rows) await month.delete('maintainer', `/projects/${id}`);
  await month.post('maintainer', `/projects/${rows[0]?.id ?? 0}/restore`);

  clock.step(30 * day);
  expect(await month.list('maintainer', '/projects')).toEqual(['stays']);
});
