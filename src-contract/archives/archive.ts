/**
 * @file The noun *archive*: the result of reading it, its manifest, which is written once, and its state file. Pure.
 */
import type { z } from '../schema.ts';
import type * as schemas from './archive-schema.ts';
import { relationOfNoteRow, type CountedRelation } from '../relations.ts';

export type Finding = z.output<typeof schemas.findingSchema>;
export type Counts = z.output<typeof schemas.countsSchema>;
export type Inspection = z.output<typeof schemas.inspectionSchema>;
export type ProjectCounts = z.output<typeof schemas.projectCountsSchema>;
export type SourceCounts = z.output<typeof schemas.sourceCountsSchema>;
export type Manifest = z.output<typeof schemas.manifestSchema>;
export type Proof = z.output<typeof schemas.proofSchema>;
export type LaterReading = z.output<typeof schemas.laterReadingSchema>;
export type StateFile = z.output<typeof schemas.stateFileSchema>;
export type ArchiveSummary = z.output<typeof schemas.archiveSummarySchema>;
export type ArchiveRecord = z.output<typeof schemas.archiveRecordSchema>;

/** `error`: the archive is unreliable; `warning`: needs attention before the archive is used; `info`: good to know. */
export const severities = ['info', 'warning', 'error'] as const;

/**
 * `sound`: read to its end, nothing odd. `suspicious`: readable, but with links, devices, unsafe names, duplicates or
 * trailing members; stored, but imported only if the user explicitly allows it. `unusable`: truncated, damaged, or not
 * an export.
 */
export const verdicts = ['sound', 'suspicious', 'unusable'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * Returns the number of records in the archive for a relation that is also counted on the source. An empty repository
 * has no bundle and counts 0.
 */
export function countInArchive(
  inspection: Pick<Inspection, 'bundles' | 'notes' | 'relations'>,
  relation: CountedRelation,
): number {
  const noteRelation = relationOfNoteRow(relation);
  if (noteRelation !== null) return inspection.notes[noteRelation] ?? 0;
  if (relation === 'branches' || relation === 'tags') {
    return inspection.bundles.find(({ member }) => member === 'project.bundle')?.[relation] ?? 0;
  }
  // In the legacy layout, the relation `ci_pipelines` is called `pipelines`.
  const legacyCount = relation === 'ci_pipelines' ? inspection.relations['pipelines'] : undefined;
  return inspection.relations[relation] ?? legacyCount ?? 0;
}

/**
 * L1 stored: size and SHA-256 match the manifest. L2 readable: read to the end. L3 proven: imported, contents compared.
 */
export const proofLevels = ['L1', 'L2', 'L3'] as const;

/** Returns when the archive was stored. `storedAt` may be the earlier time when its export was made. */
export const receptionTimeOf = ({
  adopted,
  receivedAt,
  storedAt,
}: Pick<Manifest, 'adopted' | 'receivedAt' | 'storedAt'>): string => adopted?.at ?? receivedAt ?? storedAt;

/** Returns the proof with its effective level: L2 instead of L3 if the import compared only counts. */
export function effectiveProof(proof: Proof): Proof {
  if (proof.level !== 'L3' || proof.contentsCompared === true) return proof;
  const { at, detail } = proof;
  return { level: 'L2', at, detail: `Imported, counts compared${detail === null ? '.' : `: ${detail}`}` };
}

/** Returns what the last reading found: the later one, if it was worse than that of the manifest. */
export function knownReading(
  manifest: Pick<Manifest, 'inspection' | 'findings'>,
  { laterReading }: Pick<StateFile, 'laterReading'>,
): { verdict: Verdict; findings: Finding[] } {
  const { inspection, findings } = manifest;
  return laterReading ?? { verdict: inspection.verdict, findings: [...inspection.findings, ...findings] };
}

/** Returns the project that a user assigned to the archive; without one, the project of the manifest. */
export function projectOfArchive(
  manifest: Manifest,
  state: Pick<StateFile, 'identified'> | null,
): Pick<Manifest, 'project'> & { instance: { name: string; url: string } } {
  return state?.identified ?? manifest;
}
