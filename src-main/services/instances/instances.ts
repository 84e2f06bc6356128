/**
 * @file The registered instances: read, saved and removed with all that belongs to them.
 */
import { AppError } from '../../../src-contract/errors.ts';
import type { Instance } from '../../../src-contract/instances/instance.ts';
import type { StoredPlan } from '../../../src-contract/plans/plan.ts';
import { collidingInstance } from '../../platform/credentials.ts';
import type { SettingsStore } from '../../platform/settings.ts';
import type { Announce } from '../events.ts';

interface Parts {
  settings: SettingsStore;
  announce: Announce;
  /**
   * Called when an instance is used in another way: jobs that were refused, or could not reach it, may
   * continue.
   */
  onTokenAvailable: () => void;
  /** These went with their instance; nothing else of them is needed any more. */
  forgetPlans: (gone: readonly StoredPlan[]) => Promise<void>;
}

export class Instances {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(): Instance[] {
    return this.#parts.settings.read().instances;
  }

  /** The instance of that name; throws `instance-unknown`. */
  known(name: string): Instance {
    const instance = this.list().find((candidate) => candidate.name === name);
    if (instance !== undefined) return instance;
    throw new AppError('instance-unknown', `There is no instance "${name}".`, { details: { name } });
  }

  /** Throws `instance-exists` where an instance has that name. */
  assertFree(name: string): void {
    if (!this.list().some((instance) => instance.name === name)) return;
    throw new AppError('instance-exists', `There is already an instance "${name}".`, { details: { name } });
  }

  /** Throws `invalid-input` where the environment variable for the token would be another instance's, too. */
  assertOwnVariable(name: string): void {
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

  /** Adds or replaces by name. */
  async save(instance: Instance): Promise<void> {
    const { settings, announce, onTokenAvailable } = this.#parts;
    await settings.change((before) => ({
      ...before,
      instances: before.instances.some(({ name }) => name === instance.name)
        ? before.instances.map((known) => (known.name === instance.name ? instance : known))
        : [...before.instances, instance],
    }));
    announce('instance.changed', { name: instance.name });
    onTokenAvailable();
  }

  /** Removes an instance with its plans and its sandbox server. */
  async remove(name: string): Promise<void> {
    const { settings, announce, forgetPlans } = this.#parts;
    let gone: StoredPlan[] = [];
    await settings.change((before) => {
      gone = before.plans.filter((plan) => plan.instance === name);
      return {
        ...before,
        instances: before.instances.filter((instance) => instance.name !== name),
        plans: before.plans.filter((plan) => plan.instance !== name),
        practice: before.practice.filter((server) => server.name !== name),
      };
    });
    announce('instance.changed', { name });
    await forgetPlans(gone);
  }
}
