/** @file Stored archives for component tests. */
import type { ArchiveSummary, Inspection, Manifest } from '../../../../src-contract/archives/archive.ts';
import type { CallReply, ParsedRequest } from '../../../../src-contract/calls.ts';

export const emptySha = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function archive(id: number, change: Partial<ArchiveSummary> = {}): ArchiveSummary {
  const day = String(20 - id).padStart(2, '0');
  return {
    id: `archive-${id}`,
    path: `gitlab.example.com/group/app/${id}_export.tar.gz`,
    absolutePath: `/backups/gitlab.example.com/group/app/${id}_export.tar.gz`,
    absent: false,
    instanceName: 'work',
    instanceUrl: 'https://gitlab.example.com',
    projectId: 7,
    fullPath: 'group/app',
    sha256: emptySha,
    sizeBytes: 1_000_000 * id,
    storedAt: `2026-11-${day}T08:00:00.000Z`,
    verdict: 'sound',
    condition: change.damaged ? 'damaged' : 'complete',
    proof: { level: 'L2', at: `2026-11-${day}T08:00:01.000Z`, detail: null },
    damaged: null,
    findings: 0,
    pinned: false,
    ...change,
  };
}

export function inspection(change: Partial<Inspection> = {}): Inspection {
  return {
    verdict: 'sound',
    layout: 'ndjson',
    version: '0.2.4',
    gitlabVersion: '18.5.0',
    sha256: emptySha,
    sizeBytes: 1_000_000,
    unpackedBytes: 9_000_000,
    relations: { issues: 9, labels: 3, boards: 1, merge_requests: 0 },
    notes: { issues: 40 },
    bundles: [{ member: 'project.bundle', branches: 2, tags: 1, otherRefs: 0, objects: 22 }],
    uploads: 4,
    lfsObjects: 0,
    members: 22,
    findings: [],
    ...change,
  };
}

const counts = (issues: number): Manifest['sourceCounts'] & object => {
  const counted = {
    issues,
    merge_requests: null,
    milestones: 0,
    labels: 3,
    releases: 0,
    ci_pipelines: 0,
    branches: 2,
    tags: 1,
    issue_notes: 40,
    merge_request_notes: 0,
  };
  const snapshot = { at: '2026-11-19T07:59:00.000Z', counts: counted, lastActivityAt: null };
  return { before: snapshot, after: { ...snapshot, counts: { ...counted, labels: 4 } } };
};

/** `issues`: the number of issues that the source counted. */
export function described(summary: ArchiveSummary, issues = 9): CallReply<'archive.show'> {
  return {
    summary,
    manifest: {
      schemaVersion: 1,
      file: summary.path.split('/').at(-1) ?? '',
      sizeBytes: summary.sizeBytes,
      sha256: summary.sha256,
      instance: { name: 'work', url: summary.instanceUrl, username: 'mel' },
      project: { id: 7, fullPath: summary.fullPath, name: 'App' },
      serverVersion: '18.5.0',
      storedAt: summary.storedAt,
      jobId: 'job-1',
      appVersion: '0.1.0',
      inspection: inspection(),
      sourceCounts: counts(issues),
      findings: [],
    },
    state: {
      schemaVersion: 1,
      pinned: false,
      note: null,
      proofs: summary.proof === null ? [] : [summary.proof],
      damaged: summary.damaged,
    },
  };
}

type Row = CallReply<'archive.projects'>['projects'][number];

export function archivedProject(newest: ArchiveSummary, change: Partial<Row> = {}): Row {
  return {
    instanceName: newest.instanceName,
    instanceUrl: newest.instanceUrl,
    projectId: newest.projectId,
    fullPath: newest.fullPath,
    archives: 1,
    bytes: newest.sizeBytes,
    newest,
    ...change,
  };
}

/** Returns `archive.projects` replies from all rows, as the app does. */
export function projectPages(
  rows: readonly Row[],
): (request: ParsedRequest<'archive.projects'>) => CallReply<'archive.projects'> {
  return ({ search, offset, limit }) => {
    const matching = rows.filter(({ fullPath }) => search === null || fullPath.includes(search));
    return { projects: matching.slice(offset, offset + limit), total: matching.length };
  };
}
