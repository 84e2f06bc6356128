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

/** Counts by name. For relations: non-blank lines; a singleton 1, `null` or zero bytes 0; legacy: array length. */
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
  /** Bytes of the latter together; archives that were read by a version that did not add them up have none. */
  lfsBytes: z.number().int().optional(),
  /** Number of tar members, as `tar tzf` would list them. */
  members: z.number().int(),
  findings: z.array(findingSchema),
});

/** A project's own counts as its instance reports them; null where the feature is off or may not be read. */
export const projectCountsSchema = z.record(z.enum(countedRelations), z.number().int().nullable());

export const sourceCountsSchema = z.object({
  /** ISO 8601 UTC, with milliseconds. */
  before: z.object({ at: z.string(), counts: projectCountsSchema, lastActivityAt: z.string().nullable() }),
  after: z.object({ at: z.string(), counts: projectCountsSchema, lastActivityAt: z.string().nullable() }),
});

/** The origin of an archive that was adopted rather than backed up. */
export const adoptionSchema = z.object({
  at: z.string(),
  /** The original name of the file, without its folder. */
  fileName: z.string(),
  /** The origin of `storedAt`: the newest member at its start, the file's own time, or `at`. */
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
  /** The id is null where it could not be known: the identity of an adopted archive is never guessed. */
  project: z.object({ id: z.number().int().nullable(), fullPath: z.string(), name: z.string() }),
  /** Version of the instance when it was backed up, as `GET /version` said; null when it did not say. */
  serverVersion: z.string().nullable(),
  /** For an adopted archive: when the export was made, so that it takes its place among those of its project. */
  storedAt: z.string(),
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
  /** For an import (L3): the contents of records were compared. Absent: only numbers were, as by older versions. */
  contentsCompared: z.boolean().optional(),
});

/** The project of an adopted archive, as a person settled it later; the manifest stays as it was written. */
export const identificationSchema = z.object({
  at: z.string(),
  instance: z.object({ name: z.string(), url: z.string() }),
  project: z.object({ id: z.number().int(), fullPath: z.string(), name: z.string() }),
});

/** Pins, notes and proofs of one archive; replaced atomically. `damaged` overrides every proof. */
export const stateFileSchema = z.object({
  schemaVersion: z.literal(1),
  pinned: z.boolean(),
  note: z.string().nullable(),
  proofs: z.array(proofSchema),
  damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
  /** Only where the manifest does not know the project and it was settled since. */
  identified: identificationSchema.optional(),
});

/**
 * One stored archive as lists show it. `id` is the catalogue's; `path` is relative to the archive root, and the same below
 * two roots where a store was copied, so references from a list should be by id.
 */
export const archiveSummarySchema = z.object({
  id: z.string(),
  path: z.string(),
  absolutePath: z.string(),
  /** The root folder of the archive is not there at the moment, as with a disk that is unplugged. */
  absent: z.boolean(),
  instanceName: z.string(),
  instanceUrl: z.string(),
  /** Null: the identity is unknown, see the manifest; retention leaves such an archive alone. */
  projectId: z.number().int().nullable(),
  fullPath: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  storedAt: z.string(),
  verdict: z.enum(verdicts),
  /** The condition of the contents when last read: follows from verdict, damage, and the comparison with the source. */
  condition: z.enum(archiveConditions),
  proof: proofSchema.nullable(),
  damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
  findings: z.number().int(),
  pinned: z.boolean(),
});

/** One NDJSON line read out of an archive. `line` is zero-based and counts blank lines, as GitLab's `line_number`. */
export const archiveRecordSchema = z.object({
  relation: z.string(),
  line: z.number().int(),
  /** The raw text, cut at 1 MiB; `truncated` says so. */
  text: z.string(),
  truncated: z.boolean(),
  /** The parsed value, or null where the line is not JSON or was cut. */
  value: z.unknown(),
});
