/** @file A migration of no project is neither checked nor started: its end would look like one that went well. */
import { AppError } from '../../../src-contract/errors.ts';
import type { StoredProject } from '../../catalogue/migrations/migrating-rows.ts';

/** Throws `invalid-input` where none was chosen, or all were left out. */
export function mustMoveAny(migration: string, projects: readonly Pick<StoredProject, 'leftOut'>[]): void {
  if (projects.some(({ leftOut }) => !leftOut)) return;
  const why =
    projects.length === 0 ? 'no project of the source was chosen' : 'each of its projects is left out';
  throw new AppError('invalid-input', `There is nothing to move in "${migration}": ${why}.`, {
    details: { wrong: 'state', migration },
  });
}
