/** @file The sentences about a problem of a stored archive that a verification in the background found. Pure. */
import type { ArchiveSummary, StateFile } from '../archives/archive.ts';
import { lowerFirst } from './first-letter.ts';
import { conditionText } from './states.ts';

export interface ArchiveProblem {
  /** The condition, for use within a sentence. */
  condition: string;
  /** Without a full stop. */
  reason: string;
}

/** Returns null for an archive without a known problem. Only changed bytes are called damage. */
export function archiveProblemOf({
  summary,
  state,
}: {
  summary: Pick<ArchiveSummary, 'condition' | 'damaged'>;
  state: Pick<StateFile, 'laterReading'>;
}): ArchiveProblem | null {
  if (summary.condition === 'complete') return null;
  const condition = lowerFirst(conditionText[summary.condition].text);
  if (summary.damaged !== null) return { condition, reason: summary.damaged.reason };
  const finding = state.laterReading?.findings[0]?.message;
  const reason = 'The file is as it was stored, but a later reading found more problems';
  return { condition, reason: finding === undefined ? reason : `${reason}: ${finding}` };
}
