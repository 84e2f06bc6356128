/** @file Parts of records that GitLab's replies show and no export contains (gitlab-facts 7). Pure. */
import { listOf, type Fields } from '../contents/field-readers.ts';
import type { ListedRecord } from './naming-losses.ts';

export const closingMergeRequests = 'merge requests that close issues';
export const releaseEvidence = 'evidence of releases';
export const jobTags = 'tags of jobs';

const isShownBy: Readonly<Record<string, Readonly<Record<string, (row: Fields) => boolean>>>> = {
  issues: {
    [closingMergeRequests]: ({ merge_requests_count: count }) => typeof count === 'number' && count > 0,
  },
  releases: { [releaseEvidence]: ({ evidences }) => (listOf(evidences) ?? []).length > 0 },
  ci_pipelines: {
    [jobTags]: ({ jobs }) =>
      (listOf(jobs) ?? []).some(({ tag_list: tags }) => Array.isArray(tags) && tags.length > 0),
  },
};

/** Returns the names of the parts that a reply about a record shows. */
export const shownUnexportedParts = (relation: string, row: Fields): string[] =>
  Object.entries(isShownBy[relation] ?? {}).flatMap(([name, isShown]) => (isShown(row) ? [name] : []));

/** @param listed the records of the source. */
export function describeUnexportedParts(
  listed: Readonly<Record<string, readonly Pick<ListedRecord, 'unexportedParts'>[] | null>>,
): string[] {
  const counts = new Map<string, number>();
  for (const relation of Object.keys(isShownBy))
    for (const { unexportedParts: parts = [] } of listed[relation] ?? [])
      for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  const named = [...counts].map(([part, count]) => `${part} (${count})`);
  return named.length === 0
    ? []
    : [
        `No export contains these parts of the source (number of records, of those that were read): ${named.join(', ')}.`,
      ];
}
