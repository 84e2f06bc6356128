/**
 * @file The noun *archive*: the result of reading one, and the two files stored with it. Pure. The manifest
 * is written once, the state file is replaced as a whole.
 */
import { carrierOf, type CountedRelation } from '../relations.ts';
import type { ArchiveCondition } from './archive-quality.ts';

/** `error`: the archive cannot be relied on; `warning`: read it before acting; `info`: good to know. */
export const severities = ['info', 'warning', 'error'] as const;
export type Severity = (typeof severities)[number];

/** One finding about an archive. `where` is a member, `member:line` (zero-based), or a relation. */
export interface Finding {
  code: string;
  severity: Severity;
  message: string;
  where: string | null;
}

/**
 * `sound`: read to its end, nothing odd. `suspicious`: readable, but with links, devices, escaping names, duplicates or
 * trailing members; kept, and imported only after an explicit yes. `unusable`: cut, damaged, or not an export.
 */
export const verdicts = ['sound', 'suspicious', 'unusable'] as const;
export type Verdict = (typeof verdicts)[number];

/** Counts by name. For relations: non-blank lines; a singleton 1, `null` or zero bytes 0; legacy: array length. */
export type Counts = Record<string, number>;

export interface Bundle {
  /** Member name without a leading `./`, for example `project.bundle`. */
  member: string;
  branches: number;
  tags: number;
  otherRefs: number;
  /** Number of objects that the pack's header states; null when the bundle could not be read. */
  objects: number | null;
}

/**
 * The result of reading an export archive once; the same for a file of unknown origin and for a stored one.
 */
export interface Inspection {
  verdict: Verdict;
  layout: 'ndjson' | 'legacy' | null;
  /** Content of the member VERSION, and of GITLAB_VERSION; null when the member is missing. */
  version: string | null;
  gitlabVersion: string | null;
  sha256: string;
  sizeBytes: number;
  unpackedBytes: number;
  relations: Counts;
  /** User-written (non-system) notes by the relation that carries them, for example `{ issues: 12 }`. */
  notes: Counts;
  bundles: Bundle[];
  /** Members below `uploads/`, and below `lfs-objects/`. */
  uploads: number;
  lfsObjects: number;
  /** Bytes of the latter together; archives that were read by a version that did not add them up have none. */
  lfsBytes?: number | undefined;
  /** Number of tar members, as `tar tzf` would list them. */
  members: number;
  findings: Finding[];
}

/**
 * Returns the archive's own number for a count of the source; an empty repository has no bundle and so counts
 * 0.
 */
export function countInArchive(
  inspection: Pick<Inspection, 'bundles' | 'notes' | 'relations'>,
  relation: CountedRelation,
): number {
  const carrier = carrierOf(relation);
  if (carrier !== null) return inspection.notes[carrier] ?? 0;
  if (relation === 'branches' || relation === 'tags') {
    return inspection.bundles.find(({ member }) => member === 'project.bundle')?.[relation] ?? 0;
  }
  // The legacy layout calls pipelines `pipelines`.
  const legacy = relation === 'ci_pipelines' ? inspection.relations['pipelines'] : undefined;
  return inspection.relations[relation] ?? legacy ?? 0;
}

/** A project's own counts as its instance reports them; null where the feature is off or may not be read. */
export type ProjectCounts = Record<CountedRelation, number | null>;

export interface SourceCounts {
  /** ISO 8601 UTC, with milliseconds. */
  before: { at: string; counts: ProjectCounts; lastActivityAt: string | null };
  after: { at: string; counts: ProjectCounts; lastActivityAt: string | null };
}

/** The origin of an archive that was adopted rather than backed up. */
export interface Adoption {
  at: string;
  /** The original name of the file, without its folder. */
  fileName: string;
  /**
   * The origin of `storedAt` of an adopted archive: the newest member at its start, the file's own time, or
   * neither: `at`.
   */
  datedBy: 'members' | 'file' | 'adoption';
}

