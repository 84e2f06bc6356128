/** @file Rules for a migration's draft, applied before it is stored, checked or started. */
import { AppError } from '../../../src-contract/errors.ts';
import type { MigrationDraft } from '../../../src-contract/migrations/migration.ts';
import { readOverrides } from '../../../src-contract/transfers/override-params.ts';
import type { StoredProject } from '../../catalogue/migrations/migrating-rows.ts';

/** Throws `invalid-input` for two rules about one group, and for overrides that an edit of a project would refuse. */
export function validateDraft({
  rules,
  overrideParams,
}: Pick<MigrationDraft, 'rules' | 'overrideParams'>): void {
  const groups = new Set<string>();
  for (const { from } of rules) {
    const groupKey = from.toLowerCase();
    if (groups.has(groupKey)) {
      const groupText = from === '' ? 'every group' : from;
      throw new AppError('invalid-input', `Two rules are about ${groupText}: only one is allowed.`);
    }
    groups.add(groupKey);
  }
  readOverrides(overrideParams);
}

/**
 * Throws `invalid-input` if no project was chosen, or all are left out: such a migration would look like a success when
 * it ends.
 */
export function assertHasProjects(
  migration: string,
  projects: readonly Pick<StoredProject, 'leftOut'>[],
): void {
  if (projects.some(({ leftOut }) => !leftOut)) return;
  const reason =
    projects.length === 0 ? 'no project of the source was chosen' : 'all of its projects are left out';
  throw new AppError('invalid-input', `There is nothing to move in "${migration}": ${reason}.`, {
    details: { wrong: 'state', migration },
  });
}
