/**
 * @file The static list of migrations, oldest first. A migration that was released is never edited; a column is a new
 * one. All pending ones run in a single transaction with foreign keys off and checked before it commits.
 */
import { firstTables } from './migrations/0001-first-tables.ts';
import { rootsAndProjectRows } from './migrations/0002-roots-and-project-rows.ts';
import { planRuns } from './migrations/0003-plan-runs.ts';
import { manifestsApart } from './migrations/0004-manifests-apart.ts';
import { writeRequests } from './migrations/0005-write-requests.ts';
import { rowsOfNothingHeld } from './migrations/0006-rows-of-nothing-held.ts';
import { passedOverRuns } from './migrations/0007-passed-over-runs.ts';
import { runForecasts } from './migrations/0008-run-forecasts.ts';
import { projectMigrations } from './migrations/0009-migrations.ts';
import { planBeginnings } from './migrations/0010-plan-beginnings.ts';
import { migrationsAtRest } from './migrations/0011-migrations-at-rest.ts';
import { unchangedSettles } from './migrations/0012-unchanged-settles.ts';
import { acceptedDifferences } from './migrations/0013-accepted-differences.ts';
import { leftMarked } from './migrations/0014-left-marked.ts';
import { checksKept } from './migrations/0015-checks-kept.ts';
import { failedComparisons } from './migrations/0016-failed-comparisons.ts';
import { absentAndIncomplete } from './migrations/0017-absent-and-incomplete.ts';
import { awaitedRuns } from './migrations/0018-awaited-runs.ts';
import { departedProjects } from './migrations/0019-departed-projects.ts';
import { suspiciousArchives } from './migrations/0020-suspicious-archives.ts';
import { dismissals } from './migrations/0021-dismissals.ts';
import { archivesOfOtherProjects } from './migrations/0022-archives-of-other-projects.ts';
import type { Migration } from './migrations/migration.ts';

export const migrations: readonly Migration[] = [
  firstTables,
  rootsAndProjectRows,
  planRuns,
  manifestsApart,
  writeRequests,
  rowsOfNothingHeld,
  passedOverRuns,
  runForecasts,
  projectMigrations,
  planBeginnings,
  migrationsAtRest,
  unchangedSettles,
  acceptedDifferences,
  leftMarked,
  checksKept,
  failedComparisons,
  absentAndIncomplete,
  awaitedRuns,
  departedProjects,
  suspiciousArchives,
  dismissals,
  archivesOfOtherProjects,
];
