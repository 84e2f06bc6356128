/**
 * @file Losses of an earlier comparison that a later comparison could not check. They stay open until a comparison can
 * check them.
 */
import type { MissingRecord, Reconciliation } from '../../../../src-contract/transfers/import.ts';

export interface LaterReads {
  /**
   * Returns whether the later comparison read this relation from the source. The relation `settings` stands for the
   * settings of the project.
   */
  wasReadFromSource: (relation: string) => boolean;
  targetSetting: (attribute: string) => string;
}

const kept =
  'The source could not be read for all export losses of an earlier comparison: those losses still count.';

/** Adds export losses that only the earlier comparison could find. Import losses are found without the source. */
export function withKnownLosses(
  now: Reconciliation,
  before: Reconciliation | null,
  { wasReadFromSource, targetSetting }: LaterReads,
): Reconciliation {
  const isKnown = ({ relation, lost }: Pick<MissingRecord, 'relation' | 'lost'>): boolean =>
    lost === 'on-export' && !wasReadFromSource(relation);
  const alreadyNamed = new Set(now.missing.map(nameOf));
  const missing = (before?.missing ?? []).filter(
    (record) => isKnown(record) && !alreadyNamed.has(nameOf(record)),
  );
  const unnamed = (before?.unnamed ?? []).filter(isKnown);
  const toldSettings = new Set(now.settings.map(({ attribute }) => attribute));
  const settings = (before?.settings ?? []).filter(
    ({ attribute, expected, lost }) =>
      lost === 'on-export' &&
      !wasReadFromSource('settings') &&
      !toldSettings.has(attribute) &&
      targetSetting(attribute) !== expected,
  );
  if (missing.length + unnamed.length + settings.length === 0) return now;
  const allUnnamed = [...(now.unnamed ?? []), ...unnamed];
  return {
    ...now,
    reconciled: false,
    missing: [...now.missing, ...missing],
    missingCount: now.missingCount + missing.length + unnamed.reduce((sum, { count }) => sum + count, 0),
    ...(allUnnamed.length > 0 && { unnamed: allUnnamed }),
    settings: [...now.settings, ...settings],
    declared: [...now.declared.filter((sentence) => sentence !== kept), kept],
  };
}

const nameOf = ({ relation, lost, line, iid, title, part }: MissingRecord): string =>
  JSON.stringify([relation, lost, line, iid, title, part?.name ?? null]);
