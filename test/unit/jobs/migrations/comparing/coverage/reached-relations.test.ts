/** @file How far a comparison compared each relation, and the fields that it left out. */
import { describe, expect, it } from 'vitest';
import { chosenDepths, type ChosenDepth } from '../../../../../../src-contract/transfers/import.ts';
import { recordRelations } from '../../../../../../src-main/jobs/migrations/comparing/contents/differing-fields.ts';
import { archiveCoverage } from '../../../../../../src-main/jobs/migrations/comparing/coverage/archive-coverage.ts';
import { comparedRelations } from '../../../../../../src-main/jobs/migrations/comparing/coverage/compared-relations.ts';
import { coveredPaths } from '../../../../../../src-main/jobs/migrations/comparing/coverage/field-coverage.ts';
import {
  reachedRelations,
  type ReachedSides,
} from '../../../../../../src-main/jobs/migrations/comparing/coverage/reached-relations.ts';
import { documentedRelations } from '../../../../../support/migrations/compared-table.ts';

/** A comparison that read everything. */
const everything = (chosen: ChosenDepth): ReachedSides => ({
  ...{ chosen, hasRecords: true, uncompared: [] },
  rows: comparedRelations
    .flatMap(({ rows }) => rows)
    .map((relation) => ({ relation, source: 1, archive: 1, target: 1 })),
  ...{ unlistedOnSource: new Set(), unlistedOnTarget: new Set() },
});
const reached = (relation: string, changes: Partial<ReachedSides>) =>
  reachedRelations({ ...everything('contents'), ...changes }).find((each) => each.relation === relation);

it.each(chosenDepths)('a comparison of %s leaves out what the page about comparisons says', (chosen) => {
  expect(reachedRelations(everything(chosen))).toEqual(documentedRelations(chosen));
});

it('a comparison of contents that read everything leaves out no field', () => {
  const found = reachedRelations(everything('contents'));
  expect(found.flatMap(({ fields }) => fields)).toEqual([]);
  // A source shows only the size of its LFS objects.
  expect(found.filter(({ source, target }) => source !== 'contents' || target !== 'contents')).toEqual([
    { relation: 'lfs_objects', source: 'counts', target: 'contents', fields: [] },
  ]);
});

it('every relation of an archive with compared fields is in the table', () => {
  const compared = Object.entries(archiveCoverage).flatMap(([relation, coverage]) =>
    [...coveredPaths({ [relation]: coverage })].some(([, each]) => each === 'compared') ? [relation] : [],
  );
  const known = comparedRelations.map(({ relation }) => relation);
  expect(compared.filter((relation) => !known.includes(relation))).toEqual([]);
  expect(recordRelations.filter((relation) => !known.includes(relation))).toEqual([]);
});

describe('a comparison of contents', () => {
  const issues = { relation: 'issues', source: 2, archive: 2, target: 2 };

  it('has only the number of a relation that the source does not list', () => {
    const unlisted = { unlistedOnSource: new Set(['issues']), rows: [issues] };
    const found = reached('issues', unlisted);
    expect(found).toMatchObject({ source: 'counts', target: 'contents' });
    expect(found?.fields).toContain('title');
    expect(reached('issues', { ...unlisted, rows: [{ ...issues, source: null }] })?.source).toBe('none');
  });

  it('has nothing of a relation that the target does not list or count', () => {
    const rows = [{ ...issues, target: null }];
    expect(reached('issues', { unlistedOnTarget: new Set(['issues']), rows })?.target).toBe('none');
  });

  it('names the fields that were not compared of every record', () => {
    const uncompared = [
      { relation: 'issues', field: 'weight' },
      { relation: 'issues', field: 'mood' },
    ];
    expect(reached('issues', { uncompared })).toEqual({
      ...{ relation: 'issues', source: 'contents', target: 'contents' },
      fields: ['weight'],
    });
  });

  it('has no source in an import without one', () => {
    expect(reached('issues', { unlistedOnSource: null })).toMatchObject({ source: null, target: 'contents' });
  });

  it('compares no fields of an archive whose records cannot be read, but settings', () => {
    expect(reached('issues', { hasRecords: false })?.target).toBe('counts');
    expect(reached('project_members', { hasRecords: false })?.target).toBe('none');
    expect(reached('project', { hasRecords: false })).toMatchObject({ target: 'contents', fields: [] });
  });
});
