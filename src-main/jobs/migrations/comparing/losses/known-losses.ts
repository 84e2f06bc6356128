/**
 * @file Losses of an earlier comparison that a later comparison could not check. They stay open until a comparison can
 * check them.
 */
import type {
  Comparison,
  MissingRecord,
  Reconciliation,
} from '../../../../../src-contract/transfers/import.ts';
import { verdictOf } from '../../../importing/reconcile.ts';
import { lfsSize } from '../three-way-comparison.ts';
import { wiki } from '../wiki.ts';
import { lossGroupOf, lostPartKey } from './loss-key.ts';

type UnnamedLosses = NonNullable<Reconciliation['unnamed']>[number];

/** An earlier loss, or the earlier losses without names of a relation and a side. */
export type EarlierLoss = Pick<MissingRecord, 'relation' | 'lost'> &
  Partial<MissingRecord> &
  Partial<Pick<UnnamedLosses, 'count' | 'lines'>>;

export interface LaterComparison {
  /** Returns whether the later comparison compared what was lost, so that it would have found the loss again. */
  hasCompared: (loss: EarlierLoss) => boolean;
  /** Returns whether the later comparison compared the settings of the project on that side of the archive. */
  hasComparedSettings: (lost: MissingRecord['lost'] | null) => boolean;
  /** Returns whether the target shows this value of a setting now. */
  hasTargetSetting: (attribute: string, value: string) => boolean;
  /** Records that the target lacks or hides. If an earlier comparison found that it lacks them, they are still losses. */
  hidden: readonly MissingRecord[];
}

const keptLossesSentence =
  'Not all losses of an earlier comparison could be checked again: those losses still count.';

/** Adds losses that only the earlier comparison could find. */
export function withKnownLosses(
  later: Reconciliation,
  earlier: Reconciliation | null,
  { hasCompared, hasComparedSettings, hasTargetSetting, hidden }: LaterComparison,
): Reconciliation {
  const hiddenKeys = new Set(hidden.map(lostPartKey));
  const alreadyNamed = new Set(later.missing.map(lostPartKey));
  const known = (earlier?.missing ?? []).filter(
    (record) =>
      (!hasCompared(record) || hiddenKeys.has(lostPartKey(record))) && !alreadyNamed.has(lostPartKey(record)),
  );
  const found = new Map((later.unnamed ?? []).map((loss) => [lossGroupOf(loss), loss]));
  // The later comparison may have found some of these without naming them, and stores the lines of records only. A part may
  // count twice, which is better than a loss that nobody counts.
  const missing = known.filter((record) => !isFoundWithoutName(record, found.get(lossGroupOf(record))));
  const unnamed = (earlier?.unnamed ?? []).filter(
    (loss) => !hasCompared(loss) && !found.has(lossGroupOf(loss)),
  );
  const listedSettings = new Set(later.settings.map(({ attribute }) => attribute));
  const settings = (earlier?.settings ?? []).filter(
    ({ attribute, expected, lost }) =>
      !hasComparedSettings(lost) && !listedSettings.has(attribute) && !hasTargetSetting(attribute, expected),
  );
  const rows = withKnownAmounts(later.rows, earlier?.rows ?? []);
  if (missing.length + unnamed.length + settings.length === 0 && rows === later.rows) return later;
  const allUnnamed = [...(later.unnamed ?? []), ...unnamed];
  return {
    ...later,
    rows,
    reconciled: false,
    missing: [...later.missing, ...missing],
    missingCount: later.missingCount + missing.length + unnamed.reduce((sum, { count }) => sum + count, 0),
    ...(allUnnamed.length > 0 && { unnamed: allUnnamed }),
    settings: [...later.settings, ...settings],
    declared: [...later.declared.filter((sentence) => sentence !== keptLossesSentence), keptLossesSentence],
  };
}

/**
 * Returns the rows, with the earlier amount of the source where the export lost a part of it, and a changed source now shows
 * no comparable amount. The target may have got the lost part since.
 */
function withKnownAmounts(
  rows: Reconciliation['rows'],
  earlierRows: Reconciliation['rows'],
): Reconciliation['rows'] {
  const known = earlierRows.flatMap((earlier): Comparison[] => {
    const { relation, source } = earlier;
    if (!amountsOfChangedSource.includes(relation) || source === null || !isLostOnExport(earlier)) return [];
    // A row without an amount on any side is left out.
    const later = rows.find((row) => row.relation === relation) ?? {
      relation,
      source: null,
      archive: 0,
      target: 0,
    };
    const { archive, target } = later;
    if (later.source !== null || (target !== null && target >= source)) return [];
    return [{ relation, source, archive, target, verdict: verdictOf(source, archive, target) }];
  });
  if (known.length === 0) return rows;
  return [...rows.filter((row) => !known.some(({ relation }) => relation === row.relation)), ...known];
}

/** The relations whose amount on a source that changed after the export is not compared. */
const amountsOfChangedSource: readonly string[] = [wiki, lfsSize];

const isFoundWithoutName = ({ line, part }: MissingRecord, found: UnnamedLosses | undefined): boolean =>
  part === null && line !== null && found?.lines.includes(line) === true;

const isLostOnExport = ({ verdict }: Comparison): boolean =>
  verdict === 'lost-on-export' || verdict === 'lost-on-both';
