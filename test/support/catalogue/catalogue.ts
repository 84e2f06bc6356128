/** @file A real catalogue on a real disk for one test, and rows to put into it. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openCatalogue } from '../../../src-main/catalogue/database.ts';
import type { Catalogue } from '../../../src-main/catalogue/database.ts';
import type { JobStore } from '../../../src-main/catalogue/runs/jobs.ts';
import type { StoredJob } from '../../../src-contract/runs/job.ts';
import { SteppedClock } from '../clocks/stepped-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Opens or creates the catalogue at `path`; it is closed when the test ends. */
export function catalogueForTest(path = join(temporaryFolder(), 'catalogue.sqlite')): Catalogue {
  const catalogue = openCatalogue({ path, clock: new SteppedClock() });
  onTestFinished(() => {
    catalogue.close();
  });
  return catalogue;
}

/** Stores a queued export of `project` on `instance`, in its own run. */
export function queuedJob(jobs: JobStore, project = 'group/project', instance = 'source'): StoredJob {
  const at = Date.UTC(2026, 10, 20);
  const runId = jobs.newId(at);
  jobs.createRun({ id: runId, kind: 'backup', request: {}, at });
  const id = jobs.newId(at);
  const input = { projectId: 1 };
  return jobs.enqueue({ id, runId, kind: 'export', instance, project, input, firstStep: 'request', at }).job;
}
