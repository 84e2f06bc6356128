/** @file The history names the work done, in the window and on the command line. */
import { expect, test } from 'vitest';
import type { Change } from '../../../src-contract/projects/change.ts';
import { jobSchema } from '../../../src-contract/runs/job-schema.ts';
import { jobWorkText } from '../../../src-main/hosts/cli/runs/job-words.ts';
import { activityText } from '../../../src-renderer/views/runs/activity.text.ts';
import { jobText } from '../../../src-renderer/views/shared/jobs.text.ts';
import { job, run } from '../../component/views/runs/jobs.ts';

/** Returns a job with the change, as a call returns it. */
const changeJob = (change: unknown) =>
  jobSchema.parse({
    ...job(1, { status: 'queued' }, { kind: 'change', project: 'a/b' }),
    input: { change, projectId: 1, secret: null },
  });

test.each<[Change, string, string]>([
  [{ kind: 'star' }, 'star', 'Star for a/b'],
  [{ kind: 'delete', permanently: false }, 'deletion', 'Deletion of a/b'],
  [{ kind: 'delete', permanently: true }, 'permanent deletion', 'Permanent deletion of a/b'],
  [{ kind: 'restore' }, 'restoration', 'Restoration of a/b'],
  [
    { kind: 'set-archived', archived: false },
    'removal of the mark as archived',
    'Removal of the mark as archived: a/b',
  ],
  [{ kind: 'export', description: null, pushTo: null }, 'export request', 'Export request for a/b'],
])('the change %j is named by its effect', (change, word, title) => {
  expect([jobWorkText(changeJob(change)), jobText.titleOf(changeJob(change))]).toEqual([word, title]);
});

test('a job that is no change, or an unknown change of a later version, is named by its kind', () => {
  const later = changeJob({ kind: 'paint' });
  expect([jobWorkText(later), jobText.titleOf(later)]).toEqual(['change', 'Change of a/b']);
  expect(jobWorkText(job(1, { status: 'queued' }))).toBe('backup');
});

test('a run of one change is named by the effect of the change', () => {
  const changeRun = run(1, { kind: 'change', project: 'a/b', deed: 'restore', jobs: { succeeded: 1 } });
  expect(activityText.runTitle(changeRun)).toBe('Restoration of a/b');
});
