/** @file The jobs of pipelines: stage, name and status of each. Pure. */
import { countNames, listOf, type ComparedField, type Fields } from './field-readers.ts';
import { namesIn, normalizers, type ValueKind } from './field-values.ts';

/** Statuses of a pipeline or job that has ended. An import cancels all others. */
const endedStatuses: readonly string[] = ['success', 'failed', 'canceled', 'skipped'];
export const hasEnded = (status: string): boolean => endedStatuses.includes(status);
export const statusAfterImport = (status: string): string => (hasEnded(status) ? status : 'canceled');

const textsOf = (jobs: Job[] | undefined): string[] | undefined =>
  jobs && countNames(jobs.map(({ stage, job }) => jobText(stage, job)));

const jobText = (stage: unknown, { name, status }: Fields): string =>
  `${jobKey({ stage, name })}, ${String(status)}`;

/** Older archives have jobs and other statuses of commits in one list. */
const jobsOf = ({ builds, statuses }: Fields): Fields[] => [
  ...(listOf(builds) ?? []),
  ...(listOf(statuses) ?? []).filter(({ type }) => type === 'Ci::Build'),
];

interface Job {
  stage: unknown;
  job: Fields;
}

/** GitLab shows only the last attempt of a job. */
const latestJobs = ({ stages }: Fields): Job[] | undefined =>
  listOf(stages)
    ?.flatMap((stage) => jobsOf(stage).map((job) => ({ stage: stage['name'], job })))
    .filter(({ job }) => job['retried'] !== true);

const listedJobs = ({ jobs }: Fields): Job[] | undefined =>
  listOf(jobs)?.map((job) => ({ stage: job['stage'], job }));

export const pipelineJobs: ComparedField = {
  kind: 'names',
  archived: (pipeline) => textsOf(latestJobs(pipeline)),
  listed: (pipeline) => textsOf(listedJobs(pipeline)),
  afterImport: (value) => {
    const names = namesIn(value).map((name) =>
      name.replace(/(?<=, )\w+(?=$| \(\d+\)$)/, (status) => statusAfterImport(status)),
    );
    return normalizers.names(names) ?? value;
  },
  isReadSingly: true,
};

/** The values of a column of all jobs. Jobs without a value, and switches that are off, are left out. */
function jobColumn(
  kind: ValueKind,
  name: string,
  isShown: (job: Fields) => boolean = () => true,
): ComparedField {
  const read = (jobs: Job[] | undefined): string[] | undefined => {
    const values = jobs?.map(({ stage, job }) => {
      const value = isShown(job) ? job[name] : null;
      const key = jobKey({ ...job, stage });
      return { key, value: value === undefined ? undefined : normalizers[kind](value) };
    });
    // Older archives and versions do not have some columns.
    if (values?.some(({ value }) => value === undefined) !== false) return undefined;
    return values
      .filter(({ value }) => value !== '' && value !== 'false')
      .map(({ key, value }) => `${key}, ${value ?? ''}`);
  };
  return {
    kind: 'names',
    archived: (pipeline) => read(latestJobs(pipeline)),
    listed: (pipeline) => read(listedJobs(pipeline)),
    isReadSingly: true,
    entriesOf: 'jobs',
  };
}

export const jobColumns: Readonly<Record<string, ComparedField>> = {
  job_ref: jobColumn('text', 'ref'),
  job_tag: jobColumn('flag', 'tag'),
  job_allow_failure: jobColumn('flag', 'allow_failure'),
  job_coverage: jobColumn('number', 'coverage'),
  job_started_at: jobColumn('time', 'started_at'),
  job_finished_at: jobColumn('time', 'finished_at'),
  // GitLab shows the reason of a failed job only, and the column is absent otherwise.
  job_failure_reason: jobColumn('text', 'failure_reason', ({ status }) => status === 'failed'),
  job_erased_at: { ...jobColumn('time', 'erased_at'), changesSilently: true },
  job_artifacts_expire_at: { ...jobColumn('time', 'artifacts_expire_at'), changesSilently: true },
};

/** Returns the entries that have the users of jobs: in an archive in each stage, in a list of jobs in one list. */
export const jobEntries = (pipeline: Fields): Fields[] =>
  (latestJobs(pipeline) ?? listedJobs(pipeline) ?? []).map(({ stage, job }) => ({ ...job, stage }));
export const jobKey = ({ stage, name }: Fields): string => `${String(stage)}: ${String(name)}`;
