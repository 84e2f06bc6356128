/**
 * @file Stores that an instance refused its token, so that every process can report it. The refusal is deleted once
 * this token or another one is accepted.
 */
import { AppError, type ErrorCode } from '../../../src-contract/errors.ts';
import { tokenRefusals, type Instance } from '../../../src-contract/instances/instance.ts';
import { isoTime } from '../../platform/clock.ts';
import type { SharedParts } from '../shared-parts.ts';

type Refusal = NonNullable<Instance['tokenRefused']>;

/** Another process may have stored a refusal meanwhile. */
const lookAgainMs = 60_000;

export type TokenRefusals = ReturnType<typeof createTokenRefusals>;

export function createTokenRefusals(parts: Pick<SharedParts, 'announce' | 'clock' | 'log' | 'settings'>) {
  const { settings, clock, log, announce } = parts;
  const ignored = new Map<string, number>();
  /** The monotonic time until which a success needs no reading of the settings. Most requests succeed. */
  const clean = new Map<string, number>();

  const knownOf = ({ name, url }: Instance): Instance | undefined =>
    settings.read().instances.find((known) => known.name === name && known.url === url);

  const keep = (instance: Instance, tokenRefused: Refusal | null): void => {
    settings
      .change((before) => ({
        ...before,
        instances: before.instances.map((known) =>
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

  const isIgnored = (name: string): boolean => (ignored.get(name) ?? 0) > 0;

  return {
    isIgnored,
    /** Never throws. Other codes are ignored. */
    recordRefusal(instance: Instance, code: ErrorCode) {
      const kept = tokenRefusals.find((known) => known === code);
      const known = knownOf(instance);
      if (kept === undefined || isIgnored(instance.name) || known === undefined) return;
      clean.delete(instance.name);
      if (known.tokenRefused?.code === kept) return;
      keep(instance, { code: kept, at: isoTime(clock.now()) });
    },
    /** Never throws. */
    clearRefusal(instance: Instance) {
      if (instance.anonymous || isIgnored(instance.name)) return;
      if ((clean.get(instance.name) ?? -Infinity) > clock.monotonic()) return;
      clean.set(instance.name, clock.monotonic() + lookAgainMs);
      if ((knownOf(instance)?.tokenRefused ?? null) === null) return;
      keep(instance, null);
    },
    /** Stops storing results until the returned function is called. For a token on trial, or given for one command. */
    ignore(name: string) {
      let isOver = false;
      ignored.set(name, (ignored.get(name) ?? 0) + 1);
      return () => {
        if (!isOver) ignored.set(name, (ignored.get(name) ?? 1) - 1);
        isOver = true;
      };
    },
  };
}
