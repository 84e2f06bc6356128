/** @file The order of the projects in a run. Namespaces alternate if the server counts downloads by namespace. */
import type { Pace } from '../../../src-contract/instances/instance.ts';
import { namespaceOf } from '../running/rate-limiter.ts';

/** Returns the same drafts, each namespace in its original order. Namespaces with more projects come first. */
export function interleaveNamespaces<Draft extends { project: string }>(
  drafts: readonly Draft[],
  pace: Pick<Pace, 'downloadsPerMinute' | 'downloadScope'>,
): Draft[] {
  if (pace.downloadsPerMinute === 0 || pace.downloadScope !== 'namespace') return [...drafts];
  const byNamespace = Map.groupBy(drafts, ({ project }) => namespaceOf(project));
  const largestFirst = [...byNamespace.values()].toSorted((a, b) => b.length - a.length);
  const rounds = largestFirst[0]?.length ?? 0;
  return Array.from({ length: rounds }, (_, round) =>
    largestFirst.flatMap((group) => group[round] ?? []),
  ).flat();
}
