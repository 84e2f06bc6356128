/** @file A migration that ended with one project that arrived in part, for tests of its result. */
import { page } from 'vitest/browser';
import type { Reconciliation } from '../../../../src-contract/transfers/import.ts';
import { exampleMigrationProject } from '../../../support/migrations/example-migrating.ts';
import { exampleCounts, exampleMigration } from './migrations.ts';

export const payload = '<img src=x onerror="document.title=\'ran\'">';
export const button = (name: string) => page.getByRole('button', { name, exact: true });
export const row = (name: RegExp) => page.getByRole('row', { name });
export const panel = page.getByRole('complementary');
export const at = (more: Record<string, string> = {}) => ({
  parameters: { migration: 'm1', step: 'result', ...more },
});
export const ended = exampleMigration({
  status: 'ended',
  wave: { current: 1, total: 1 },
  projects: exampleCounts({ arrived: 2, differs: 1 }),
  comparedInPart: 2,
});
export const differs = exampleMigrationProject({
  state: 'differs',
  exportJob: '3',
  importJob: '4',
  archiveId: '9',
  targetId: 70,
  targetPath: 'moved/app',
  targetUrl: 'https://new.example.com/moved/app',
  failures: { open: 1, total: 2, hasUnlisted: false },
  missing: 1,
  depth: 'fields',
});
export const reconciliation: Reconciliation = {
  at: new Date().toISOString(),
  depth: 'fields',
  gaps: [
    'GitLab’s API shows it, but it was not compared, so the contents do not count as compared: states of reviews.',
  ],
  reconciled: false,
  rows: [{ relation: 'milestones', source: 3, archive: 3, target: 2, verdict: 'lost-on-import' }],
  missing: [
    { relation: 'milestones', lost: 'on-import', line: 2, iid: 9, title: payload, part: null },
    {
      relation: 'issues',
      lost: 'on-export',
      line: null,
      iid: 4,
      title: 'A long talk',
      part: { name: 'notes', expected: 12, found: 10 },
    },
  ],
  missingCount: 2,
  settings: [{ attribute: 'visibility', expected: 'private', found: 'internal', lost: 'on-import' }],
  declared: ['Whether every comment kept its author cannot be read.'],
  notCompared: [
    { part: 'assignee_states', records: 12 },
    { part: 'designs', records: 0 },
  ],
  relations: [
    { relation: 'labels', source: 'keys', target: 'keys', fields: ['color', 'priority'] },
    { relation: 'branches', source: 'contents', target: 'contents', fields: [] },
  ],
};
