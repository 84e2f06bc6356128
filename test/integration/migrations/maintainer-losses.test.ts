/**
 * @file Losses of a migration whose projects a Maintainer imports. Such an import keeps no users, adds the author to each note,
 * and raises levels of protected branches, so that a loss could hide behind a change of GitLab.
 */
import { expect, it } from 'vitest';
import type { LossKind } from '../../support/migrations/loss-kinds.ts';
import { migrateWithLosses } from '../../support/migrations/losing-migrations.ts';
import { canHappenToMaintainer, planLosses } from '../../support/migrations/planned-losses.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { isWithoutPython } from '../../verifier/run-verifier.ts';

/** Number of variants of each kind. `npm run bench -- loss` draws all kinds. */
const variants: Partial<Record<LossKind, number>> = {
  ...{ records: 1, notes: 1, 'contents of notes': 2, 'details of jobs': 1 },
  ...{ contents: 3, 'entries of records': 1, uploads: 1, settings: 1 },
};
const maxLossesPerProject = 20;
const cleanCount = 1;

it('an import by a Maintainer hides no loss, and a project without a loss has no false one', async () => {
  const projects = planLosses((kind) => variants[kind] ?? 0, maxLossesPerProject)
    .map((losses) => losses.filter((loss) => loss.side === 'import' && canHappenToMaintainer(loss)))
    .filter((losses) => losses.length > 0);
  const { found, wrong, clean, verified } = await migrateWithLosses(
    temporaryFolder(),
    projects,
    cleanCount,
    () => undefined,
    'maintainer',
  );
  expect(wrong).toEqual([]);
  const silent = Object.entries(found).filter(([, { silent: count = 0 }]) => count > 0);
  expect(silent).toEqual([]);
  const planned = new Set(projects.flat().map(({ kind, side }) => `${kind} on ${side}`));
  expect(new Set(Object.keys(found))).toEqual(planned);
  expect(clean).toBe(cleanCount);
  if (!isWithoutPython()) expect(verified).toBe(projects.length + clean);
}, 120_000);
