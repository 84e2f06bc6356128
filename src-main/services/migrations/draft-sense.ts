/** @file What a migration cannot mean, refused before it is kept. */
import { AppError } from '../../../src-contract/errors.ts';
import type { MigrationDraft } from '../../../src-contract/migrations/migration.ts';
import { readOverrides } from '../../../src-contract/projects/override-params.ts';

/** Throws `invalid-input` for two rules about one group, and for overrides that an edit of a project would refuse. */
export function mustMakeSense({
  rules,
  overrideParams,
}: Pick<MigrationDraft, 'rules' | 'overrideParams'>): void {
  const groups = new Set<string>();
  for (const { from } of rules) {
    const folded = from.toLowerCase();
    if (groups.has(folded)) {
      const what = from === '' ? 'every group' : from;
      throw new AppError('invalid-input', `Two rules are about ${what}: only one of them can hold.`);
    }
    groups.add(folded);
  }
  readOverrides(overrideParams);
}
