/** @file Archives, manifests and projects for the catalogue, with values that a test can change. */
import type { NewArchive } from '../../../src-main/catalogue/archives/archive-rows.ts';
import type { Manifest } from '../../../src-contract/archives/archive.ts';
import type { Project } from '../../../src-contract/projects/project.ts';

const at = '2026-11-20T12:00:00.000Z';

/** Returns the archive of that number of project 7, `group/project`, of https://gitlab.example. */
export function newArchive(number: number, changes: Partial<NewArchive> = {}): NewArchive {
  return {
    root: 0,
    path: `gitlab.example/group/project/${number}_export.tar.gz`,
    instanceName: 'source',
    instanceUrl: 'https://gitlab.example',
    projectId: 7,
    fullPath: 'group/project',
    sha256: String(number).padStart(8, '0').padEnd(64, 'a'),
    sizeBytes: 1000 + number,
    storedAt: `2026-11-20T12:00:0${number}.000Z`,
    verdict: 'sound',
    proof: { level: 'L2', at, detail: null },
    damaged: null,
    findings: 0,
    pinned: false,
    incomplete: false,
    ...changes,
  };
}

/** @param activity last activity of the project when its source was counted; null if it was not counted. */
export function manifestFor(stored: NewArchive, activity: string | null = null): Manifest {
  const counted = { at, counts: {} as never, lastActivityAt: activity };
  return {
    schemaVersion: 1,
    file: '1_export.tar.gz',
    sizeBytes: stored.sizeBytes,
    sha256: stored.sha256,
    instance: { name: stored.instanceName, url: stored.instanceUrl, username: null },
    project: { id: stored.projectId, fullPath: stored.fullPath, name: 'Project' },
    serverVersion: '17.11.0',
    storedAt: stored.storedAt,
    jobId: 'job',
    appVersion: '0.1.0',
    inspection: {
      verdict: stored.verdict,
      layout: 'ndjson',
      version: '0.2.4',
      gitlabVersion: null,
      sha256: stored.sha256,
      sizeBytes: stored.sizeBytes,
      unpackedBytes: 9000,
      relations: { issues: 2 },
      notes: {},
      bundles: [],
      uploads: 0,
      lfsObjects: 0,
      members: 12,
      findings: [],
    },
    sourceCounts: activity === null ? null : { before: counted, after: counted },
    findings: [],
  };
}

export function newProject(id: number, fullPath: string, changes: Partial<Project> = {}): Project {
  return {
    id,
    fullPath,
    name: fullPath,
    description: 'with "quotes"',
    visibility: 'private',
    archived: false,
    defaultBranch: null,
    emptyRepository: false,
    webUrl: `https://gitlab.example/${fullPath}`,
    createdAt: null,
    lastActivityAt: null,
    creatorId: null,
    importStatus: 'none',
    importType: null,
    accessLevel: 40,
    repositorySizeBytes: 12,
    markedForDeletionOn: null,
    ...changes,
  };
}
