/** @file The result of one comparison as a tone, a title and a text, for the badge of an import and for its dialog. */
import {
  coversContents,
  isArrivalUnknown,
  isUncountedOnTarget,
  lacksOnlyContents,
  type Comparison,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';
import type { Difference } from '../../../../src-contract/migrations/difference.ts';
import { agreementText, gapsOf } from '../../../../src-contract/words/depths.ts';
import { relationLabel, unconfirmedText } from '../../../../src-contract/words/relations.ts';
import type { Tone } from '../../../kit/feedback/tones.ts';
import { hasUnknownSource, reconciliationText as text } from './evidence.text.ts';

export interface ReconciliationSummary {
  tone: Tone;
  title: string;
  text: string;
}

interface SummaryOptions {
  failureCount: number;
  /** True if GitLab may have left failures of the import out of its list. */
  hasUnlistedFailures?: boolean;
  /** True if the comparison of a migration follows. */
  isComparedLater?: boolean;
  /** The differences that a user can accept one by one. */
  differences?: readonly Difference[];
}

/** Returns whether any side has records of the relation. */
export const hasRecords = ({ source, archive, target }: Comparison): boolean =>
  (source ?? 0) + (archive ?? 0) + (target ?? 0) > 0;

/** Returns the names of the relations, as users read them. */
export const labelsOf = (rows: readonly Comparison[]): string[] =>
  rows.map(({ relation }) => relationLabel(relation));

/** Summarizes a comparison. Only a comparison of contents without open differences gets the tone `good`. */
export function summaryOf(
  reconciliation: Reconciliation,
  { failureCount, hasUnlistedFailures = false, isComparedLater = false, differences = [] }: SummaryOptions,
): ReconciliationSummary {
  const { depth, missingCount, settings } = reconciliation;
  // Older versions also called comparisons without contents reconciled.
  if (reconciliation.reconciled && coversContents(depth)) {
    return agreementSummary(reconciliation, hasUnlistedFailures);
  }
  if (failureCount === 0 && differences.length > 0 && differences.every(({ open }) => open === 0)) {
    return acceptedSummary(reconciliation);
  }
  if (lacksOnlyContents(reconciliation, failureCount)) {
    return isComparedLater
      ? { tone: 'info', title: text.comparedLater, text: text.comparedLaterText }
      : { tone: 'warn', ...agreementText[depth] };
  }
  const rows = reconciliation.rows.filter(hasRecords);
  const lost = rows.filter(({ verdict }) => verdict.startsWith('lost'));
  if (lost.length + missingCount + settings.length > 0) {
    return { tone: 'bad', title: text.lost, text: lossText(reconciliation, lost) };
  }
  const uncounted = rows.filter(isArrivalUnknown);
  const reason =
    failureCount > 0
      ? text.notProvenFailures(failureCount)
      : uncounted.length > 0
        ? text.notProvenUncounted(labelsOf(uncounted))
        : text.notProvenText;
  return { tone: 'warn', title: text.notProven, text: reason };
}

function agreementSummary(
  reconciliation: Reconciliation,
  hasUnlistedFailures: boolean,
): ReconciliationSummary {
  const agreement = agreementText[reconciliation.depth];
  const unconfirmed = unconfirmedText(reconciliation.unproven);
  const unknownSource = reconciliation.rows.filter((row) => hasRecords(row) && hasUnknownSource(row));
  const unknown = unknownSource.length === 0 ? null : text.unknownOnExport(labelsOf(unknownSource));
  // The reasons of a comparison in part name what is unknown.
  const notes = gapsOf(reconciliation).length > 0 ? [] : [unknown, unconfirmed];
  return {
    tone: unconfirmed === null && !hasUnlistedFailures ? 'good' : 'warn',
    title: agreement.title,
    text: [agreement.text, ...notes].filter((sentence) => sentence !== null).join(' '),
  };
}

/** A project does not arrive while it is not counted or its contents are not compared, even if all known losses are accepted. */
function acceptedSummary({ rows, depth }: Reconciliation): ReconciliationSummary {
  const uncounted = rows.filter(isUncountedOnTarget);
  if (uncounted.length > 0) {
    return { tone: 'warn', title: text.notProven, text: text.acceptedUncounted(labelsOf(uncounted)) };
  }
  return coversContents(depth)
    ? { tone: 'warn', title: text.accepted, text: text.acceptedText }
    : { tone: 'warn', title: text.notProven, text: text.acceptedUncompared };
}

function lossText({ missing, missingCount, settings }: Reconciliation, lost: readonly Comparison[]): string {
  if (lost.length > 0) {
    const changed = missing.map(({ relation }) => relationLabel(relation));
    return text.lostText([...new Set([...labelsOf(lost), ...changed])]);
  }
  return missingCount > 0 ? `${text.missingCount(missingCount)}.` : text.settingsDiffer(settings.length);
}
