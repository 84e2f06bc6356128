/**
 * @file In which order the projects of a run are taken, so that no limit is waited for while another is free: where a server
 * counts downloads by namespace, the namespaces take turns.
 */
import type { Pace } from '../../../src-contract/instance.ts';
import { namespaceOf } from '../running/rate-limiter.ts';

/** The same drafts; of each namespace in the order that they had. Namespaces with more projects have their turn first. */
export function spread<Draft extends { project: string }>(
  drafts: readonly Draft[],
  pace: Pick<Pace, 'downloadsPerMinute' | 'downloadScope'>,
): Draft[] {
  if (pace.downloadsPerMinute === 0 || pace.downloadScope !== 'namespace') return [...drafts];
  const byNamespace = Map.groupBy(drafts, ({ project }) => namespaceOf(project));
  const largestFirst = [...byNamespace.values()].toSorted((one, other) => other.length - one.length);
  const turns = largestFirst[0]?.length ?? 0;
  return Array.from({ length: turns }, (_, turn) => largestFirst.flatMap((of) => of[turn] ?? [])).flat();
}
