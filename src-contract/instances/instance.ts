/** @file The noun *instance*: a GitLab server, the account used on it, and its limits and waits. */
import type { ErrorCode } from '../errors.ts';
import type { z } from '../schema.ts';
import type * as schemas from './instance-schema.ts';
import { dayMs } from '../bounds.ts';
import { tokenExpiryWarningDays } from '../tokens/expiry-warning-days.ts';
import { compareReleases, releaseOf } from './releases.ts';

export type Pace = z.output<typeof schemas.paceSchema>;
export type RotationLost = z.output<typeof schemas.rotationLostSchema>;
export type Instance = z.output<typeof schemas.instanceSchema>;
export type InstanceCheck = z.output<typeof schemas.instanceCheckSchema>;

export const pacePresets = ['gitlab', 'sandbox'] as const;
export type PacePreset = (typeof pacePresets)[number];

/** `gitlab`: the defaults of a real server (gitlab-facts 4 and 6). `sandbox`: no limits, and waits of milliseconds. */
export const presetPaces: Record<PacePreset, Pace> = {
  gitlab: {
    exportsPerMinute: 6,
    importsPerMinute: 6,
    downloadsPerMinute: 1,
    downloadScope: 'project',
    firstPollMs: 5_000,
    maxPollMs: 60_000,
    graceMs: 120_000,
    lookAgainMs: 65_000,
    deadlineMs: dayMs,
  },
  sandbox: {
    exportsPerMinute: 0,
    importsPerMinute: 0,
    downloadsPerMinute: 0,
    downloadScope: 'project',
    firstPollMs: 20,
    maxPollMs: 250,
    graceMs: 2_000,
    lookAgainMs: 500,
    deadlineMs: 120_000,
  },
};

/**
 * The releases that count downloads by namespace: from the first up to, but not including, the second (gitlab-facts 4).
 */
const [byNamespaceFrom, byNamespaceBefore] = [
  { major: 14, minor: 10 },
  { major: 17, minor: 10 },
];

/** Returns the limits for a server of that version; `pace` itself if the version is unknown. */
export function paceForVersion(pace: Pace, version: string | null): Pace {
  const release = releaseOf(version);
  if (release === null || pace.downloadScope === 'namespace') return pace;
  const isByNamespace =
    compareReleases(release, byNamespaceFrom) >= 0 && compareReleases(release, byNamespaceBefore) < 0;
  return isByNamespace ? { ...pace, downloadScope: 'namespace' } : pace;
}

/**
 * Lower-case letters, digits, `-`, `_` and `.`. The name is part of the environment variable `PACKHORSE_TOKEN_<NAME>`.
 */
export const instanceNamePattern = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** The error codes of a token that no longer works. Another token of the same account may still work. */
export const invalidTokenCodes = ['token-invalid', 'token-expired', 'token-revoked'] as const;

/** Why an instance refused the token that was used with it. */
export const tokenRefusals = [...invalidTokenCodes, 'account-blocked'] as const;

/** Returns whether the code says that the token no longer works. */
export const isInvalidTokenCode = (code: ErrorCode): boolean =>
  invalidTokenCodes.some((invalid) => invalid === code);

/** The defaults for using an instance. */
export const instanceDefaults = {
  readOnly: false,
  anonymous: false,
  proxy: null,
  rotateDaysBefore: null,
  hasSpare: false,
  spareExpiresOn: null,
  rotationLost: null,
  tokenRefused: null,
} as const satisfies Partial<Instance>;

/** Returns whether a token expires soon, or has expired. `now` is in epoch milliseconds. */
export const expiresSoon = (expiresOn: string, now: number): boolean =>
  Date.parse(expiresOn) - now < tokenExpiryWarningDays * dayMs;

/**
 * Returns why the token no longer works: the last refusal of the instance, or its passed date of expiry; null if neither
 * is known. `now` is in epoch milliseconds.
 */
export function knownTokenRefusal(
  { tokenRefused, tokenExpiresOn }: Pick<Instance, 'tokenRefused' | 'tokenExpiresOn'>,
  now: number,
): (typeof tokenRefusals)[number] | null {
  if (tokenRefused !== null) return tokenRefused.code;
  return tokenExpiresOn !== null && Date.parse(tokenExpiresOn) <= now ? 'token-expired' : null;
}

export const tokenSources = ['session', 'environment', 'keychain'] as const;
export type TokenSource = (typeof tokenSources)[number];
