/** @file Saves, removes and pauses plans for users, and skips their next run. */
import { isDeepStrictEqual } from 'node:util';
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import type { PlanStatus, StoredPlan } from '../../../src-contract/plans/plan.ts';
import type { PlanFailures } from '../../catalogue/plans/plan-failures.ts';
import { requirePlan, upsertPlan } from '../../jobs/plans/plans.ts';
import { nextFiring } from '../../jobs/plans/plan-due.ts';
import type { PlanRunsPort } from '../../jobs/ports.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Heartbeats } from './plan-hooks.ts';
import { withTimeZone, type Plans } from './plans.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

export interface PlanChangeDeps extends Pick<
  SharedDeps,
  'announce' | 'clock' | 'jobs' | 'log' | 'runs' | 'settings'
> {
  plans: Pick<Plans, 'get' | 'statusOf'>;
  failures: PlanFailures;
  runStore: PlanRunsPort;
  heartbeats: Heartbeats;
  /** Adds an archive folder. @returns the path of the root. Throws `invalid-input`, `disk-…`. */
  registerRoot: (path: string) => Promise<string>;
  wake: () => void;
}

export class PlanChanges extends Service<PlanChangeDeps> {
  /**
   * Saves a plan. Throws `instance-unknown`, `plan-missing`, `already-exists` if the name is taken, and `invalid-input`
   * if the schedule is never due.
   */
  async save(request: ParsedRequest<'plan.save'>): Promise<PlanStatus> {
    const { plans, settings, jobs, failures, runs, heartbeats, clock, wake, announce } = this.deps;
    const { heartbeat: requestedHeartbeat, ...given } = request;
    const at = clock.now();
    const newId = jobs.newId(at);
    const requested = { ...given, schedule: withTimeZone(request.schedule) };
    if (requestedHeartbeat) heartbeats.check(requestedHeartbeat.secretAddress);
    // All other fields are validated before a folder is marked or a secret is stored for the plan.
    upsertPlan(settings.read().plans, requested, at, newId);
    const archiveRoot = given.archiveRoot
      ? await this.deps.registerRoot(given.archiveRoot)
      : given.archiveRoot;
    // The secret is stored before the plan, so that every plan with a heartbeat can send it.
    const heartbeat = requestedHeartbeat
      ? await heartbeats.storeAddress(request.id ?? newId, requestedHeartbeat.secretAddress)
      : requestedHeartbeat;
    const draft = {
      ...requested,
      ...(heartbeat !== undefined && { heartbeat }),
      ...(archiveRoot !== undefined && { archiveRoot }),
    };
    let saved: StoredPlan | undefined;
    let earlier: StoredPlan | undefined;
    await settings.change((before) => {
      earlier = before.plans.find(({ id }) => id === request.id);
      if (!before.instances.some(({ name }) => name === request.instance)) {
        throw new AppError('instance-unknown', `There is no instance "${request.instance}".`, {
          details: { name: request.instance },
        });
      }
      const after = upsertPlan(before.plans, draft, at, newId);
      ({ savedPlan: saved } = after);
      return { ...before, plans: after.plans };
    });
    if (saved === undefined) throw new AppError('internal', 'No plan was saved.');
    if (requestedHeartbeat === null) await this.#forgetHeartbeat(saved.id);
    failures.forget(saved.id);
    // If a person removed a project from the plan, the next run must not report it as lost.
    const isSameScope =
      earlier?.instance === saved.instance && isDeepStrictEqual(earlier.selection, saved.selection);
    if (!isSameScope) runs.forgetPlan(saved.id);
    wake();
    announce('plan.changed', { planId: saved.id });
    return plans.statusOf(saved);
  }

  /** Removes a plan. Its runs continue. Throws `plan-missing`. */
  async remove(id: string): Promise<void> {
    const removed = this.deps.plans.get(id);
    await this.deps.settings.change((before) => {
      requirePlan(before.plans, id);
      return { ...before, plans: before.plans.filter((plan) => plan.id !== id) };
    });
    await this.forget([removed]);
  }

  /** Deletes the stored data of plans that were removed from the settings, except their runs. */
  async forget(removed: readonly Pick<StoredPlan, 'id' | 'heartbeat'>[]): Promise<void> {
    const { failures, runs, announce } = this.deps;
    for (const { id, heartbeat } of removed) {
      if (heartbeat !== null) await this.#forgetHeartbeat(id);
      failures.forget(id);
      runs.forgetPlan(id);
      announce('plan.changed', { planId: id });
    }
  }

  /**
   * Pauses the plan with this id, or with null all plans. Throws `plan-missing`, and `invalid-input` for a time that
   * has passed.
   */
  async pause(id: string | null, until: string | null): Promise<PlanStatus[]> {
    if (until !== null && Date.parse(until) <= this.deps.clock.now()) {
      throw new AppError('invalid-input', 'The end of a pause must be in the future.', {
        details: { parameter: 'until' },
      });
    }
    const pausedUntil = until === null ? null : isoTime(Date.parse(until));
    return this.#changeEach(id, (plan) => ({ ...plan, pausedUntil }));
  }

  /** Throws `plan-missing`, and `invalid-input` if the plan is off or not due again. */
  async skipNext(id: string, skip: boolean): Promise<PlanStatus> {
    const [changed] = await this.#changeEach(id, (plan) => this.#withNextSkipped(plan, skip));
    if (changed === undefined) throw new AppError('internal', 'No plan was changed.');
    return changed;
  }

  /**
   * Changes and returns the plan with this id, or with null all plans. Throws the errors of `change`; then nothing is
   * written.
   */
  async #changeEach(id: string | null, change: (plan: StoredPlan) => StoredPlan): Promise<PlanStatus[]> {
    const { plans: status, settings, wake, announce } = this.deps;
    let changed: StoredPlan[] = [];
    await settings.change((before) => {
      const targetId = id === null ? null : requirePlan(before.plans, id).id;
      const isTarget = (plan: StoredPlan): boolean => targetId === null || plan.id === targetId;
      const plans = before.plans.map((plan) => (isTarget(plan) ? change(plan) : plan));
      changed = plans.filter(isTarget);
      return { ...before, plans };
    });
    wake();
    for (const plan of changed) announce('plan.changed', { planId: plan.id });
    return changed.map((plan) => status.statusOf(plan));
  }

  #withNextSkipped(plan: StoredPlan, skip: boolean): StoredPlan {
    const now = this.deps.clock.now();
    const skipped = plan.skippedDue === null ? -Infinity : Date.parse(plan.skippedDue);
    // A skipped time in the past stays skipped: it must not become due again.
    if (!skip) return skipped > now ? { ...plan, skippedDue: null } : plan;
    if (plan.enabled && skipped > now) return plan;
    // A catch-up at the end of a pause is not a due time.
    const next = nextFiring({ ...plan, pausedUntil: null }, this.deps.runStore, now);
    if (next !== null) return { ...plan, skippedDue: isoTime(next) };
    throw new AppError('invalid-input', 'This plan is switched off, or is not due again.', {
      details: { wrong: 'state' },
    });
  }

  /** Never throws: an address that remains in the keychain is never read. */
  async #forgetHeartbeat(planId: string): Promise<void> {
    await this.deps.heartbeats.forget(planId).catch((thrown: unknown) => {
      this.deps.log.warn(
        { plan: planId, code: AppError.from(thrown).code },
        'the address of a heartbeat stays in the keychain',
      );
    });
  }
}