/** The sidecar description of a stored archive: written once, before the catalogue row, never changed. */
export interface Manifest {
  schemaVersion: 1;
  /** Name of the archive file that this manifest describes; both are in the same folder. */
  file: string;
  sizeBytes: number;
  sha256: string;
  instance: { name: string; url: string; username: string | null };
  /** The id is null where it could not be known: the identity of an adopted archive is never guessed. */
  project: { id: number | null; fullPath: string; name: string };
  /** Version of the instance when it was backed up, as `GET /version` said; null when it did not say. */
  serverVersion: string | null;
  /**
   * For an adopted archive: when the export was made, so that it takes its place among those of its project.
   */
  storedAt: string;
  /** Null for an adopted archive. */
  jobId: string | null;
  /** Only for an adopted archive. */
  adopted?: Adoption | undefined;
  appVersion: string;
  inspection: Inspection;
  sourceCounts: SourceCounts | null;
  /** Findings of comparing archive and source: `export-incomplete`, `source-moved`. */
  findings: Finding[];
}

/** L1 stored: present, size and SHA-256 equal the manifest. L2 readable: read to the end. L3 proven: imported, contents compared. */
export const proofLevels = ['L1', 'L2', 'L3'] as const;
export type ProofLevel = (typeof proofLevels)[number];

export interface Proof {
  level: ProofLevel;
  at: string;
  detail: string | null;
  /**
   * For an import (L3): the contents of records were compared. Absent: only numbers were, as by older
   * versions.
   */
  contentsCompared?: boolean | undefined;
}

/**
 * Returns the level that a stored proof is worth. An L3 of an import that compared numbers alone proves no
 * more than that the archive can be read.
 */
export function effectiveProof(proof: Proof): Proof {
  if (proof.level !== 'L3' || proof.contentsCompared === true) return proof;
  const { at, detail } = proof;
  return { level: 'L2', at, detail: `Imported, counts compared${detail === null ? '.' : `: ${detail}`}` };
}

/** The project of an adopted archive, as a person settled it later; the manifest stays as it was written. */
export interface Identification {
  at: string;
  instance: { name: string; url: string };
  project: { id: number; fullPath: string; name: string };
}

/** Pins, notes and proofs of one archive; replaced atomically. `damaged` overrides every proof. */
export interface StateFile {
  schemaVersion: 1;
  pinned: boolean;
  note: string | null;
  proofs: Proof[];
  damaged: { at: string; reason: string } | null;
  /** Only where the manifest does not know the project and it was settled since. */
  identified?: Identification | undefined;
}

/** Returns the project of an archive: as settled later, else as the manifest has it. */
export function identityOf(
  manifest: Manifest,
  state: Pick<StateFile, 'identified'> | null,
): Pick<Manifest, 'project'> & { instance: { name: string; url: string } } {
  return state?.identified ?? manifest;
}

/**
 * One stored archive as lists show it. `id` is the catalogue's; `path` is relative to the archive root, and the same below
 * two roots where a store was copied, so references from a list should be by id.
 */
export interface ArchiveSummary {
  id: string;
  path: string;
  absolutePath: string;
  /** The root folder of the archive is not there at the moment, as with a disk that is unplugged. */
  absent: boolean;
  instanceName: string;
  instanceUrl: string;
  /** Null: the identity is unknown, see the manifest; retention leaves such an archive alone. */
  projectId: number | null;
  fullPath: string;
  sha256: string;
  sizeBytes: number;
  storedAt: string;
  verdict: Verdict;
  /**
   * The condition of the contents when last read: follows from verdict, damage, and the comparison with the
   * source.
   */
  condition: ArchiveCondition;
  proof: Proof | null;
  damaged: { at: string; reason: string } | null;
  findings: number;
  pinned: boolean;
}

/** One NDJSON line read out of an archive. `line` is zero-based and counts blank lines, as GitLab's `line_number`. */
export interface ArchiveRecord {
  relation: string;
  line: number;
  /** The raw text, cut at 1 MiB; `truncated` says so. */
  text: string;
  truncated: boolean;
  /** The parsed value, or null where the line is not JSON or was cut. */
  value: unknown;
}
