/** @file Starts runs of plans on request of a person. */
import type { CallReply, ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { PlanStatus, StoredPlan } from '../../../src-contract/plans/plan.ts';
import { recordFailedStart, startRun } from '../../jobs/plans/firing.ts';
import { dueNow } from '../../jobs/plans/plan-due.ts';
import type { AfterRunWork } from '../../jobs/plans/after-run.ts';
import type { Survey } from '../../jobs/plans/survey.ts';
import type { PlanRunsPort } from '../../jobs/ports.ts';
import type { RetryThroughOutage } from '../instances/retry-through-outage.ts';
import type { PreRunPrograms } from './before-run.ts';
import type { Plans } from './plans.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

export interface PlanRunDeps extends Pick<SharedDeps, 'announce' | 'clock' | 'jobs' | 'log' | 'runs'> {
  plans: Pick<Plans, 'get' | 'statusOf'>;
  runStore: PlanRunsPort;
  preRunPrograms: Pick<PreRunPrograms, 'begin' | 'cancel'>;
  afterRunWork: Pick<AfterRunWork, 'claim'>;
  retryThroughOutage: RetryThroughOutage;
  /** Returns the projects that a plan now selects. Fails if the instance allows no exports or does not respond. */
  survey: (plan: StoredPlan, signal: AbortSignal) => Promise<Survey>;
  onRunStarted: (planId: string, runId: string) => void;
}

export class PlanRuns extends Service<PlanRunDeps> {
  /**
   * Throws `plan-missing`, `job-busy` and the errors of the instance. With `keepsFailure`, records that the run could not
   * begin. `onWait` receives the same sentence that a job shows while it waits.
   */
  async run(
    { id, keepsFailure, waits }: ParsedRequest<'plan.run'>,
    signal: AbortSignal,
    onWait: (text: string) => void = () => undefined,
  ): Promise<CallReply<'plan.run'>> {
    const { plans, runs, retryThroughOutage } = this.deps;
    const { instance } = plans.get(id);
    // Another process may have started a run while the instance did not respond.
    const begin = async () => runs.openRunOfPlan(id) ?? (await this.#start(id, signal));
    try {
      return await (waits === true ? retryThroughOutage(instance, begin, { signal, onWait }) : begin());
    } catch (thrown) {
      const error = AppError.from(thrown);
      // A cancelled run, or a run that another run blocks, is not recorded as failed.
      if (keepsFailure && !signal.aborted && error.code !== 'job-busy') this.#recordFailure(id, error);
      throw error;
    }
  }

  /**
   * Requests the cancellation of the program before a run. Throws `plan-missing`, and `job-ended` if none is in
   * progress.
   */
  cancelBeginning(id: string, by: string): PlanStatus {
    const { plans, preRunPrograms } = this.deps;
    const plan = plans.get(id);
    preRunPrograms.cancel(plan.id, by);
    return plans.statusOf(plan);
  }

  /** Records that a requested run could not begin, unless one is in progress. Throws `plan-missing`. */
  recordStartFailure(planId: string, error: AppError): void {
    const { plans, runs } = this.deps;
    if (runs.openRunOfPlan(plans.get(planId).id) === null) this.#recordFailure(planId, error);
  }

  async #start(id: string, signal: AbortSignal): Promise<{ runId: string; jobs: number }> {
    const { plans, runs, runStore, preRunPrograms, afterRunWork, clock, survey, onRunStarted } = this.deps;
    const choice = await survey(plans.get(id), signal);
    signal.throwIfAborted();
    const current = plans.get(id);
    const upcoming = {
      dueAt: dueNow(current, runStore, clock.now()) ?? clock.now(),
      projects: choice.chosen.length,
    };
    const preparation = await preRunPrograms.begin(current, upcoming, signal);
    const now = clock.now();
    const plan = plans.get(id);
    // The run also covers a due time that passed meanwhile. Otherwise, both hook programs get the same due time.
    const dueAt = dueNow(plan, runStore, now) ?? upcoming.dueAt;
    const run = startRun(runStore, plan, choice, dueAt, now, preparation, { manual: true });
    if (run === null) {
      const other = runs.openRunOfPlan(id);
      if (other !== null) return other;
      throw new AppError('job-busy', 'This plan has just run.', { retry: 'later' });
    }
    onRunStarted(id, run.runId);
    afterRunWork.claim(run.runId);
    return { runId: run.runId, jobs: run.jobs.length };
  }

  /**
   * Records a failed start. If the plan is due, the scheduler tries again and shows the reason meanwhile; otherwise a
   * failed run is stored.
   */
  #recordFailure(id: string, error: AppError): void {
    const { plans, jobs, runStore, clock, log, announce } = this.deps;
    let plan: StoredPlan;
    try {
      plan = plans.get(id);
    } catch (thrown) {
      // The plan was removed meanwhile.
      if (AppError.from(thrown).code === 'plan-missing') return;
      throw thrown;
    }
    const now = clock.now();
    log.warn({ plan: id, code: error.code }, 'a requested run of a plan could not begin');
    if (dueNow(plan, runStore, now) !== null) runStore.recordFailure(id, error.toData(), now);
    else recordFailedStart(runStore, plan, error.toData(), now, jobs.newId(now));
    announce('plan.changed', { planId: id });
  }
}
