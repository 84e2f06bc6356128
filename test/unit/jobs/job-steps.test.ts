/** @file Compares the steps that hosts name and count with the steps of the jobs. */
import { expect, test } from 'vitest';
import { changeJob } from '../../../src-main/jobs/projects/change-job.ts';
import { exportJob } from '../../../src-main/jobs/exporting/export-job.ts';
import { importJob } from '../../../src-main/jobs/importing/import-job.ts';
import { relationImportJob } from '../../../src-main/jobs/importing/relation-import-job.ts';
import { tokenJob } from '../../../src-main/jobs/tokens/token-job.ts';
import { jobSteps, stepPosition, stepPositionText } from '../../../src-contract/runs/job-steps.ts';

test.each([exportJob, importJob, changeJob, relationImportJob, tokenJob])(
  'the listed steps of a job of kind $kind are its steps in their order',
  ({ kind, steps }) => {
    expect(jobSteps[kind]).toEqual(steps.map(({ name }) => name));
  },
);

test('an import in its step "send" is at step 2 of 5', () => {
  const position = stepPosition({ kind: 'import', step: 'send' });
  expect(position).toEqual({ position: 2, total: 5 });
  expect(position === null ? '' : stepPositionText(position)).toBe('step 2 of 5');
});

test('an ended job and an unknown step have no position', () => {
  expect(stepPosition({ kind: 'export', step: null })).toBeNull();
  expect(stepPosition({ kind: 'export', step: 'polish' })).toBeNull();
});
