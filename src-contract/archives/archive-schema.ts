/** @file The schemas of `archive.ts`. */
import { archiveConditions } from './archive-quality.ts';
import { countedRelations } from '../relations.ts';
import { z, schemaOf } from '../schema.ts';
import {
  type Finding,
  type Counts,
  type Inspection,
  type ProjectCounts,
  type SourceCounts,
  type Manifest,
  type Proof,
  type StateFile,
  type ArchiveSummary,
  type ArchiveRecord,
  type Bundle,
  type Adoption,
  type Identification,
  severities,
  verdicts,
  proofLevels,
} from './archive.ts';

export const findingSchema = schemaOf<Finding>()(
  z.object({
    code: z.string(),
    severity: z.enum(severities),
    message: z.string(),
    where: z.string().nullable(),
  }),
);

export const countsSchema = schemaOf<Counts>()(z.record(z.string(), z.number().int().nonnegative()));

export const bundleSchema = schemaOf<Bundle>()(
  z.object({
    member: z.string(),
    branches: z.number().int(),
    tags: z.number().int(),
    otherRefs: z.number().int(),
    objects: z.number().int().nullable(),
  }),
);

export const inspectionSchema = schemaOf<Inspection>()(
  z.object({
    verdict: z.enum(verdicts),
    layout: z.enum(['ndjson', 'legacy']).nullable(),
    version: z.string().nullable(),
    gitlabVersion: z.string().nullable(),
    sha256: z.string(),
    sizeBytes: z.number().int(),
    unpackedBytes: z.number().int(),
    relations: countsSchema,
    notes: countsSchema,
    bundles: z.array(bundleSchema),
    uploads: z.number().int(),
    lfsObjects: z.number().int(),
    lfsBytes: z.number().int().optional(),
    members: z.number().int(),
    findings: z.array(findingSchema),
  }),
);

export const projectCountsSchema = schemaOf<ProjectCounts>()(
  z.record(z.enum(countedRelations), z.number().int().nullable()),
);

export const sourceCountsSchema = schemaOf<SourceCounts>()(
  z.object({
    before: z.object({ at: z.string(), counts: projectCountsSchema, lastActivityAt: z.string().nullable() }),
    after: z.object({ at: z.string(), counts: projectCountsSchema, lastActivityAt: z.string().nullable() }),
  }),
);

export const adoptionSchema = schemaOf<Adoption>()(
  z.object({
    at: z.string(),
    fileName: z.string(),
    datedBy: z.enum(['members', 'file', 'adoption']),
  }),
);

export const manifestSchema = schemaOf<Manifest>()(
  z.object({
    schemaVersion: z.literal(1),
    file: z.string(),
    sizeBytes: z.number().int(),
    sha256: z.string(),
    instance: z.object({ name: z.string(), url: z.string(), username: z.string().nullable() }),
    project: z.object({ id: z.number().int().nullable(), fullPath: z.string(), name: z.string() }),
    serverVersion: z.string().nullable(),
    storedAt: z.string(),
    jobId: z.string().nullable(),
    adopted: adoptionSchema.optional(),
    appVersion: z.string(),
    inspection: inspectionSchema,
    sourceCounts: sourceCountsSchema.nullable(),
    findings: z.array(findingSchema),
  }),
);

export const proofSchema = schemaOf<Proof>()(
  z.object({
    level: z.enum(proofLevels),
    at: z.string(),
    detail: z.string().nullable(),
    contentsCompared: z.boolean().optional(),
  }),
);

const identificationSchema = schemaOf<Identification>()(
  z.object({
    at: z.string(),
    instance: z.object({ name: z.string(), url: z.string() }),
    project: z.object({ id: z.number().int(), fullPath: z.string(), name: z.string() }),
  }),
);

export const stateFileSchema = schemaOf<StateFile>()(
  z.object({
    schemaVersion: z.literal(1),
    pinned: z.boolean(),
    note: z.string().nullable(),
    proofs: z.array(proofSchema),
    damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
    identified: identificationSchema.optional(),
  }),
);

export const archiveSummarySchema = schemaOf<ArchiveSummary>()(
  z.object({
    id: z.string(),
    path: z.string(),
    absolutePath: z.string(),
    absent: z.boolean(),
    instanceName: z.string(),
    instanceUrl: z.string(),
    projectId: z.number().int().nullable(),
    fullPath: z.string(),
    sha256: z.string(),
    sizeBytes: z.number().int(),
    storedAt: z.string(),
    verdict: z.enum(verdicts),
    condition: z.enum(archiveConditions),
    proof: proofSchema.nullable(),
    damaged: z.object({ at: z.string(), reason: z.string() }).nullable(),
    findings: z.number().int(),
    pinned: z.boolean(),
  }),
);

export const archiveRecordSchema = schemaOf<ArchiveRecord>()(
  z.object({
    relation: z.string(),
    line: z.number().int(),
    text: z.string(),
    truncated: z.boolean(),
    value: z.unknown(),
  }),
);
