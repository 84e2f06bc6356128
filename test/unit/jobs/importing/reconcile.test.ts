import { countedRelations } from '../../../../src-contract/relations.ts';
import { describe, expect, it } from 'vitest';
import { type Inspection, type ProjectCounts } from '../../../../src-contract/archives/archive.ts';
import { lacksOnlyContents, numbersAgree } from '../../../../src-contract/transfers/import.ts';
import { compareCounts } from '../../../../src-main/jobs/importing/reconcile.ts';
import { soundInspection } from '../../../support/jobs/fake-instance.ts';

const counts = (value: number | null, changes: Partial<ProjectCounts> = {}): ProjectCounts =>
  ({ ...Object.fromEntries(countedRelations.map((name) => [name, value])), ...changes }) as ProjectCounts;

const inspection = (changes: Partial<Inspection> = {}): Inspection => ({ ...soundInspection, ...changes });

const source = (before: ProjectCounts, after = before) => ({
  before: { at: '', counts: before, lastActivityAt: null },
  after: { at: '', counts: after, lastActivityAt: null },
});

const verdictOf = (result: ReturnType<typeof compareCounts>, relation: string) =>
  result.rows.find((row) => row.relation === relation)?.verdict;

describe('the comparison of source, archive and target', () => {
  it('is not reconciled by numbers that agree, because they do not prove that records arrived', () => {
    const result = compareCounts(source(counts(2)), inspection(), counts(2), 'now');
    expect(numbersAgree(result.rows)).toBe(true);
    expect(result).toMatchObject({ reconciled: false, depth: 'numbers' });
    expect(result.rows.every((row) => row.verdict === 'equal')).toBe(true);
  });

  it('reports on which side each relation lost records', () => {
    const archived = inspection({
      relations: { issues: 1, merge_requests: 2, milestones: 1, labels: 2, releases: 2, ci_pipelines: 2 },
    });
    const target = counts(2, { issues: 1, merge_requests: 1, milestones: 0, labels: 3 });
    const result = compareCounts(source(counts(2)), archived, target, 'now');
    expect(verdictOf(result, 'issues')).toBe('lost-on-export');
    expect(verdictOf(result, 'merge_requests')).toBe('lost-on-import');
    expect(verdictOf(result, 'milestones')).toBe('lost-on-both');
    expect(verdictOf(result, 'labels')).toBe('more');
    expect(numbersAgree(result.rows)).toBe(false);
  });

  it('finds a missing nested note even if every record arrived', () => {
    const result = compareCounts(null, inspection(), counts(2, { merge_request_notes: 1 }), 'now');
    expect(verdictOf(result, 'merge_request_notes')).toBe('lost-on-import');
  });

  it('does not report records that were added to the source during the export as lost', () => {
    const result = compareCounts(source(counts(2), counts(3)), inspection(), counts(2), 'now');
    expect(numbersAgree(result.rows)).toBe(true);
  });

  it('reports a relation that could not be counted as unknown instead of equal', () => {
    const result = compareCounts(null, inspection(), counts(2, { ci_pipelines: null }), 'now');
    expect(verdictOf(result, 'ci_pipelines')).toBe('unknown');
  });

  it('finds no agreement if archived records cannot be counted on the target', () => {
    const agrees = (archived: Inspection, target: ProjectCounts | null): boolean =>
      numbersAgree(compareCounts(null, archived, target, 'now').rows);
    expect(agrees(inspection(), counts(2, { ci_pipelines: null }))).toBe(false);
    expect(agrees(inspection(), null)).toBe(false);
    const empty = inspection({
      relations: { issues: 2, merge_requests: 2, milestones: 2, labels: 2, releases: 2 },
    });
    expect(agrees(empty, counts(2, { ci_pipelines: null }))).toBe(true);
  });

  it('lacks more than contents while a failed relation is listed', () => {
    const result = compareCounts(source(counts(2)), inspection(), counts(2), 'now');
    expect([0, 1].map((failureCount) => lacksOnlyContents(result, failureCount))).toEqual([true, false]);
  });

  it('says that nothing was compared if the target could not be read, even without counted records', () => {
    const empty = inspection({ relations: {}, notes: {}, bundles: [] });
    const result = compareCounts(null, empty, null, 'now');
    expect(result.declared.at(-1)).toContain('The target could not be read');
    expect(lacksOnlyContents(result, 0)).toBe(false);
    expect(lacksOnlyContents({ ...result, rows: [] }, 0)).toBe(false);
    expect(lacksOnlyContents(compareCounts(null, empty, counts(0), 'now'), 0)).toBe(true);
  });

  it('treats a project without a bundle as a project without branches', () => {
    const result = compareCounts(source(counts(2)), inspection({ bundles: [] }), counts(2), 'now');
    expect(verdictOf(result, 'branches')).toBe('lost-on-export');
  });
});
