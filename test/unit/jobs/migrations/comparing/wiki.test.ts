import { expect, it } from 'vitest';
import { verdictOf } from '../../../../../src-main/jobs/importing/reconcile.ts';
import {
  describeUncomparedPages,
  differingPages,
  wikiAmount,
  type WikiPage,
} from '../../../../../src-main/jobs/migrations/comparing/wiki.ts';

const bundle = (member: string, branches: number) => ({ member, branches }) as never;
const withWiki = [bundle('project.bundle', 2), bundle('project.wiki.bundle', 1)];
const without = [bundle('project.bundle', 2)];

it.each([
  ['on all sides is equal, however many pages it has', withWiki, 12, 40_000, 'equal'],
  ['that the archive lacks was lost on export', without, 1, 0, 'lost-on-export'],
  ['whose bundle is empty was lost on export', [bundle('project.wiki.bundle', 0)], 1, 0, 'lost-on-export'],
  ['that the target lacks was lost on import', withWiki, 1, 0, 'lost-on-import'],
  ['that the target does not report is unknown', withWiki, 1, null, 'unknown'],
  ['that exists on no side is equal', without, 0, 0, 'equal'],
])('a wiki %s', (_rule, bundles, source, target, verdict) => {
  const amount = wikiAmount({ bundles }, source, target);
  expect(verdictOf(amount.source, amount.archive, amount.target)).toBe(verdict);
});

it('a wiki that the archive lacks may be newer if the source may have changed', () => {
  expect(wikiAmount({ bundles: without }, 1, 0, true).source).toBe(null);
  expect(wikiAmount({ bundles: withWiki }, 1, 0, true).source).toBe(1);
});

const page = (slug: string, sha256: string | null): WikiPage => ({ slug, sha256 });
const compare = (source: WikiPage[] | null, target: WikiPage[] | null, mayBeEdited = false) =>
  differingPages({ source, target, mayBeEdited, isArchived: true }).map(
    ({ record, lost, expected, found, isCertain }) => ({
      ...{ title: record.title, lost, expected, found, isCertain },
    }),
  );

it('a page that the target lacks, or has with another content, is lost', () => {
  const lost = { lost: 'on-import', isCertain: true };
  expect(compare([page('a', '1'), page('b', '2'), page('c', '3')], [page('a', '1'), page('b', 'x')])).toEqual(
    [
      { ...lost, title: 'b', expected: 'SHA-256 2', found: 'SHA-256 x' },
      { ...lost, title: 'c', expected: 'SHA-256 3', found: 'no content' },
    ],
  );
});

it('the export lost all pages that the target lacks if the archive has no wiki', () => {
  const sides = { source: [page('a', '1')], target: [], isArchived: false, mayBeEdited: false };
  expect(differingPages(sides)).toMatchObject([{ lost: 'on-export', found: 'no content' }]);
});

it('an additional page of the target is no loss', () => {
  expect(compare([page('a', '1')], [page('a', '1'), page('b', '2')])).toEqual([]);
});

it('a difference is no certain loss if somebody may have edited a page', () => {
  expect(compare([page('a', '1')], [], true)).toMatchObject([{ title: 'a', isCertain: false }]);
});

it('pages that one side does not show are not compared, which is declared if the archive has a wiki', () => {
  expect(compare(null, [page('a', '1')])).toEqual([]);
  expect(compare([page('a', '1')], null)).toEqual([]);
  expect(compare([page('a', '1')], [page('a', null)])).toEqual([]);
  expect(compare([page('a', null)], [page('a', '1')])).toEqual([]);
  const [read, unread] = [[page('a', '1')], [page('a', null)]];
  expect(describeUncomparedPages(true, { source: read, target: read })).toEqual([]);
  for (const sides of [
    { source: null, target: read },
    { source: read, target: null },
    { source: read, target: unread },
  ]) {
    expect(describeUncomparedPages(true, sides).join()).toMatch(/pages of the wiki were not compared/);
    expect(describeUncomparedPages(false, sides)).toEqual([]);
  }
});
