import { expect, it } from 'vitest';
import { verdictOf } from '../../../../../src-main/jobs/importing/reconcile.ts';
import { wikiAmount } from '../../../../../src-main/jobs/migrations/comparing/wiki.ts';

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
