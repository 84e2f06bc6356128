import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetPaces } from '../../../../src-contract/instances/instance.ts';
import { namespaceOf } from '../../../../src-main/jobs/running/rate-limiter.ts';
import { interleaveNamespaces } from '../../../../src-main/jobs/exporting/spread.ts';

const byNamespace = { ...presetPaces.gitlab, downloadScope: 'namespace' as const };
const drafts = fc.array(
  fc.record({ group: fc.constantFrom('a', 'a/b', 'c'), name: fc.nat() }).map(({ group, name }) => ({
    project: `${group}/p${name}`,
  })),
  { maxLength: 40 },
);

describe('the order of a run', () => {
  it('gives the namespaces their turns, the one with most projects first', () => {
    const given = ['a/1', 'a/2', 'b/1', 'b/2', 'b/3', 'c/d/1'].map((project) => ({ project }));
    expect(interleaveNamespaces(given, byNamespace).map(({ project }) => project)).toEqual([
      ...['b/1', 'a/1', 'c/d/1'],
      ...['b/2', 'a/2'],
      'b/3',
    ]);
  });

  it('loses and doubles none, and keeps the order within a namespace', () => {
    fc.assert(
      fc.property(drafts, (given) => {
        const ordered = interleaveNamespaces(given, byNamespace);
        const of = (list: typeof given, namespace: string) =>
          list.filter(({ project }) => namespaceOf(project) === namespace);
        for (const namespace of ['a', 'a/b', 'c'])
          expect(of(ordered, namespace)).toEqual(of(given, namespace));
        expect(ordered).toHaveLength(given.length);
      }),
    );
  });

  it('is left as it is where downloads are counted by project, or not at all', () => {
    fc.assert(
      fc.property(drafts, fc.constantFrom(presetPaces.gitlab, presetPaces.sandbox), (given, pace) => {
        expect(interleaveNamespaces(given, pace)).toEqual(given);
      }),
    );
  });
});
