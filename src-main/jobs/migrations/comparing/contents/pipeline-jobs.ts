/** @file The jobs of pipelines, trigger jobs, and statuses that other systems reported. Pure. */
import { listOf, type ComparedField, type Fields } from './field-readers.ts';
import { firstPart, joinParts, lastPart, namesIn, normalizers, type ValueKind } from './field-values.ts';

/** Statuses of a pipeline or job that has ended. An import cancels all others. */
const endedStatuses: readonly string[] = ['success', 'failed', 'canceled', 'skipped'];
export const hasEnded = (status: string): boolean => endedStatuses.includes(status);
export const statusAfterImport = (status: string): string => (hasEnded(status) ? status : 'canceled');

/** Trigger jobs, and statuses that other systems reported, have a word after the name. */
const otherKinds: Readonly<Record<string, string>> = {
  bridge: ' [triggers a pipeline]',
  external: ' [external status]',
};
/** Returns whether the comparable form of the jobs has trigger jobs or external statuses. */
export const hasOtherJobs = (value: string): boolean =>
  namesIn(value).some((name) => Object.values(otherKinds).some((word) => firstPart(name).endsWith(word)));

/** A job of an archive or a list, with its stage and its kind. */
type Job = Fields;

const jobText = (job: Job): string => joinParts(jobKey(job), String(job['status']));

const kindsOfLists = { builds: 'build', bridges: 'bridge', generic_commit_statuses: 'external' };
const kindsOfTypes: Readonly<Record<string, string>> = {
  ...{ 'Ci::Build': 'build', 'Ci::Bridge': 'bridge', GenericCommitStatus: 'external' },
};

/** Older archives have jobs and other statuses of commits in one list. */
const jobsOf = (stage: Fields): Job[] => [
  ...Object.entries(kindsOfLists).flatMap(([name, kind]) =>
    (listOf(stage[name]) ?? []).map((job) => ({ ...job, kind })),
  ),
  ...(listOf(stage['statuses']) ?? []).flatMap((job) => {
    const kind = kindsOfTypes[String(job['type'])];
    return kind === undefined ? [] : [{ ...job, kind }];
  }),
];

/**
 * GitLab shows earlier attempts of jobs, but not of trigger jobs and external statuses, and no stage of an external
 * status.
 */
const archivedJobs = ({ stages }: Fields): Job[] | undefined =>
  listOf(stages)
    ?.flatMap((stage) =>
      jobsOf(stage).map((job): Job => ({
        ...job,
        stage: job['kind'] === 'external' ? 'external' : stage['name'],
      })),
    )
    .filter(({ retried, kind }) => kind === 'build' || retried !== true);

const listedJobs = ({ jobs }: Fields): Job[] | undefined => listOf(jobs);

const textsOf = (jobs: Job[] | undefined): string[] | undefined => jobs?.map(jobText);

export const pipelineJobs: ComparedField = {
  kind: 'entries',
  archived: (pipeline) => textsOf(archivedJobs(pipeline)),
  listed: (pipeline) => textsOf(listedJobs(pipeline)),
  afterImport: (value) => {
    if (value === '') return value;
    const names = namesIn(value).map((name) => joinParts(firstPart(name), statusAfterImport(lastPart(name))));
    return normalizers.entries(names) ?? value;
  },
  isReadSingly: true,
  hiddenEntries: 'retried_jobs',
};

/** The earlier attempts of jobs. GitLab shows them among the jobs, without saying that they are earlier ones. */
export const retriedJobs: ComparedField = {
  kind: 'entries',
  archived: (pipeline) => textsOf(archivedJobs(pipeline)?.filter(({ retried }) => retried === true)),
  listed: ({ jobs, shows_retried_jobs: areShown = true }) =>
    jobs === undefined || areShown !== true ? undefined : [],
  isReadSingly: true,
  isNeverCompared: true,
};

/**
 * The values of a column of all jobs. Jobs without a value, switches that are off, and columns that GitLab does not
 * show of this kind of job are left out.
 */
function jobColumn(
  kind: ValueKind,
  name: string,
  isShown: (job: Job) => boolean = () => true,
): ComparedField {
  const read = (jobs: Job[] | undefined): string[] | undefined => {
    const values = jobs?.map((job) => {
      const value = isShown(job) ? job[name] : null;
      return { key: jobKey(job), value: value === undefined ? undefined : normalizers[kind](value) };
    });
    // Older archives and versions do not have some columns.
    if (values?.some(({ value }) => value === undefined) !== false) return undefined;
    return values
      .filter(({ value }) => value !== '' && value !== 'false')
      .map(({ key, value }) => joinParts(key, value ?? ''));
  };
  return {
    kind: 'entries',
    archived: (pipeline) => read(archivedJobs(pipeline)),
    listed: (pipeline) => read(listedJobs(pipeline)),
    isReadSingly: true,
    entriesOf: 'jobs',
  };
}

const isExternal = ({ kind }: Job): boolean => kind === 'external';
const isInternal = ({ kind }: Job): boolean => kind !== 'external';

export const jobColumns: Readonly<Record<string, ComparedField>> = {
  job_ref: jobColumn('text', 'ref'),
  job_tag: jobColumn('flag', 'tag', isInternal),
  job_allow_failure: jobColumn('flag', 'allow_failure'),
  job_coverage: jobColumn('number', 'coverage'),
  job_created_at: jobColumn('time', 'created_at'),
  job_started_at: jobColumn('time', 'started_at'),
  job_finished_at: jobColumn('time', 'finished_at'),
  // GitLab shows the reason of a failed job only.
  job_failure_reason: jobColumn(
    'text',
    'failure_reason',
    (job) => isInternal(job) && job['status'] === 'failed',
  ),
  job_description: jobColumn('text', 'description', isExternal),
  job_target_url: jobColumn('text', 'target_url', isExternal),
  job_erased_at: { ...jobColumn('time', 'erased_at', isInternal), changesSilently: true },
  job_artifacts_expire_at: {
    ...jobColumn('time', 'artifacts_expire_at', ({ kind }) => kind === 'build'),
    changesSilently: true,
  },
};

/** Returns the entries that have the users of jobs: in an archive in each stage, in a list of jobs in one list. */
export const jobEntries = (pipeline: Fields): Fields[] =>
  archivedJobs(pipeline) ?? listedJobs(pipeline) ?? [];
export const jobKey = ({ stage, name, kind }: Fields): string =>
  `${String(stage)}: ${String(name)}${otherKinds[String(kind)] ?? ''}`;
