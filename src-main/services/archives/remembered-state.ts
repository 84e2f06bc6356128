/**
 * @file Completes the state file of an archive with what its row knows of the same bytes: the state file may be absent
 * or unreadable, or the disk was read-only when the archive was verified.
 */
import { incompleteCode, lacksRecords } from '../../../src-contract/archives/archive-quality.ts';
import type { LaterReading, Manifest, StateFile } from '../../../src-contract/archives/archive.ts';
import { finding } from '../../archive/findings.ts';
import type { FoundState } from '../../archive/store.ts';
import { isAbsenceReason } from '../../archive/verify.ts';
import type { IndexedArchive } from '../../catalogue/archives/archive-rows.ts';

export const goneReason = 'The file is no longer in the store.';
const unreadablePrefix = 'The archive cannot be used: ';

/** Returns the reason of damage if a file beside the archive could not be read. */
export const unreadableReason = (message: string): string => `${unreadablePrefix}${message}`;

/** Returns the state that is known of an archive. A row of other bytes is ignored. */
export function completeState(
  { manifest, state, hasStateFile }: FoundState,
  row: IndexedArchive | null,
): StateFile {
  if (row?.sha256 !== manifest.sha256) return state;
  const known: StateFile = {
    ...state,
    pinned: hasStateFile ? state.pinned : row.pinned,
    damaged: state.damaged ?? (isEnded(row.damaged, state) ? null : row.damaged),
  };
  // The reading of the state file may have removed stronger proofs.
  if (state.laterReading !== undefined) return known;
  const rowProofs = row.proof === null ? [] : [row.proof];
  const laterReading = readingOfRow(manifest, row);
  if (laterReading !== undefined && !hasProofAfter(state, laterReading.at, ['L2'])) {
    return { ...known, proofs: rowProofs, laterReading };
  }
  const levels = new Set(state.proofs.map(({ level }) => level));
  return { ...known, proofs: [...state.proofs, ...rowProofs.filter(({ level }) => !levels.has(level))] };
}

/** Returns whether damage in a row has ended: the file is there again, or its bytes were compared later. */
function isEnded(damaged: StateFile['damaged'], state: StateFile): boolean {
  if (damaged === null) return true;
  const { at, reason } = damaged;
  if (isAbsenceReason(reason) || reason === goneReason || reason.startsWith(unreadablePrefix)) return true;
  // An import (L3) ends later than it reads the archive.
  return hasProofAfter(state, at, ['L1', 'L2']);
}

const hasProofAfter = ({ proofs }: StateFile, time: string, levels: readonly string[]): boolean =>
  proofs.some(({ level, at }) => levels.includes(level) && at > time);

/** Returns the later reading of an archive as its row knows it, or undefined if the row agrees with the manifest. */
function readingOfRow(
  { inspection, findings, storedAt }: Manifest,
  { verdict, incomplete, proof }: IndexedArchive,
): LaterReading | undefined {
  const isNewlyIncomplete = incomplete && !lacksRecords(findings);
  if (verdict === inspection.verdict && !isNewlyIncomplete) return undefined;
  const missing = isNewlyIncomplete
    ? [finding(incompleteCode, 'The archive lacks records of its source')]
    : [];
  return { at: proof?.at ?? storedAt, verdict, findings: [...missing, ...findings, ...inspection.findings] };
}
