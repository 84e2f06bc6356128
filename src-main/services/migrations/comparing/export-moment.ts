/**
 * @file The time when an export was requested, by the clock of its instance, and the project's counts around that time.
 */
import { countedRelations, type CountedRelation } from '../../../../src-contract/relations.ts';
import { countedSchema, preparedSchema, requestedSchema } from '../../../jobs/exporting/export-outputs.ts';
import type { CountedAround } from '../../../jobs/migrations/comparing/untimed-losses.ts';
import { parseTime } from '../../../platform/clock.ts';

export interface ExportMoment {
  /** Epoch milliseconds by the clock of the source, accurate to about a second. */
  at: number;
  counted(relation: string): CountedAround;
}

export function exportMoment(outputs: Record<string, unknown>): ExportMoment {
  const { at } = requestedSchema.parse(outputs['request']);
  const { clockSkewMs, before } = preparedSchema.parse(outputs['prepare']);
  const after = countedSchema.parse(outputs['count']);
  return {
    at: at + (mayAgree(clockSkewMs) ? 0 : clockSkewMs),
    counted: (relation) =>
      isCounted(relation)
        ? { before: before.counts[relation], after: after.counts[relation] }
        : { before: null, after: null },
  };
}

/** A clock within this limit may agree: servers report whole seconds and responses take time, so it looks late. */
const looksLateMs = 1_500;
const mayAgree = (skewMs: number): boolean => skewMs <= 0 && skewMs > -looksLateMs;

const isCounted = (relation: string): relation is CountedRelation =>
  (countedRelations as readonly string[]).includes(relation);

/** GitLab records the activity of a project at most once in this interval. */
const activityMs = 3_600_000;

/**
 * Returns when the source was changed after its export (epoch milliseconds). Null if it was not changed, or if that is
 * unknown; then `declared` has a sentence.
 */
export function changeAfterExport(
  lastActivityAt: string | null,
  exportedAt: number,
): { changedSince: number | null; declared: string[] } {
  const activeAt = parseTime(lastActivityAt ?? undefined);
  if (activeAt === null || activeAt <= exportedAt - activityMs) return { changedSince: null, declared: [] };
  if (activeAt > exportedAt) return { changedSince: activeAt, declared: [] };
  return { changedSince: null, declared: [mayHaveChanged] };
}

const mayHaveChanged =
  'Somebody worked on the source within the hour before its export. GitLab records activity at most once an hour, so whether the source changed later is not known.';
