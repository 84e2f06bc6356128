/**
 * @file Starts the rotations of tokens that are due. Earlier attempts are read from the jobs; nothing else is stored.
 */
import type { JobService } from '../runs/job-service.ts';
import { slotToRotate } from '../../jobs/tokens/rotations-due.ts';
import type { SharedDeps } from '../shared-deps.ts';

/** @returns a function to call at every poll of the scheduler. */
export function createAutoRotation(
  deps: Pick<SharedDeps, 'clock' | 'jobs' | 'log' | 'jobSearch' | 'settings'> & {
    jobService: JobService;
  },
): () => void {
  const { settings, jobs, jobSearch, clock, log } = deps;
  return () => {
    for (const instance of settings.read().instances) {
      const { name } = instance;
      if (instance.rotateDaysBefore === null) continue;
      if (jobs.openJobs().some((job) => job.kind === 'token' && job.instance === name)) continue;
      const slot = slotToRotate(instance, clock.now(), (candidate) => {
        const [last] = jobSearch.find({ instance: name, project: `token ${candidate}`, limit: 1 });
        return last?.createdAt ?? null;
      });
      if (slot === null) continue;
      const input = { action: 'rotate', slot, expiresOn: null };
      log.info({ instance: name, slot }, 'a token that expires soon is replaced');
      deps.jobService.enqueue({
        kind: 'token',
        request: { instance: name, ...input, byItself: true },
        jobs: [{ instance: name, project: `token ${slot}`, input }],
      });
    }
  };
}
