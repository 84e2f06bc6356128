/**
 * @file Calls about jobs: lists, details, history, cancel, repeat.
 */
import { AppError } from '../../../src-contract/errors.ts';
import { changeInputSchema } from '../../../src-contract/projects/change-schema.ts';
import { hasEnded, type StoredJob } from '../../../src-contract/runs/job.ts';
import { importInputSchema } from '../../../src-contract/runs/job-schema.ts';
import { tokenInputSchema } from '../../../src-contract/tokens/token-schema.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

type JobCalls = Extract<keyof Handlers, `job.${string}`>;

/** Throws `invalid-input` for a job that must not simply be repeated. */
function refuseToRepeat(job: StoredJob): void {
  const why = !hasEnded(job.state)
    ? 'has not ended'
    : job.state.status === 'succeeded'
      ? 'has succeeded'
      : null;
  if (why !== null)
    throw new AppError('invalid-input', `The job ${job.id} ${why}.`, { details: { wrong: 'state' } });
  // The project confirmed then may be another one now.
  if (job.kind === 'import' && importInputSchema.parse(job.input).overwrite) {
    throw new AppError(
      'invalid-input',
      'This import replaces a project; start it again, so that you confirm what it destroys.',
      { details: { wrong: 'state' } },
    );
  }
  const token = job.kind === 'token' ? tokenInputSchema.parse(job.input).action : null;
  if (token === 'revoke') {
    throw new AppError('invalid-input', 'Ask for the revocation again, so that it is confirmed.', {
      details: { wrong: 'state' },
    });
  }
  if (token === 'hand-over') {
    throw new AppError('invalid-input', 'Ask for the rotation again, so that it is confirmed.', {
      details: { wrong: 'state' },
    });
  }
  if (job.kind === 'change' && changeInputSchema.parse(job.input).change.kind === 'delete') {
    throw new AppError('invalid-input', 'Ask for the deletion again, so that it is confirmed.', {
      details: { wrong: 'state' },
    });
  }
}

export function jobHandlers(services: Services): Pick<Handlers, JobCalls> {
  return {
    'job.list': (request) => {
      const jobs = services.jobs.list({ ...request, limit: request.limit + 1 });
      const page = jobs.slice(0, request.limit);
      return {
        jobs: page,
        next: jobs.length > page.length ? (page.at(-1)?.id ?? null) : null,
      };
    },
    'job.show': ({ job }) => services.jobs.get(job),
    'job.log': ({ job, afterId, limit }) => ({
      events: services.jobs.events(services.jobs.get(job).id, afterId, limit),
    }),
    'job.steps': ({ job }) => ({ steps: services.jobs.steps(services.jobs.get(job)) }),
    'job.retry': ({ job: reference }) => {
      const job = services.jobs.get(reference);
      refuseToRepeat(job);
      services.instances.known(job.instance);
      const { instance, project, input, kind } = job;
      const request = { retryOf: job.id };
      const again = services.jobs.enqueueOne(kind, request, { instance, project, input });
      return { runId: again.runId, jobId: again.job.id };
    },
    'job.cancel': ({ job: reference, by }) => {
      const job = services.jobs.get(reference);
      const refusal = refusalToCancel(job);
      if (refusal !== null) throw refusal;
      return services.jobs.cancel(job.id, by);
    },
  };
}

/** `job-busy` for a job that must not be stopped now, else null: to stop a rotation loses the new token. */
export function refusalToCancel(job: StoredJob): AppError | null {
  const isRotation = job.kind === 'token' && tokenInputSchema.parse(job.input).action !== 'revoke';
  if (!isRotation || job.step !== 'send' || job.attempt === 0 || hasEnded(job.state)) return null;
  return new AppError('job-busy', 'GitLab was asked already; cancelling now would lose the new token.', {
    details: { jobId: job.id, project: job.project },
  });
}
