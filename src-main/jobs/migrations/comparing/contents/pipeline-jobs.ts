/** @file The jobs of pipelines: stage, name and status of each. Pure. */
import { countNames, listOf, type ComparedField, type Fields } from './field-readers.ts';
import { namesIn, normalizers } from './field-values.ts';

/** Statuses of a pipeline or job that has ended. An import cancels all others. */
const endedStatuses: readonly string[] = ['success', 'failed', 'canceled', 'skipped'];
export const hasEnded = (status: string): boolean => endedStatuses.includes(status);
export const statusAfterImport = (status: string): string => (hasEnded(status) ? status : 'canceled');

const jobText = (stage: unknown, { name, status }: Fields): string =>
  `${String(stage)}: ${String(name)}, ${String(status)}`;

/** Older archives have jobs and other statuses of commits in one list. */
const jobsOf = ({ builds, statuses }: Fields): Fields[] => [
  ...(listOf(builds) ?? []),
  ...(listOf(statuses) ?? []).filter(({ type }) => type === 'Ci::Build'),
];

export const pipelineJobs: ComparedField = {
  kind: 'names',
  archived: ({ stages }) => {
    const all = listOf(stages)?.flatMap((stage) =>
      jobsOf(stage).map((job) => ({ stage: stage['name'], job })),
    );
    // GitLab shows only the last attempt of a job.
    const latest = all?.filter(({ job }) => job['retried'] !== true);
    return latest && countNames(latest.map(({ stage, job }) => jobText(stage, job)));
  },
  listed: ({ jobs }) => {
    const all = listOf(jobs);
    return all && countNames(all.map((job) => jobText(job['stage'], job)));
  },
  afterImport: (value) => {
    const names = namesIn(value).map((name) =>
      name.replace(/(?<=, )\w+(?=$| \(\d+\)$)/, (status) => statusAfterImport(status)),
    );
    return normalizers.names(names) ?? value;
  },
  isReadSingly: true,
};
