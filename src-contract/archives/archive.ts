/** @file The noun *archive*: what reading one found, its manifest, written once, and its state file. Pure. */
import type { z } from '../schema.ts';
import type * as schemas from './archive-schema.ts';
import { relationWithNotes, type CountedRelation } from '../relations.ts';

export type Finding = z.output<typeof schemas.findingSchema>;
export type Counts = z.output<typeof schemas.countsSchema>;
export type Inspection = z.output<typeof schemas.inspectionSchema>;
export type ProjectCounts = z.output<typeof schemas.projectCountsSchema>;
export type SourceCounts = z.output<typeof schemas.sourceCountsSchema>;
export type Manifest = z.output<typeof schemas.manifestSchema>;
export type Proof = z.output<typeof schemas.proofSchema>;
export type StateFile = z.output<typeof schemas.stateFileSchema>;
export type ArchiveSummary = z.output<typeof schemas.archiveSummarySchema>;
export type ArchiveRecord = z.output<typeof schemas.archiveRecordSchema>;

/** `error`: the archive cannot be relied on; `warning`: read it before acting; `info`: good to know. */
export const severities = ['info', 'warning', 'error'] as const;

/**
 * `sound`: read to its end, nothing odd. `suspicious`: readable, but with links, devices, escaping names, duplicates or
 * trailing members; kept, and imported only after an explicit yes. `unusable`: cut, damaged, or not an export.
 */
export const verdicts = ['sound', 'suspicious', 'unusable'] as const;
export type Verdict = (typeof verdicts)[number];

/** Returns the archive's own number for a count of the source; an empty repository has no bundle and so counts 0. */
export function countInArchive(
  inspection: Pick<Inspection, 'bundles' | 'notes' | 'relations'>,
  relation: CountedRelation,
): number {
  const carrier = relationWithNotes(relation);
  if (carrier !== null) return inspection.notes[carrier] ?? 0;
  if (relation === 'branches' || relation === 'tags') {
    return inspection.bundles.find(({ member }) => member === 'project.bundle')?.[relation] ?? 0;
  }
  // The legacy layout calls pipelines `pipelines`.
  const legacy = relation === 'ci_pipelines' ? inspection.relations['pipelines'] : undefined;
  return inspection.relations[relation] ?? legacy ?? 0;
}

/** L1 stored: present, size and SHA-256 equal the manifest. L2 readable: read to the end. L3 proven: imported, contents compared. */
export const proofLevels = ['L1', 'L2', 'L3'] as const;

/** Returns the worth of a stored proof: an L3 of an import that compared numbers alone is an L2. */
export function effectiveProof(proof: Proof): Proof {
  if (proof.level !== 'L3' || proof.contentsCompared === true) return proof;
  const { at, detail } = proof;
  return { level: 'L2', at, detail: `Imported, counts compared${detail === null ? '.' : `: ${detail}`}` };
}

/** Returns the project of an archive: as settled later, else as the manifest has it. */
export function identityOf(
  manifest: Manifest,
  state: Pick<StateFile, 'identified'> | null,
): Pick<Manifest, 'project'> & { instance: { name: string; url: string } } {
  return state?.identified ?? manifest;
}
