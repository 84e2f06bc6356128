/** @file The steps of a migration, which of them are done, and the one shown by default. Pure. */
import type { Migration } from '../../../src-contract/migrations/migration.ts';
import { migrationSteps, type MigrationStep } from './migrations.text.ts';

export const allSteps: readonly MigrationStep[] = migrationSteps;

const isOver = ({ status }: Migration): boolean => status === 'ended' || status === 'cancelled';

export function isStepDone(migration: Migration, step: MigrationStep): boolean {
  const hasStarted = migration.status !== 'draft';
  switch (step) {
    case 'choose':
      return true;
    case 'map':
      return hasStarted || migration.check !== null;
    case 'check':
      return hasStarted || migration.check?.blockers === 0;
    case 'run':
      return isOver(migration);
    case 'result':
      return false;
  }
}

/** Returns the step that opens first: the user's next step, or the result of a migration that is over. */
export function defaultStep(migration: Migration): MigrationStep {
  if (migration.status === 'draft') return migration.check === null ? 'map' : 'check';
  return isOver(migration) ? 'result' : 'run';
}

export const nextStep = (step: 'map' | 'check'): 'check' | 'run' => (step === 'map' ? 'check' : 'run');
