/** @file Describes in a few words why an imported project does not count as arrived. Pure. */
import {
  isUncountedOnTarget,
  type MissingRecord,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';
import type { MigratingProject } from '../../../../src-contract/migrations/migration.ts';
import { joinWords } from '../../../../src-contract/words/join-words.ts';
import { relationText } from '../../../../src-contract/words/relations.ts';

/** Returns text such as `2 records of issues and 1 of merge requests were lost, 1 failure is open`. Never empty. */
export function describeDifferences(
  { failures, state }: Pick<MigratingProject, 'failures' | 'state'>,
  reconciliation: Reconciliation | null,
): string {
  if (state === 'finishing') return 'the imported project was not compared yet';
  if (state === 'uncompared') return 'the contents of its records were not compared';
  const counts = new Map<string, number>();
  const { missing = [], missingCount = 0, settings = [], rows = [] } = reconciliation ?? {};
  const isField = ({ part }: MissingRecord): boolean => part !== null && 'values' in part;
  const changed = missing.filter(isField);
  for (const record of missing)
    if (!isField(record)) counts.set(record.relation, (counts.get(record.relation) ?? 0) + 1);
  const lost = [...counts].map(([relation, count], index) => {
    const records = index > 0 ? '' : count === 1 ? ' record' : ' records';
    return `${count}${records} of ${relationText(relation)}`;
  });
  if (missingCount > missing.length) lost.push(`${missingCount - missing.length} more`);
  const differences = [
    ...(lost.length === 0
      ? []
      : [`${joinWords(lost)} ${missingCount - changed.length === 1 ? 'was' : 'were'} lost`]),
    ...(changed.length === 0
      ? []
      : [
          changed.length === 1 ? '1 field of a record differs' : `${changed.length} fields of records differ`,
        ]),
    ...(settings.length === 0
      ? []
      : [settings.length === 1 ? '1 setting differs' : `${settings.length} settings differ`]),
    ...(failures.open === 0
      ? []
      : [failures.open === 1 ? '1 failure is open' : `${failures.open} failures are open`]),
  ];
  if (differences.length === 0 && rows.some(({ verdict }) => verdict.startsWith('lost'))) {
    differences.push('source, archive and target do not agree');
  }
  // A project that was not counted does not arrive, even if all other differences are accepted.
  const unknown = rows.filter(isUncountedOnTarget);
  if (unknown.length > 0) {
    const names = unknown.map(({ relation }) => relationText(relation)).join(', ');
    differences.push(
      `${differences.length > 0 ? 'and ' : ''}it is not known whether these arrived: ${names}`,
    );
  }
  return differences.length > 0 ? differences.join(', ') : 'source, archive and target do not agree';
}
