/** @file The words and the exit code of the command line for a migration that ended. */
import { expect, it } from 'vitest';
import { migratingStates, type Migration } from '../../../../../src-contract/migrations/migration.ts';
import { exitCodeOfMigration } from '../../../../../src-main/hosts/cli/migrations/migration-run.ts';
import { migrationText } from '../../../../../src-main/hosts/cli/migrations/migration-text.ts';

const ended = (arrivedWithUnlistedFailures: number): Migration => ({
  ...{ id: 'migration-1', name: 'move', source: 'old', target: 'new', status: 'ended' },
  ...{
    selection: { kind: 'all', scope: 'member' },
    waveSize: null,
    rules: [],
    overrideParams: {},
    freeze: false,
    createdAt: '2026-11-20T08:00:00.000Z',
  },
  ...{ compare: 'contents', check: null, wave: { current: 1, total: 1 }, accepted: 0 },
  projects: {
    ...(Object.fromEntries(migratingStates.map((state) => [state, 0])) as Migration['projects']),
    arrived: 3,
  },
  ...{ comparedInPart: arrivedWithUnlistedFailures, arrivedWithUnlistedFailures },
});

it('a migration does not end well if GitLab may have cut the list of failures of an arrived project', () => {
  expect([exitCodeOfMigration(ended(0)), exitCodeOfMigration(ended(2))]).toEqual([0, 3]);
  expect(migrationText(ended(0))).not.toContain('left failures');
  expect(migrationText(ended(2))).toContain(
    'GitLab may have left failures of 2 arrived projects out of its list',
  );
});
