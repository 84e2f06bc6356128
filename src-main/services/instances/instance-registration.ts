/** @file Adds instances, changes their settings and removes them. */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import { AppError } from '../../../src-contract/errors.ts';
import {
  instanceDefaults,
  presetPaces,
  tokenRefusals,
  type Instance,
  type InstanceCheck,
  type PacePreset,
} from '../../../src-contract/instances/instance.ts';
import { isoTime, type Clock } from '../../platform/clock.ts';
import type { ProjectLists } from '../projects/project-lists.ts';
import type { ScopeSurveys } from '../plans/scope-surveys.ts';
import type { JobService } from '../runs/job-service.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { InstanceTokens } from '../tokens/instance-tokens.ts';
import { Service } from '../service.ts';
import { checkedFacts, signInNeededError, type InstanceChecks } from './instance-checks.ts';
import type { Instances } from './instances.ts';
import { parseInstanceUrl, parseProxyUrl } from './typed-addresses.ts';

interface Deps {
  instances: Instances;
  tokens: InstanceTokens;
  checks: InstanceChecks;
  clock: Clock;
  jobService: Pick<JobService, 'countOpen'>;
  projectLists: Pick<ProjectLists, 'forget'>;
  scopeSurveys: Pick<ScopeSurveys, 'forget'>;
  sandboxes: Pick<Sandboxes, 'stop'>;
}

type InstanceDraft = Pick<Instance, 'name' | 'url' | 'caFile'> & { pace: PacePreset; anonymous: boolean };

export class InstanceRegistration extends Service<Deps> {
  /**
   * Checks an instance that is not registered, with the token that was given for this check; stores nothing. The caller
   * chose the address, so a stored token is never sent there. Throws `token-missing`, `invalid-input`, and the errors of
   * the requests.
   */
  async preview(
    { name, url, caFile }: ParsedRequest<'instance.preview'>,
    signal: AbortSignal,
  ): Promise<InstanceCheck> {
    const { instances, tokens, checks } = this.deps;
    instances.assertFree(name);
    if (!tokens.isRemembered(name)) {
      throw new AppError('token-missing', `No token was given for "${name}".`, {
        details: { instance: name },
      });
    }
    const draft = this.#instanceOf({ name, url, caFile, pace: 'gitlab', anonymous: false });
    return this.#dropTokenIfRefused(name, () => checks.check(draft, signal));
  }

  /** Checks the instance and stores it, with its token if that is to be kept. Throws like `preview`. */
  async add(
    request: ParsedRequest<'instance.add'>,
    signal: AbortSignal,
  ): Promise<{ instance: Instance; check: InstanceCheck }> {
    const { instances, tokens, checks } = this.deps;
    const { name, keep } = request;
    instances.assertFree(name);
    instances.assertUniqueVariable(name);
    const draft = this.#instanceOf(request);
    const check = await this.#dropTokenIfRefused(name, async () => {
      const checked = await checks.check(draft, signal);
      if (keep === 'keychain' && !draft.anonymous) await tokens.storeInKeychain(name);
      return checked;
    });
    const instance: Instance = { ...draft, ...checkedFacts(check) };
    try {
      await instances.save(instance);
    } catch (thrown) {
      if (keep === 'keychain') await tokens.forget(name);
      throw thrown;
    }
    return { instance, check };
  }

  /**
   * Changes settings of an instance. A new proxy or CA file is stored only after a check with it. Throws
   * `sign-in-needed`, `rotation-refused`, `invalid-input`, and the errors of the check.
   */
  async change(
    { name, readOnly, proxy, caFile, rotateDaysBefore }: ParsedRequest<'instance.change'>,
    signal: AbortSignal,
  ): Promise<Instance> {
    const { instances, tokens, checks } = this.deps;
    const current = instances.get(name);
    if (typeof rotateDaysBefore === 'number') {
      if (current.anonymous) throw signInNeededError(name);
      if (!(await tokens.hasKeychain())) {
        throw new AppError(
          'rotation-refused',
          'A new token could not be stored: the keychain of this system cannot be used.',
        );
      }
    }
    const connection = {
      ...(proxy === undefined ? {} : { proxy: proxy === null ? null : parseProxyUrl(proxy) }),
      ...(caFile === undefined ? {} : { caFile }),
    };
    const changed = {
      ...current,
      ...connection,
      ...(readOnly === undefined ? {} : { readOnly }),
      ...(rotateDaysBefore === undefined ? {} : { rotateDaysBefore }),
    };
    if (Object.keys(connection).length > 0) await checks.check(changed, signal);
    await instances.save(changed);
    return changed;
  }

  /**
   * Removes an instance with its token and its list of projects. Its archives and job history stay. Throws `job-busy`
   * while it has open jobs.
   */
  async remove(name: string): Promise<void> {
    const { instances, tokens, jobService, projectLists, scopeSurveys, sandboxes } = this.deps;
    const openCount = jobService.countOpen(name);
    if (openCount > 0) {
      throw new AppError('job-busy', `Jobs of "${name}" have not ended (${openCount}); cancel them first.`, {
        details: { instance: name, jobs: openCount },
      });
    }
    await instances.remove(name);
    projectLists.forget(name);
    scopeSurveys.forget(name);
    await tokens.forget(name);
    await sandboxes.stop(name);
  }

  #instanceOf({ name, url, caFile, pace, anonymous }: InstanceDraft): Instance {
    return {
      name,
      url: parseInstanceUrl(url),
      caFile,
      pacePreset: pace,
      pace: presetPaces[pace],
      username: null,
      userId: null,
      administrator: false,
      serverVersion: null,
      tokenExpiresOn: null,
      tokenCanWrite: null,
      addedAt: isoTime(this.deps.clock.now()),
      ...instanceDefaults,
      anonymous,
    };
  }

  /** Drops a refused token from memory, where it would take precedence over a working token. */
  async #dropTokenIfRefused<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const { code } = AppError.from(thrown);
      if (code === 'token-scope' || tokenRefusals.some((refusal) => refusal === code)) {
        this.deps.tokens.forgetRemembered(name);
      }
      throw thrown;
    }
  }
}
