/**
 * @file Predicts how many requests the comparisons of a migration take, from the numbers of records on the source. Not
 * included: reactions to notes and notes on commits, and on the target approvals, reactions and the LFS objects after the
 * first hundred, because no list shows how many there are. Pure.
 */
import type { ComparisonForecast } from '../../../../src-contract/migrations/migration.ts';
import type { ChosenDepth } from '../../../../src-contract/transfers/import.ts';
import type { ComparedNumbers } from './facts.ts';

/** Records on one page of a list. */
const perPage = 100;
const pagesOf = (records: number): number => Math.max(1, Math.ceil(records / perPage));

/** Lists that are short in most projects, and requests for the project, the account and the wiki. */
const shortLists = { counts: 9, keys: 12, contents: 12 } as const satisfies Record<ChosenDepth, number>;

/** The question to the target for up to a hundred LFS objects. Projects without them need none. */
const lfsQuestions = 1;

/** The maximum numbers of records that a comparison reads one by one on each side. */
export interface ReadLimits {
  records: number;
  pipelines: number;
}

interface Requests {
  source: number;
  target: number;
}

/** Returns the requests for one project. Numbers that are not known count as zero, so the result is then too small. */
export function comparisonRequests(
  depth: ChosenDepth,
  numbers: ComparedNumbers,
  limits: ReadLimits,
): Requests {
  const known = (count: number | null): number => count ?? 0;
  const { issues, mergeRequests, pipelines, branches, tags, snippets, uploads } = numbers;
  const [issueCount, mergeRequestCount] = [known(issues.total), known(mergeRequests.total)];
  const notedPages = pagesOf(issueCount) + pagesOf(mergeRequestCount);
  const others = [pipelines, branches, tags, snippets].map(known);
  if (depth === 'counts') {
    // The first and the last page of each list.
    const ends = others.reduce((sum, count) => sum + Math.min(2, pagesOf(count)), 0);
    return { source: 1, target: notedPages + ends + pagesOf(known(uploads)) + shortLists.counts };
  }
  const lists =
    notedPages +
    [...others, known(uploads)].reduce((sum, count) => sum + pagesOf(count), 0) +
    shortLists[depth];
  if (depth === 'keys') return { source: lists, target: lists + lfsQuestions };
  const limited = (count: number | null): number => Math.min(limits.records, known(count));
  const [issuesRead, mergeRequestsRead, snippetsRead] = [
    limited(issues.total),
    limited(mergeRequests.total),
    limited(snippets),
  ];
  const histories = [issues, mergeRequests].reduce(
    (sum, { total, historiesPerRecord }) => sum + Math.round(limited(total) * historiesPerRecord),
    0,
  );
  const onBothSides =
    limited(issueCount + mergeRequestCount + known(snippets)) +
    snippetsRead +
    Math.min(limits.pipelines, known(pipelines)) +
    // The changes of a merge request take two requests.
    2 * mergeRequestsRead +
    known(uploads);
  return {
    // Three histories and the reactions of each record, and the approvals of merge requests.
    source: lists + onBothSides + 4 * issuesRead + 5 * mergeRequestsRead + snippetsRead,
    target: lists + lfsQuestions + onBothSides + histories,
  };
}

const isIncomplete = (numbers: ComparedNumbers): boolean =>
  [numbers.issues.total, numbers.mergeRequests.total].includes(null) ||
  [numbers.pipelines, numbers.branches, numbers.tags, numbers.snippets, numbers.uploads].includes(null);

/**
 * @param projects the numbers of each project; null if its lists could not be read. @param msPerRequest as measured;
 * null if it was not. Comparisons send one request after another.
 */
export function comparisonForecast(
  depth: ChosenDepth,
  projects: readonly (ComparedNumbers | null)[],
  limits: ReadLimits,
  msPerRequest: Record<keyof Requests, number | null>,
): ComparisonForecast {
  const known = projects.filter((numbers) => numbers !== null);
  const total: Requests = { source: 0, target: 0 };
  for (const numbers of known) {
    const requests = comparisonRequests(depth, numbers, limits);
    total.source += requests.source;
    total.target += requests.target;
  }
  const { source, target } = msPerRequest;
  return {
    depth,
    requests: known.length === 0 ? null : total.source + total.target,
    isAtLeast: known.length < projects.length || known.some(isIncomplete),
    ms: source === null || target === null ? null : Math.round(total.source * source + total.target * target),
  };
}
