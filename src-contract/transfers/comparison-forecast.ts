/**
 * @file Predicts how many requests comparisons take, from the numbers of records. Not included: reactions to notes and
 * notes on commits, and on the target approvals, reactions and the LFS objects after the first hundred, because nothing
 * shows how many there are. Pure.
 */
import { countInArchive, type Inspection } from '../archives/archive.ts';
import type { CountedRelation } from '../relations.ts';
import type { ChosenDepth, ComparisonForecast } from './import.ts';

/** Maximum number of records that a comparison reads one by one on each side, for notes and for changes alike. */
export const maxReadRecords = 2000;
/** Maximum number of pipelines whose jobs a comparison reads on each side. A project may have many more. */
export const maxReadPipelines = 500;

/** A list whose records have histories. */
export interface RecordList {
  total: number | null;
  /** The average number of histories of its records: of a changed state, of labels, and of a milestone. */
  historiesPerRecord: number;
}

/** The numbers of records that decide how many requests a comparison takes. Null if a number is not known. */
export interface ForecastNumbers {
  issues: RecordList;
  mergeRequests: RecordList;
  pipelines: number | null;
  branches: number | null;
  tags: number | null;
  snippets: number | null;
  uploads: number | null;
}

/** Records on one page of a list. */
const perPage = 100;
const pagesOf = (records: number): number => Math.max(1, Math.ceil(records / perPage));

/** Lists that are short in most projects, and requests for the project, the account and the wiki. */
const shortLists = { counts: 9, keys: 12, contents: 12 } as const satisfies Record<ChosenDepth, number>;

/** The question to the target for up to a hundred LFS objects. Projects without them need none. */
const lfsQuestions = 1;

interface Requests {
  source: number;
  target: number;
}

/** Returns the requests for one project. Numbers that are not known count as zero, so the result is then too small. */
export function comparisonRequests(depth: ChosenDepth, numbers: ForecastNumbers): Requests {
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
  const limited = (count: number | null): number => Math.min(maxReadRecords, known(count));
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
    Math.min(maxReadPipelines, known(pipelines)) +
    // The changes of a merge request take two requests.
    2 * mergeRequestsRead +
    known(uploads);
  return {
    // Three histories and the reactions of each record, and the approvals of merge requests.
    source: lists + onBothSides + 4 * issuesRead + 5 * mergeRequestsRead + snippetsRead,
    target: lists + lfsQuestions + onBothSides + histories,
  };
}

const isIncomplete = (numbers: ForecastNumbers): boolean =>
  [numbers.issues.total, numbers.mergeRequests.total].includes(null) ||
  [numbers.pipelines, numbers.branches, numbers.tags, numbers.snippets, numbers.uploads].includes(null);

/**
 * @param projects the numbers of each project; null if its lists could not be read. @param msPerRequest as measured;
 * null if it was not. Comparisons send one request after another.
 */
export function comparisonForecast(
  depth: ChosenDepth,
  projects: readonly (ForecastNumbers | null)[],
  msPerRequest: Record<keyof Requests, number | null>,
): ComparisonForecast {
  const known = projects.filter((numbers) => numbers !== null);
  const total: Requests = { source: 0, target: 0 };
  for (const numbers of known) {
    const requests = comparisonRequests(depth, numbers);
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

/**
 * Returns the expected requests to the target for the comparison of an imported archive. By contents there may always be
 * more: an inspection does not count the histories of records, the notes on commits and the requests for LFS objects.
 */
export function importForecast(
  depth: ChosenDepth,
  inspection: Pick<Inspection, 'bundles' | 'notes' | 'relations' | 'uploads'>,
): ComparisonForecast {
  const count = (relation: CountedRelation): number => countInArchive(inspection, relation);
  const list = (relation: CountedRelation): RecordList => ({ total: count(relation), historiesPerRecord: 0 });
  const [issues, mergeRequests] = [list('issues'), list('merge_requests')];
  const numbers: ForecastNumbers = {
    ...{ issues, mergeRequests, pipelines: count('ci_pipelines'), branches: count('branches') },
    ...{ tags: count('tags'), snippets: inspection.relations['snippets'] ?? 0, uploads: inspection.uploads },
  };
  return {
    depth,
    requests: comparisonRequests(depth, numbers).target,
    isAtLeast: depth === 'contents',
    ms: null,
  };
}
