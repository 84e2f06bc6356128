import { describe, expect, it } from 'vitest';
import {
  countInArchive,
  type Inspection,
  type ProjectCounts,
  type SourceCounts,
} from '../../../src-contract/archives/archive.ts';
import { compareWithSource } from '../../../src-main/archive/compare.ts';

const uncounted: ProjectCounts = {
  issues: null,
  merge_requests: null,
  milestones: null,
  labels: null,
  releases: null,
  ci_pipelines: null,
  branches: null,
  tags: null,
  issue_notes: null,
  merge_request_notes: null,
};

const archive: Inspection = {
  verdict: 'sound',
  layout: 'ndjson',
  version: '0.2.4',
  gitlabVersion: null,
  sha256: '',
  sizeBytes: 0,
  unpackedBytes: 0,
  relations: { issues: 3, labels: 0, ci_pipelines: 2 },
  notes: { issues: 5, merge_requests: 1, snippets: 9 },
  bundles: [
    { member: 'project.wiki.bundle', branches: 9, tags: 9, otherRefs: 0, objects: 1 },
    { member: 'project.bundle', branches: 2, tags: 1, otherRefs: 3, objects: 6 },
  ],
  uploads: 0,
  lfsObjects: 0,
  members: 9,
  findings: [],
};

function source(
  before: Partial<ProjectCounts>,
  after: Partial<ProjectCounts> = before,
  activity: [string | null, string | null] = [null, null],
): SourceCounts {
  return {
    before: {
      at: '2026-11-20T09:00:00.000Z',
      counts: { ...uncounted, ...before },
      lastActivityAt: activity[0],
    },
    after: {
      at: '2026-11-20T09:05:00.000Z',
      counts: { ...uncounted, ...after },
      lastActivityAt: activity[1],
    },
  };
}

describe('the comparison of an archive with its source', () => {
  it('finds nothing if the archive has as many records or more', () => {
    const counts = {
      issues: 3,
      labels: 0,
      milestones: 0,
      branches: 2,
      tags: 1,
      issue_notes: 5,
      merge_request_notes: 0,
    };
    expect(compareWithSource(archive, source(counts))).toEqual([]);
  });

  it('reports each relation with fewer records in the archive, with both numbers', () => {
    const counts = {
      issues: 4,
      milestones: 1,
      ci_pipelines: 3,
      branches: 3,
      tags: 2,
      issue_notes: 6,
      merge_request_notes: 2,
    };
    const findings = compareWithSource(archive, source(counts));
    expect(findings.map(({ where }) => where)).toEqual(Object.keys(counts));
    expect(findings.every(({ code, severity }) => code === 'export-incomplete' && severity === 'error')).toBe(
      true,
    );
    expect(findings[0]?.message).toBe('The source had 4 issues, the archive holds 3');
  });

  it('counts no branches and no tags if the archive has no bundle', () => {
    const empty = { ...archive, bundles: [] };
    expect(compareWithSource(empty, source({ branches: 0, tags: 0 }))).toEqual([]);
    expect(compareWithSource(empty, source({ branches: 1 }))).toMatchObject([{ code: 'export-incomplete' }]);
  });

  it('finds pipelines under their name in the legacy layout', () => {
    expect(countInArchive({ ...archive, relations: { pipelines: 7 } }, 'ci_pipelines')).toBe(7);
  });

  it('reports an archive as incomplete only if it is below both counts of the source, and reports that the source changed', () => {
    expect(compareWithSource(archive, source({ issues: 3 }, { issues: 4 }))).toMatchObject([
      {
        code: 'source-moved',
        severity: 'info',
        message: 'The source changed during the export: issues 3 → 4',
      },
    ]);
    expect(compareWithSource(archive, source({ issues: 5 }, { issues: 4 }))).toMatchObject([
      { code: 'export-incomplete', message: 'The source had 4 issues, the archive holds 3' },
      { code: 'source-moved' },
    ]);
  });

  it('reports activity that changed no count', () => {
    const moved = source({ issues: 3 }, { issues: 3 }, ['2026-11-20T08:00:00Z', '2026-11-20T09:03:00Z']);
    expect(compareWithSource(archive, moved)).toMatchObject([{ code: 'source-moved' }]);
  });

  it('leaves out records that the source could not count', () => {
    expect(compareWithSource(archive, source({}))).toEqual([]);
    expect(compareWithSource(archive, source({ issues: null }, { issues: 4 }))).toMatchObject([
      { code: 'export-incomplete' },
    ]);
    expect(compareWithSource(archive, null)).toEqual([]);
  });
});
