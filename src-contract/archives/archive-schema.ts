/** @file The schemas of `archive.ts`. */
import { archiveConditions } from './archive-quality.ts';
import { countedRelations } from '../relations.ts';
import { z } from '../schema.ts';
import { severities, verdicts, proofLevels } from './archive.ts';

/** One finding about an archive. `where` is a member, `member:line` (zero-based), or a relation. */
export const findingSchema = z.object({
  code: z.string(),
  severity: z.enum(severities),
  message: z.string(),
  where: z.string().nullable(),
});

/**
 * Counts by name. A relation counts its non-blank lines, a singleton 1, and `null` or an empty file 0. The legacy
 * layout counts array elements.
 */
export const countsSchema = z.record(z.string(), z.number().int().nonnegative());

export const bundleSchema = z.object({
  /** Member name without a leading `./`, for example `project.bundle`. */
  member: z.string(),
  branches: z.number().int(),
  tags: z.number().int(),
  otherRefs: z.number().int(),
  /** Number of objects that the pack's header states; null when the bundle could not be read. */
  objects: z.number().int().nullable(),
});

/** The result of reading an export archive once; the same for a file of unknown origin and for a stored one. */
export const inspectionSchema = z.object({
  verdict: z.enum(verdicts),
  layout: z.enum(['ndjson', 'legacy']).nullable(),
  /** Content of the member VERSION, and of GITLAB_VERSION; null when the member is missing. */
  version: z.string().nullable(),
  gitlabVersion: z.string().nullable(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  unpackedBytes: z.number().int(),
  relations: countsSchema,
  /** User-written (non-system) notes by the relation that carries them, for example `{ issues: 12 }`. */
  notes: countsSchema,
  bundles: z.array(bundleSchema),
  /** Members below `uploads/`, and below `lfs-objects/`. */
  uploads: z.number().int(),
  lfsObjects: z.number().int(),
  /** Total bytes of the LFS objects; absent for archives that an older version read. */
  lfsBytes: z.number().int().optional(),
  /** Number of tar members, as `tar tzf` would list them. */
  members: z.number().int(),
  findings: z.array(findingSchema),
});

/** A project's own counts as its instance reports them; null if the feature is off or may not be read. */
export const projectCountsSchema = z.record(z.enum(countedRelations), z.number().int().nullable());

export const sourceCountsSchema = z.object({
  /** ISO 8601 UTC, with milliseconds. */
  before: z.object({ at: z.string(), counts: projectCountsSchema, lastActivityAt: z.string().nullable() }),
  after: z.object({ at: z.string(), counts: projectCountsSchema, lastActivityAt: z.string().nullable() }),
  /**
   * The clock of the instance minus that of this machine, which `at` follows. Absent in manifests of versions that did
   * not store it.
   */
  clockSkewMs: z.number().optional(),
});

/** The origin of an archive that was adopted, not stored by a backup. */
export const adoptionSchema = z.object({
  at: z.string(),
  /** The original name of the file, without its folder. */
  fileName: z.string(),
  /** The origin of `storedAt`: the newest time among the first tar members, the file's modification time, or `at`. */
  datedBy: z.enum(['members', 'file', 'adoption']),
});

/** The sidecar description of a stored archive: written once, before the catalogue row, never changed. */
export const manifestSchema = z.object({
  schemaVersion: z.literal(1),
  /** Name of the archive file that this manifest describes; both are in the same folder. */
  file: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  instance: z.object({ name: z.string(), url: z.string(), username: z.string().nullable() }),
  /** The id is null if it could not be known: the identity of an adopted archive is never guessed. */
  project: z.object({ id: z.number().int().nullable(), fullPath: z.string(), name: z.string() }),
  /** Version of the instance at the time of the backup, from `GET /version`; null if the instance did not report it. */
  serverVersion: z.string().nullable(),
  /**
   * When the archive was stored. For an adopted archive, and for an export that a backup found on the instance: when
   * the export was made, so that archives of a project sort by age.
   */
  storedAt: z.string(),
  /** Only for an export that a backup found on the instance: when it was stored. */
  receivedAt: z.string().optional(),
  /** Null for an adopted archive. */
  jobId: z.string().nullable(),
  /** Only for an adopted archive. */
  adopted: adoptionSchema.optional(),
  appVersion: z.string(),
  inspection: inspectionSchema,
  sourceCounts: sourceCountsSchema.nullable(),
  /** Findings of comparing archive and source: `export-incomplete`, `source-moved`. */
  findings: z.array(findingSchema),
});

export const proofSchema = z.object({
  level: z.enum(proofLevels),
  at: z.string(),
  detail: z.string().nullable(),
  /**
   * For an import (L3): true if the contents of records were compared. Absent if only numbers were compared, as older
   * versions do.
   */
  contentsCompared: z.boolean().optional(),
});

/** The project that a user assigned to an adopted archive later. The manifest does not change. */
export const identificationSchema = z.object({
  at: z.string(),
  instance: z.object({ name: z.string(), url: z.string() }),
  project: z.object({ id: z.number().int(), fullPath: z.string(), name: z.string() }),
});

/**
 * A complete reading of the stored bytes that found the archive worse than its manifest says. A newer version may find
 * more than the one that stored the archive.
 */
export const laterReadingSchema = z.object({
  at: z.string(),
  verdict: z.enum(verdicts),
  /** The findings of this reading and of the comparison with the source. */
  findings: z.array(findingSchema),
});

/** Pins, notes and proofs of one archive; replaced atomically. `damaged` overrides every proof. */
export const stateFileSchema = z.object({
  schemaVersion: z.literal(1),
  pinned: z.boolean(),
  note: z.string().nullable(),
  proofs: z.array(proofSchema),
  damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
  /** Overrides verdict and findings of the manifest. Absent if the last complete reading confirmed the manifest. */
  laterReading: laterReadingSchema.optional(),
  /** Present only if the manifest lacks the project and a user assigned it later. */
  identified: identificationSchema.optional(),
});

/**
 * One stored archive as lists show it. `id` is from the catalogue. `path` is relative to the archive root. A copy of a
 * store has the same paths below another root, so callers identify an archive by its id, never by its path.
 */
export const archiveSummarySchema = z.object({
  id: z.string(),
  path: z.string(),
  absolutePath: z.string(),
  /** True if the root folder of the archive does not exist at the moment, for example because its disk is unplugged. */
  absent: z.boolean(),
  instanceName: z.string(),
  instanceUrl: z.string(),
  /** Null if the project is unknown, see the manifest. Retention ignores such an archive. */
  projectId: z.number().int().nullable(),
  fullPath: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  storedAt: z.string(),
  verdict: z.enum(verdicts),
  /** The condition of the contents when last read, derived from verdict, damage, and the comparison with the source. */
  condition: z.enum(archiveConditions),
  proof: proofSchema.nullable(),
  damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
  findings: z.number().int(),
  pinned: z.boolean(),
});

/** One NDJSON line of an archive. `line` is zero-based and counts blank lines, like GitLab's `line_number`. */
export const archiveRecordSchema = z.object({
  relation: z.string(),
  line: z.number().int(),
  /** The raw text, cut at 1 MiB. `truncated` is true if it was cut. */
  text: z.string(),
  truncated: z.boolean(),
  /** The parsed value, or null if the line is not JSON or was cut. */
  value: z.unknown(),
});
