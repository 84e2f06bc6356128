import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copiesOf } from '../../../../src-main/catalogue/recovery/catalogue-copies.ts';
import { DailyCopies } from '../../../../src-main/catalogue/recovery/daily-copy-timer.ts';
import { openCatalogue, type Catalogue } from '../../../../src-main/catalogue/database.ts';
import { JobStore } from '../../../../src-main/catalogue/runs/jobs.ts';
import type { AppError } from '../../../../src-contract/errors.ts';
import { queuedJob } from '../../../support/catalogue/catalogue.ts';
import { SteppedClock } from '../../../support/clocks/stepped-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const hourMs = 3_600_000;

function longOpen() {
  const clock = new SteppedClock();
  const path = join(temporaryFolder(), 'catalogue.sqlite');
  const catalogue: Catalogue = openCatalogue({ path, clock });
  const failures: AppError[] = [];
  const copies = new DailyCopies({ path, clock, onFailure: (error) => failures.push(error) });
  onTestFinished(async () => {
    await copies.stop();
    catalogue.close();
  });
  copies.start();
  return { clock, path, catalogue, copies, failures };
}

test('a catalogue that stays open is copied once a day with all committed rows, and stays usable meanwhile', async () => {
  const { clock, path, catalogue, copies, failures } = longOpen();
  const job = queuedJob(new JobStore(catalogue), 'group/first');
  await clock.advance(hourMs);
  const later = queuedJob(new JobStore(catalogue), 'group/while-it-is-copied');
  await copies.stop();
  const [first, ...others] = copiesOf(path);
  expect(others).toEqual([]);
  // Opening the copy in its own folder would leave more files there.
  const elsewhere = join(temporaryFolder(), 'catalogue.sqlite');
  copyFileSync(first ?? '', elsewhere);
  const copy = openCatalogue({ path: elsewhere, clock });
  expect(new JobStore(copy).openJobs()).toContainEqual(job);
  copy.close();
  expect(new JobStore(catalogue).get(later.id)).toEqual(later);

  copies.start();
  await clock.advance(20 * hourMs);
  await copies.stop();
  expect(copiesOf(path)).toEqual([first]);
  copies.start();
  await clock.advance(5 * hourMs);
  await copies.stop();
  expect(copiesOf(path)).toHaveLength(2);
  expect(failures).toEqual([]);
});

test('damage is reported, and a damaged catalogue never replaces a good copy', async () => {
  const { clock, path, catalogue, copies, failures } = longOpen();
  // After closing, all data is in the file itself; the next opening makes the first copy.
  catalogue.close();
  const again = openCatalogue({ path, clock });
  const good = copiesOf(path);
  expect(good).toHaveLength(1);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, 4096));
  await clock.advance(26 * hourMs);
  await copies.stop();
  expect(failures[0]?.message).toMatch(/damaged|malformed/);
  expect(copiesOf(path)).toEqual(good);
  again.close();
});
