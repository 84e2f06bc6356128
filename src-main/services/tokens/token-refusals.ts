/**
 * @file Stores that an instance refused its token, so that every process can report it. The refusal is deleted once
 * this token or another one is accepted.
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { tokenRefusals, type Instance } from '../../../src-contract/instances/instance.ts';
import { isoTime } from '../../platform/clock.ts';
import type { SharedDeps } from '../shared-deps.ts';

type Refusal = NonNullable<Instance['tokenRefused']>;

/** Another process may have stored a refusal meanwhile. */
const recheckIntervalMs = 60_000;

export type TokenRefusals = ReturnType<typeof createTokenRefusals>;

export function createTokenRefusals(deps: Pick<SharedDeps, 'announce' | 'clock' | 'log' | 'settings'>) {
  const { settings, clock, log, announce } = deps;
  const ignoreCounts = new Map<string, number>();
  /** Monotonic time by instance: until then, an accepted token causes no read of the settings. */
  const acceptedUntil = new Map<string, number>();

  const findRegistered = ({ name, url }: Instance): Instance | undefined =>
    settings.read().instances.find((known) => known.name === name && known.url === url);

  const storeRefusal = (instance: Instance, tokenRefused: Refusal | null): void => {
    settings
      .change((current) => ({
        ...current,
        instances: current.instances.map((known) =>
          known.name === instance.name && known.url === instance.url ? { ...known, tokenRefused } : known,
        ),
      }))
      .then(() => {
        announce('instance.changed', { name: instance.name });
      })
      .catch((thrown: unknown) => {
        log.warn(
          { err: AppError.from(thrown), instance: instance.name },
          'the refusal of a token was not stored',
        );
      });
  };

  const isIgnored = (name: string): boolean => (ignoreCounts.get(name) ?? 0) > 0;

  return {
    isIgnored,
    /** Never throws. Ignores codes that are not a refusal of the token. */
    recordRefusal(instance: Instance, code: ErrorCode) {
      const refusalCode = tokenRefusals.find((refusal) => refusal === code);
      const registered = findRegistered(instance);
      if (refusalCode === undefined || isIgnored(instance.name) || registered === undefined) return;
      acceptedUntil.delete(instance.name);
      if (registered.tokenRefused?.code === refusalCode) return;
      storeRefusal(instance, { code: refusalCode, at: isoTime(clock.now()) });
    },
    /** Never throws. */
    clearRefusal(instance: Instance) {
      if (instance.anonymous || isIgnored(instance.name)) return;
      if ((acceptedUntil.get(instance.name) ?? -Infinity) > clock.monotonic()) return;
      acceptedUntil.set(instance.name, clock.monotonic() + recheckIntervalMs);
      if ((findRegistered(instance)?.tokenRefused ?? null) === null) return;
      storeRefusal(instance, null);
    },
    /** Stops storing results until the returned function is called. Used for tokens under test or for one command. */
    ignore(name: string) {
      let isOver = false;
      ignoreCounts.set(name, (ignoreCounts.get(name) ?? 0) + 1);
      return () => {
        if (!isOver) ignoreCounts.set(name, (ignoreCounts.get(name) ?? 1) - 1);
        isOver = true;
      };
    },
  };
}
