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
  it('alternates between namespaces, beginning with the one that has most projects', () => {
    const input = ['a/1', 'a/2', 'b/1', 'b/2', 'b/3', 'c/d/1'].map((project) => ({ project }));
    expect(interleaveNamespaces(input, byNamespace).map(({ project }) => project)).toEqual([
      ...['b/1', 'a/1', 'c/d/1'],
      ...['b/2', 'a/2'],
      'b/3',
    ]);
  });

  it('contains every project once and keeps the order within a namespace', () => {
    fc.assert(
      fc.property(drafts, (input) => {
        const ordered = interleaveNamespaces(input, byNamespace);
        const inNamespace = (list: typeof input, namespace: string) =>
          list.filter(({ project }) => namespaceOf(project) === namespace);
        for (const namespace of ['a', 'a/b', 'c'])
          expect(inNamespace(ordered, namespace)).toEqual(inNamespace(input, namespace));
        expect(ordered).toHaveLength(input.length);
      }),
    );
  });

  it('does not change if downloads are limited by project or not at all', () => {
    fc.assert(
      fc.property(drafts, fc.constantFrom(presetPaces.gitlab, presetPaces.sandbox), (input, pace) => {
        expect(interleaveNamespaces(input, pace)).toEqual(input);
      }),
    );
  });
});
