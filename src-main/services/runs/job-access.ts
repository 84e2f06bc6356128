/** @file The persisted jobs and whoever runs them as one thing, for the bridge. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Pace } from '../../../src-contract/instance.ts';
import { hasEnded, type StoredJob } from '../../../src-contract/job.ts';
import type { JobsPort } from '../../bridge/runs/run-ports.ts';
import type { JobAttention } from '../../catalogue/jobs/job-attention.ts';
import type { JobSearch } from '../../catalogue/jobs/job-search.ts';
import type { JobStore } from '../../catalogue/jobs/jobs.ts';
import type { RunStore } from '../../catalogue/jobs/runs.ts';
import { stepsOf } from '../../jobs/running/progress-of-steps.ts';
import type { JobRunner } from '../../jobs/running/runner.ts';
import { spread } from '../../jobs/exporting/spread.ts';
import type { JobDefinition } from '../../jobs/running/step.ts';
import type { Clock } from '../../platform/clock.ts';
import { upperFirst } from '../../../src-contract/words/first-letter.ts';

export interface JobAccessParts {
  definitions: readonly JobDefinition[];
  jobs: JobStore;
  search: JobSearch;
  runs: RunStore;
  attention: JobAttention;
  runner: JobRunner;
  clock: Clock;
  /** Ids of imports of which all that is lost was accepted by itself. */
  acceptedImports(): string[];
  /** Throws `instance-unknown`. */
  paceOf(instance: string): Pace;
}

/** Name of the step with which jobs of a kind begin. */
export function firstStepOf(definitions: readonly JobDefinition[], kind: string): string {
  const firstStep = definitions.find((definition) => definition.kind === kind)?.steps[0]?.name;
  if (firstStep === undefined) throw new AppError('internal', `There is no job kind "${kind}".`);
  return firstStep;
}

export function createJobAccess(parts: JobAccessParts): JobsPort {
  const { definitions, jobs, search, runs, attention, runner, clock } = parts;
  const withProgress = (job: StoredJob): StoredJob => ({ ...job, progress: runner.progressOf(job.id) });
  return {
    enqueue({ kind, request, jobs: given, notes }) {
      const interrupted = runs.unfinished(kind, request);
      if (interrupted !== null) {
        runner.wake();
        return { ...interrupted, refused: [], resumed: true };
      }
      const [first] = given;
      const drafts =
        kind === 'export' && first !== undefined ? spread(given, parts.paceOf(first.instance)) : given;
      const at = clock.now();
      const runId = jobs.newId(at);
      const firstStep = firstStepOf(definitions, kind);
      const enqueued = runs.enqueueAll(
        { id: runId, kind, request, at, notes },
        drafts.map((draft) => ({ ...draft, id: jobs.newId(at), kind, firstStep })),
      );
      runner.wake();
      return {
        runId,
        jobs: enqueued.flatMap((one) => ('job' in one ? [one.job] : [])),
        refused: enqueued.flatMap((one, at) =>
          'refused' in one ? [{ project: drafts[at]?.project ?? '', error: one.refused }] : [],
        ),
        resumed: false,
      };
    },
    list: (filter) => search.find(filter).map(withProgress),
    get(reference) {
      const job = jobs.get(search.resolveId(reference));
      if (job === null) throw new AppError('job-missing', `There is no job ${reference}.`);
      return withProgress(job);
    },
    events: (jobId, afterId, limit) => jobs.events({ jobId, afterId, limit }),
    steps(job) {
      const definition = definitions.find(({ kind }) => kind === job.kind);
      const names = (definition?.steps ?? []).map(({ name }) => name);
      return stepsOf(job, names, jobs.steps(job.id));
    },
    cancel: (jobId, by) => runner.cancel(jobId, by),
    openOfRun(reference) {
      const runId = search.resolveRun(reference);
      return { runId, jobs: jobs.ofRun(runId).filter(({ state }) => !hasEnded(state)) };
    },
    cancelAll: (jobIds, by) => runner.cancelAll(jobIds, by),
    notArrived(jobId, by) {
      const message = `${upperFirst(by)} reported that its request did not arrive.`;
      jobs.forgetMemos(jobId, 'send', { type: 'note', message }, clock.now());
    },
    open: (instance) => attention.open(instance),
    failed: (filter) => attention.failed(filter),
    failedAlike: (filter, likeness) => attention.failedAlike(filter, likeness),
    warned: (filter) => attention.warned(filter, parts.acceptedImports()),
    hasRead: (archivePath) => search.hasRead(archivePath),
    runHere: () => runner.runsJobs,
    trouble: () => runner.trouble,
  };
}
