/** @file Pipelines of sources that no export contains, so that an archive without them has lost nothing. Pure. */
import type { ListedRecord } from './naming-losses.ts';

/** Separates the pipelines that an export contains from the other ones. */
export function exportedPipelines<T extends ListedRecord>(
  listed: readonly T[] | null,
): { exported: T[] | null; unexportedSources: string[] } {
  return {
    exported: listed && listed.filter(({ unexportedSource: source }) => source === undefined),
    unexportedSources: (listed ?? []).flatMap(({ unexportedSource: source }) => source ?? []),
  };
}

/** @param sources one for each pipeline. */
export function describeUnexportedPipelines(sources: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const source of sources) counts.set(source, (counts.get(source) ?? 0) + 1);
  const named = [...counts].map(([source, count]) => `${source} (${count})`).sort();
  return named.length === 0 ? [] : [`GitLab exports no pipelines of these sources: ${named.join(', ')}.`];
}
