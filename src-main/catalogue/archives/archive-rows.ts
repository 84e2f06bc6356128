/** @file The columns of stored archives, from which the SQL is built: their values, and how rows are read and written. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { conditionOf, lacksRecords } from '../../../src-contract/archives/archive-quality.ts';
import {
  effectiveProof,
  knownReading,
  projectOfArchive,
  type ArchiveSummary,
  type Manifest,
  type StateFile,
} from '../../../src-contract/archives/archive.ts';
import { archiveSummarySchema, proofSchema } from '../../../src-contract/archives/archive-schema.ts';
import { z } from '../../../src-contract/schema.ts';
import { isoTime, parseTime } from '../../platform/clock.ts';
import { foldCase } from '../projects/fold.ts';
import { jsonColumn, readRow } from '../rows.ts';

/** An archive to be added. Its id and absolute path follow from the root's number and the path in it. */
export type NewArchive = Omit<ArchiveSummary, 'id' | 'absolutePath' | 'absent' | 'condition'> & {
  root: number;
  /** The archive lacks something that its source had. */
  incomplete: boolean;
};

/** An archive in the store as its files describe it; `rootNumber` is the number of its archive folder. */
export interface ArchiveOnDisk {
  rootNumber: number;
  path: string;
  manifest: Manifest;
  state: StateFile;
}

/** A stored row, with the number of its root, and whether it lacks something that its source had. */
export type IndexedArchive = ArchiveSummary & { root: number; incomplete: boolean };

export interface RootLocations {
  pathOf(root: number): string;
  isAbsent(root: number): boolean;
}

/** The column of each property of an archive. A property without a column does not compile. */
const columns = {
  root: 'root',
  path: 'path',
  instanceName: 'instance_name',
  instanceUrl: 'instance_url',
  projectId: 'project_id',
  fullPath: 'full_path',
  sha256: 'sha256',
  sizeBytes: 'size_bytes',
  storedAt: 'stored_at',
  verdict: 'verdict',
  proof: 'proof',
  damaged: 'damaged',
  findings: 'findings',
  pinned: 'pinned',
  incomplete: 'incomplete',
} satisfies Record<keyof NewArchive, string>;

/** Columns that are written with each archive. Some are used by queries only, not by lists. */
const writtenColumns = { id: 'id', ...columns, sourceActivity: 'source_activity', pathKey: 'path_key' };

export function archiveFromFiles({ rootNumber, path, manifest, state }: ArchiveOnDisk): NewArchive {
  const { instance, project } = projectOfArchive(manifest, state);
  const { verdict, findings } = knownReading(manifest, state);
  return {
    root: rootNumber,
    path,
    instanceName: instance.name,
    instanceUrl: instance.url,
    projectId: project.id,
    fullPath: project.fullPath,
    sha256: manifest.sha256,
    sizeBytes: manifest.sizeBytes,
    storedAt: manifest.storedAt,
    verdict,
    proof: strongestProof(state),
    damaged: state.damaged,
    findings: findings.length,
    incomplete: lacksRecords(findings),
    pinned: state.pinned,
  };
}

export const strongestProof = (state: StateFile): ArchiveSummary['proof'] =>
  state.proofs
    .map(effectiveProof)
    .reduce<ArchiveSummary['proof']>(
      (best, proof) => (best === null || proof.level >= best.level ? proof : best),
      null,
    );

const flag = z.number().transform((stored) => stored === 1);
const archiveRow = archiveSummarySchema.omit({ absolutePath: true, absent: true, condition: true }).extend({
  root: z.number().int(),
  projectId: z
    .number()
    .int()
    .transform((stored) => (stored < 0 ? null : stored)),
  proof: jsonColumn.pipe(proofSchema.transform(effectiveProof).nullable()),
  damaged: jsonColumn.pipe(archiveSummarySchema.shape.damaged),
  pinned: flag,
  incomplete: flag,
});

export const archiveColumns = Object.entries({ id: 'id', ...columns })
  .map(([property, column]) => `${column} AS ${property}`)
  .join(', ');

/** Adds a row, or replaces the row with the same root and path. Its parameters are those of `toRow`. */
export const insertArchiveSql = `INSERT OR REPLACE INTO archives (${Object.values(writtenColumns).join(', ')})
  VALUES (${Object.keys(writtenColumns)
    .map((property) => `@${property}`)
    .join(', ')})`;

export function toRow(archive: NewArchive, manifest: Manifest) {
  const activity = parseTime(manifest.sourceCounts?.before.lastActivityAt);
  return {
    ...archive,
    id: archiveId(archive.root, archive.path),
    projectId: archive.projectId ?? placeholderIdOf(archive.fullPath),
    proof: toJson(archive.proof),
    damaged: toJson(archive.damaged),
    pinned: archive.pinned ? 1 : 0,
    incomplete: archive.incomplete ? 1 : 0,
    pathKey: foldCase(archive.fullPath),
    sourceActivity: activity === null ? null : isoTime(activity),
  } satisfies Record<keyof typeof writtenColumns, unknown>;
}

export function archiveFromRow(row: unknown, roots: RootLocations): IndexedArchive {
  const stored = readRow(archiveRow, row, 'archives');
  const { verdict, root, incomplete } = stored;
  return {
    ...stored,
    absolutePath: join(roots.pathOf(root), stored.path),
    absent: roots.isAbsent(root),
    condition: conditionOf({ verdict, incomplete, damaged: stored.damaged !== null }),
  };
}

/**
 * A rescan produces the same id. Archives in the first root have the same ids as in older catalogues, which had only
 * one root.
 */
function archiveId(root: number, path: string): string {
  const key = root === 0 ? path : `${root}\n${path}`;
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

/**
 * [Note: ids that are not known] Archives of one path without a known project id share a negative number in the
 * catalogue. No project of GitLab has such an id. Outside the catalogue the id is null.
 */
export function placeholderIdOf(fullPath: string): number {
  return -1 - createHash('sha256').update(foldCase(fullPath)).digest().readUIntBE(0, 6);
}

export function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
