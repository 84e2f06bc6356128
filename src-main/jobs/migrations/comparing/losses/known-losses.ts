/**
 * @file Losses of an earlier comparison that a later comparison did not find. They stay open until a comparison shows
 * that they are repaired.
 */
import { relationOfNoteRow } from '../../../../../src-contract/relations.ts';
import type {
  Comparison,
  MissingRecord,
  Reconciliation,
} from '../../../../../src-contract/transfers/import.ts';
import { verdictOf } from '../../../importing/reconcile.ts';
import { lfsSize } from '../three-way-comparison.ts';
import { lossGroupOf, lostPartKey } from './loss-key.ts';

export type UnnamedLosses = NonNullable<Reconciliation['unnamed']>[number];

type DifferingSetting = Reconciliation['settings'][number];

/** All losses of a relation on export, or on import. */
export type LossGroup = Pick<MissingRecord, 'relation' | 'lost'>;

export interface LaterComparison {
  /** Returns whether the later comparison would have found the loss again, or shows that it is repaired. */
  hasCompared: (loss: MissingRecord) => boolean;
  /** Returns whether the later comparison compared the relation, so that it would have found its losses again. */
  hasComparedGroup: (group: LossGroup) => boolean;
  /** Returns the losses without names that the later comparison could not compare. */
  openLosses: (losses: UnnamedLosses) => UnnamedLosses;
  /** Returns whether the later comparison compared the setting on that side of the archive. */
  hasComparedSetting: (setting: DifferingSetting) => boolean;
  /** Returns whether the target shows this value of a setting now. */
  hasTargetSetting: (attribute: string, value: string) => boolean;
}

const keptLossesSentence = 'Losses of an earlier comparison that are not known to be repaired still count.';

/** Adds losses that only the earlier comparison could find. */
export function withKnownLosses(
  later: Reconciliation,
  earlier: Reconciliation | null,
  comparison: LaterComparison,
): Reconciliation {
  const { hasCompared, hasComparedSetting, hasTargetSetting } = comparison;
  const alreadyNamed = new Set(later.missing.map(lostPartKey));
  const known = (earlier?.missing ?? []).filter(
    (record) => !alreadyNamed.has(lostPartKey(record)) && !hasCompared(record),
  );
  const found = new Map((later.unnamed ?? []).map((loss) => [lossGroupOf(loss), loss]));
  // The later comparison may have found some of these without naming them, and stores the lines of records only. A part may
  // count twice, which is better than a loss that nobody counts.
  const missing = known.filter((record) => !isFoundWithoutName(record, found.get(lossGroupOf(record))));
  const unnamed = uniteUnnamed(later.unnamed ?? [], (earlier?.unnamed ?? []).map(comparison.openLosses));
  const addedCount = missing.length + countOf(unnamed) - countOf(later.unnamed ?? []);
  const listedSettings = new Set(later.settings.map(({ attribute }) => attribute));
  const settings = (earlier?.settings ?? []).filter(
    (setting) =>
      !listedSettings.has(setting.attribute) &&
      !hasComparedSetting(setting) &&
      !hasTargetSetting(setting.attribute, setting.expected),
  );
  const rows = withKnownAmounts(later.rows, earlier?.rows ?? [], comparison);
  if (addedCount + settings.length === 0 && rows === later.rows) return later;
  return {
    ...later,
    rows,
    reconciled: false,
    missing: [...later.missing, ...missing],
    missingCount: later.missingCount + addedCount,
    ...(unnamed.length > 0 && { unnamed }),
    settings: [...later.settings, ...settings],
    declared: [...later.declared.filter((sentence) => sentence !== keptLossesSentence), keptLossesSentence],
  };
}

/** Unites the losses of each group. The later comparison may have found some of the earlier ones. */
const uniteUnnamed = (later: readonly UnnamedLosses[], earlier: readonly UnnamedLosses[]): UnnamedLosses[] =>
  [...Map.groupBy([...later, ...earlier], lossGroupOf).values()].flatMap((losses) => {
    const [first] = losses;
    const lines = [...new Set(losses.flatMap((each) => each.lines))];
    const count = Math.max(lines.length, ...losses.map((each) => each.count));
    return first === undefined || count === 0 ? [] : [{ ...first, count, lines }];
  });

const countOf = (losses: readonly UnnamedLosses[]): number =>
  losses.reduce((sum, { count }) => sum + count, 0);

/**
 * Returns the rows, with the earlier number of the source where the export lost a part of it and the later comparison used
 * no number of the source: it read no list, or the source has changed. The target may have got the lost part since.
 */
function withKnownAmounts(
  rows: Reconciliation['rows'],
  earlierRows: Reconciliation['rows'],
  { hasComparedGroup }: LaterComparison,
): Reconciliation['rows'] {
  const known = earlierRows.flatMap((earlier): Comparison[] => {
    const { relation, source } = earlier;
    if (source === null || !isLostOnExport(earlier)) return [];
    // A row without an amount on any side is left out.
    const later = rows.find((row) => row.relation === relation) ?? {
      relation,
      source: null,
      archive: 0,
      target: 0,
    };
    const { archive, target } = later;
    if (later.source !== null || (target !== null && target >= source)) return [];
    const list = relationOfNoteRow(relation) ?? relation;
    // The size of a changed source is not compared.
    if (relation !== lfsSize && hasComparedGroup({ relation: list, lost: 'on-export' })) return [];
    return [{ relation, source, archive, target, verdict: verdictOf(source, archive, target) }];
  });
  if (known.length === 0) return rows;
  return [...rows.filter((row) => !known.some(({ relation }) => relation === row.relation)), ...known];
}

const isFoundWithoutName = ({ line, part }: MissingRecord, found: UnnamedLosses | undefined): boolean =>
  part === null && line !== null && found?.lines.includes(line) === true;

const isLostOnExport = ({ verdict }: Comparison): boolean =>
  verdict === 'lost-on-export' || verdict === 'lost-on-both';
