/** @file The steps that hosts name and count are the steps of the jobs. */
import { expect, test } from 'vitest';
import { changeJob } from '../../../src-main/jobs/projects/change-job.ts';
import { exportJob } from '../../../src-main/jobs/exporting/export-job.ts';
import { importJob } from '../../../src-main/jobs/importing/import-job.ts';
import { relationImportJob } from '../../../src-main/jobs/importing/relation-import-job.ts';
import { tokenJob } from '../../../src-main/jobs/tokens/token-job.ts';
import { jobSteps, stepPosition, stepPositionText } from '../../../src-contract/runs/job-steps.ts';

test.each([exportJob, importJob, changeJob, relationImportJob, tokenJob])(
  'the steps of $kind are named in their order',
  ({ kind, steps }) => {
    expect(jobSteps[kind]).toEqual(steps.map(({ name }) => name));
  },
);

test('an import that is being sent is at the second of five steps', () => {
  const place = stepPosition({ kind: 'import', step: 'send' });
  expect(place).toEqual({ position: 2, total: 5 });
  expect(place === null ? '' : stepPositionText(place)).toBe('step 2 of 5');
});

test('a job that has ended, and a step of another version, have no place', () => {
  expect(stepPosition({ kind: 'export', step: null })).toBeNull();
  expect(stepPosition({ kind: 'export', step: 'polish' })).toBeNull();
});
