/** @file The time of an export, by the clock of its instance, and the project's counts around it. */
import type { ProjectDetails } from '../../../../src-contract/projects/project-details.ts';
import { countedRelations, type CountedRelation } from '../../../../src-contract/relations.ts';
import { countedSchema, preparedSchema, requestedSchema } from '../../../jobs/exporting/export-outputs.ts';
import { activityIntervalMs } from '../../../jobs/exporting/unchanged.ts';
import type { CountsAroundExport } from '../../../jobs/migrations/comparing/losses/untimed-losses.ts';
import { parseTime } from '../../../platform/clock.ts';

export interface ExportMoment {
  /** Epoch milliseconds by the clock of the source, accurate to about a second. */
  requestedAt: number;
  countsAround(relation: string): CountsAroundExport;
  /** The highest id of the labels that the source had before the export; null if it is not known. */
  newestLabelId: number | null;
}

export function exportMoment(outputs: Record<string, unknown>): ExportMoment {
  const { at } = requestedSchema.parse(outputs['request']);
  const { clockSkewMs, before } = preparedSchema.parse(outputs['prepare']);
  const after = countedSchema.parse(outputs['count']);
  return {
    requestedAt: at + (isNegligibleSkew(clockSkewMs) ? 0 : clockSkewMs),
    countsAround: (relation) =>
      isCounted(relation)
        ? { before: before.counts[relation], after: after.counts[relation] }
        : { before: null, after: null },
    newestLabelId: before.counts.labels === null ? null : (before.newestLabelId ?? null),
  };
}

/**
 * A skew within this limit may be no skew: servers report whole seconds and responses take time, so their clocks look
 * slow.
 */
const skewToleranceMs = 1_500;
const isNegligibleSkew = (skewMs: number): boolean => skewMs <= 0 && skewMs > -skewToleranceMs;

const isCounted = (relation: string): relation is CountedRelation =>
  (countedRelations as readonly string[]).includes(relation);

export interface SourceChange {
  /** Epoch milliseconds; null if the source was not changed, or if that is not known. */
  changedSince: number | null;
  /** Sentences that say why it is not known. */
  declared: string[];
  /** True if the source was read, and was changed or edited after its export. Its settings are then not compared. */
  isEdited: boolean;
  /** True if the source may have been changed or edited after its export. */
  mayHaveChanged: boolean;
}

type Activity = Pick<SourceChange, 'changedSince' | 'declared'>;
type ReadSource = { details: ProjectDetails } | null;

/**
 * Returns when the source was changed after its export.
 * @param source null if it was not read. @param knownChange the time of the change that an earlier comparison found.
 */
export function sourceChange(
  source: ReadSource,
  { requestedAt }: Pick<ExportMoment, 'requestedAt'>,
  knownChange: number | null,
): SourceChange {
  return withEdits(activityOf(source, requestedAt, knownChange), source, requestedAt);
}

function activityOf(source: ReadSource, requestedAt: number, knownChange: number | null): Activity {
  const known = (knownChange ?? 0) > requestedAt ? knownChange : null;
  if (source === null) return { changedSince: known, declared: [] };
  const change = changeAfterExport(source.details.project.lastActivityAt, requestedAt);
  // A source that no longer shows its activity does not undo the change.
  return change.changedSince === null && known !== null ? { changedSince: known, declared: [] } : change;
}

/** Adds whether the source was edited after its export. Edits of settings are not recorded as activity. */
export function withEdits(activity: Activity, source: ReadSource, requestedAt: number): SourceChange {
  const isEdited = isSourceEdited({ source, moment: { requestedAt } }, activity.changedSince);
  return { ...activity, isEdited, mayHaveChanged: isEdited || activity.declared.length > 0 };
}

/**
 * Returns whether the source was read, and was changed or edited after its export.
 * @param changedSince when the source was changed after its export; null if not changed, or unknown.
 */
export const isSourceEdited = (
  { source, moment }: { source: ReadSource; moment: Pick<ExportMoment, 'requestedAt'> },
  changedSince: number | null,
): boolean => source !== null && (changedSince !== null || isEditedSince(source.details, moment.requestedAt));

/** Uses `updated_at`. This time also changes when Packhorse archives the source or writes a note into it. */
function isEditedSince({ attributes }: ProjectDetails, time: number): boolean {
  const { updated_at: updatedAt } = attributes;
  const editedAt = parseTime(typeof updatedAt === 'string' ? updatedAt : undefined);
  return editedAt !== null && editedAt > time;
}

/**
 * Returns when the source was changed after its export (epoch milliseconds). Null if it was not changed, or if that is
 * unknown. In the second case, `declared` says why it is unknown.
 */
export function changeAfterExport(lastActivityAt: string | null, exportedAt: number): Activity {
  const activeAt = parseTime(lastActivityAt ?? undefined);
  if (activeAt === null) return { changedSince: null, declared: [noActivityText] };
  if (activeAt <= exportedAt - activityIntervalMs) return { changedSince: null, declared: [] };
  if (activeAt > exportedAt) return { changedSince: activeAt, declared: [] };
  return { changedSince: null, declared: [mayHaveChangedText] };
}

const noActivityText =
  'The source reports no time of its last activity, so whether it changed after its export is not known.';
const mayHaveChangedText =
  'Somebody worked on the source within the hour before its export. GitLab records activity at most once an hour, so whether the source changed later is not known.';
