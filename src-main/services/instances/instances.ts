/** @file Reads, saves and removes the registered instances. Removing an instance removes its plans, too. */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import { collidingInstance } from '../../platform/credentials.ts';
import type { SharedDeps } from '../shared-deps.ts';
import { Service } from '../service.ts';

interface Deps extends Pick<SharedDeps, 'announce' | 'settings'> {
  onTokenAvailable: () => void;
  forgetPlans: (gone: readonly StoredPlan[]) => Promise<void>;
}

export class Instances extends Service<Deps> {
  list(): Instance[] {
    return this.deps.settings.read().instances;
  }

  /** Returns the instance of that name. Throws `instance-unknown`. */
  get(name: string): Instance {
    return this.deps.settings.instance(name);
  }

  /** Throws `instance-exists` if an instance has that name. */
  assertFree(name: string): void {
    if (!this.list().some((instance) => instance.name === name)) return;
    throw new AppError('instance-exists', `There is already an instance "${name}".`, { details: { name } });
  }

  /** Throws `invalid-input` if another instance has the same environment variable for its token. */
  assertUniqueVariable(name: string): void {
    const clash = collidingInstance(
      name,
      this.list().map((instance) => instance.name),
    );
    if (clash === null) return;
    throw new AppError(
      'invalid-input',
      `"${name}" and "${clash}" would share one environment variable for their tokens.`,
    );
  }

  async save(instance: Instance): Promise<void> {
    const { settings, announce, onTokenAvailable } = this.deps;
    await settings.change((before) => ({
      ...before,
      instances: before.instances.some(({ name }) => name === instance.name)
        ? before.instances.map((existing) => (existing.name === instance.name ? instance : existing))
        : [...before.instances, instance],
    }));
    announce('instance.changed', { name: instance.name });
    onTokenAvailable();
  }

  /** Removes an instance with its plans and its sandbox server. */
  async remove(name: string): Promise<void> {
    const { settings, announce, forgetPlans } = this.deps;
    let removedPlans: StoredPlan[] = [];
    await settings.change((before) => {
      removedPlans = before.plans.filter((plan) => plan.instance === name);
      return {
        ...before,
        instances: before.instances.filter((instance) => instance.name !== name),
        plans: before.plans.filter((plan) => plan.instance !== name),
        practice: before.practice.filter((server) => server.name !== name),
      };
    });
    announce('instance.changed', { name });
    await forgetPlans(removedPlans);
  }
}
