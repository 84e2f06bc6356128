/** @file Compares a stored archive with its manifest, and records nothing. A failing disk is an error, never damage. */
import { lstat } from 'node:fs/promises';
import { incompleteCode, lacksRecords } from '../../src-contract/archives/archive-quality.ts';
import {
  knownReading,
  severities,
  verdicts,
  type Finding,
  type Inspection,
  type LaterReading,
  type Manifest,
  type Proof,
  type StateFile,
  type Verdict,
} from '../../src-contract/archives/archive.ts';
import { AppError } from '../../src-contract/errors.ts';
import { digestFile } from './archive-file.ts';
import { compareWithSource } from './compare.ts';
import { diskError, errnoOf } from '../platform/disk/disk-errors.ts';
import { inspectFile, type InspectFileOptions } from './inspect.ts';

export interface Verification {
  /** The recorded proof; null if the archive is damaged. */
  proof: Proof | null;
  damaged: StateFile['damaged'];
  /** The inspection; null at level L1 and if the file is missing. */
  inspection: Inspection | null;
  /** The state file as it is, or as it would be if it could be written. */
  state: StateFile;
  /** Why the result is not in the state file; null if it is. */
  unrecorded: AppError | null;
}

export interface ManifestComparison {
  damage: string | null;
  /** The level reached, which may be below the requested one; `detail` then says why. */
  level: 'L1' | 'L2';
  detail: string | null;
  inspection: Inspection | null;
}

export async function verifyArchive(
  absolutePath: string,
  manifest: Manifest,
  level: 'L1' | 'L2',
  options: InspectFileOptions,
): Promise<ManifestComparison> {
  try {
    const inspection = level === 'L2' ? await inspectFile(absolutePath, options) : null;
    const found = inspection ?? (await digestFile(absolutePath, options));
    const damage = damageOf(found, manifest);
    const proof = inspection === null ? { level: 'L1' as const, detail: null } : proofLevelOf(inspection);
    return { damage, ...proof, inspection };
  } catch (error) {
    const reason = error instanceof AppError ? damageReasonOf(error) : null;
    if (reason === null) throw error;
    return { damage: reason, level: 'L1', detail: null, inspection: null };
  }
}

/** Returns what a complete reading proves: L2, or L1 if a finding says that a part of it is unreliable. */
export function proofLevelOf(inspection: Pick<Inspection, 'findings'>): {
  level: 'L1' | 'L2';
  detail: string | null;
} {
  const faults = inspection.findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  return faults.length === 0
    ? { level: 'L2', detail: null }
    : { level: 'L1', detail: faults.join(', ').slice(0, 500) };
}

const maxKeptFindings = 200;

/**
 * Returns the state after a verification that found no damage. A complete reading that is worse than the known one
 * removes the stronger proofs: they rest on readings that found less.
 */
export function verifiedState(
  state: StateFile,
  manifest: Manifest,
  { level, detail, inspection }: ManifestComparison,
  at: string,
): StateFile {
  const verified = { ...state, damaged: null, proofs: withProof(state.proofs, { level, at, detail }) };
  if (inspection === null) return verified;
  const { laterReading: _, ...withoutReading } = verified;
  const reading = readingOf(inspection, manifest, at);
  const proofs = isWorse(reading, knownReading(manifest, state))
    ? verified.proofs.filter((proof) => proof.level <= level)
    : verified.proofs;
  return isWorse(reading, knownReading(manifest, {}))
    ? { ...withoutReading, proofs, laterReading: reading }
    : { ...withoutReading, proofs };
}

/** Findings of the manifest's comparison with the source stay, because the source has changed since. */
function readingOf(inspection: Inspection, manifest: Manifest, at: string): LaterReading {
  const known = new Set(manifest.findings.map(({ where }) => where));
  const missing = compareWithSource(inspection, manifest.sourceCounts).filter(
    ({ code, where }) => code === incompleteCode && !known.has(where),
  );
  const findings = [...missing, ...manifest.findings, ...inspection.findings].toSorted(
    (a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity),
  );
  return {
    at,
    verdict: worstVerdict(inspection.verdict, manifest.inspection.verdict),
    findings: findings.slice(0, maxKeptFindings),
  };
}

const worstVerdict = (a: Verdict, b: Verdict): Verdict => (verdicts.indexOf(a) > verdicts.indexOf(b) ? a : b);

interface Reading {
  verdict: Verdict;
  findings: readonly Finding[];
}

/** Also compares the faults: a suspicious archive may have no proof by reading any more. */
function isWorse(reading: Reading, known: Reading): boolean {
  return (
    verdicts.indexOf(reading.verdict) > verdicts.indexOf(known.verdict) ||
    (lacksRecords(reading.findings) && !lacksRecords(known.findings)) ||
    (hasFault(reading.findings) && !hasFault(known.findings))
  );
}

const hasFault = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity, code }) => severity === 'error' && code !== incompleteCode);

/** Keeps the newest proof of each level. */
export function withProof(proofs: readonly Proof[], proof: Proof): Proof[] {
  return [...proofs.filter(({ level }) => level !== proof.level), proof];
}

function damageOf(found: { sizeBytes: number; sha256: string }, manifest: Manifest): string | null {
  if (found.sizeBytes !== manifest.sizeBytes) {
    return `The file has ${found.sizeBytes} bytes, its manifest says ${manifest.sizeBytes}`;
  }
  return found.sha256 === manifest.sha256 ? null : 'The content differs from what was stored (SHA-256)';
}

const missingText = 'The file is missing';
const replacedText = 'Its path is no longer a file';

/** Returns whether the reason of damage is that there is no file. */
export const isAbsenceReason = (reason: string): boolean => reason === missingText || reason === replacedText;

/** Returns the reason of damage for errors that mean that the archive is gone or replaced. */
function damageReasonOf(error: AppError): string | null {
  if (error.code === 'archive-missing') return missingText;
  return error.code === 'archive-unsafe' ? replacedText : null;
}

/** Returns why there is no readable archive at this place, in the words of `verifyArchive`; null if there is a file. */
export async function missingReasonOf(absolutePath: string): Promise<string | null> {
  try {
    return (await lstat(absolutePath)).isFile() ? null : replacedText;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return missingText;
    throw diskError(error, absolutePath);
  }
}
