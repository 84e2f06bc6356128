/**
 * @file The noun *instance*: a GitLab server, the account used on it, and its limits and waits.
 */
import { dayMs } from '../bounds.ts';
import { tokenWarningDays } from '../tokens/expiry-warning-days.ts';
import { compareReleases, releaseOf } from './releases.ts';

/**
 * All limits and waits of our side. Milliseconds; a per-minute limit of 0 means unlimited.
 * `exports`, `imports`: per user. `downloads`: per project, or per namespace on GitLab 14.10 to 17.9.
 */
export interface Pace {
  exportsPerMinute: number;
  importsPerMinute: number;
  downloadsPerMinute: number;
  downloadScope: 'project' | 'namespace';
  /** First and longest time between two polls of a running export or import. */
  firstPollMs: number;
  maxPollMs: number;
  /** How long after an accepted request `none` or `failed` may still be an old answer. */
  graceMs: number;
  /** How long to wait before asking the server about a request whose response was lost. */
  lookAgainMs: number;
  /** An export or import that never ends is given up after this time. */
  deadlineMs: number;
}

export const pacePresets = ['gitlab', 'sandbox'] as const;
export type PacePreset = (typeof pacePresets)[number];

/** `gitlab`: the defaults of a real server (gitlab-facts 4 and 6). `sandbox`: no limits, milliseconds. */
export const paceOf: Record<PacePreset, Pace> = {
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

/** Releases that count downloads by namespace: from the first to before the second (gitlab-facts 4). */
const [byNamespaceFrom, byNamespaceBefore] = [
  { major: 14, minor: 10 },
  { major: 17, minor: 10 },
];

/** Returns the limits for a server of that version; the settings' own where the version is not known. */
export function paceFor(pace: Pace, version: string | null): Pace {
  const release = releaseOf(version);
  if (release === null || pace.downloadScope === 'namespace') return pace;
  const isByNamespace =
    compareReleases(release, byNamespaceFrom) >= 0 && compareReleases(release, byNamespaceBefore) < 0;
  return isByNamespace ? { ...pace, downloadScope: 'namespace' } : pace;
}

/** Lower case letters, digits, `-`, `_` and `.`; it names the environment variable `PACKHORSE_TOKEN_<NAME>`. */
export const instanceNameRule = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/**
 * GitLab replaced the token and nobody knows the new one: nothing can be asked until somebody gives a token.
 * These fields find the lost token in the account's list, so that it can be revoked.
 */
export interface RotationLost {
  /** Epoch milliseconds, when the replacement was requested. */
  at: number;
  oldId: number;
  /** Both have this name. */
  name: string;
  /** Null while it cannot be found out, which needs a token. */
  orphanId: number | null;
  expiresOn: string | null;
  /** Page of the account's tokens on the instance. */
  page: string;
}

/** Why an instance refused the token that was used with it. */
export const tokenRefusals = ['token-invalid', 'token-expired', 'token-revoked', 'account-blocked'] as const;
export type TokenRefusal = (typeof tokenRefusals)[number];

/** An instance as `settings.json` keeps it. Tokens are never part of it. */
export interface Instance {
  name: string;
  /** Base URL without `/api/v4` and without a trailing slash. */
  url: string;
  /** Absolute path of a PEM file with further certificate authorities, or null. */
  caFile: string | null;
  pacePreset: PacePreset;
  pace: Pace;
  username: string | null;
  userId: number | null;
  administrator: boolean;
  serverVersion: string | null;
  /** First day on which the token no longer works, from the last check; null: never, or not said. */
  tokenExpiresOn: string | null;
  /** Whether the token may export and import, or only read, from the last check; null: not said. */
  tokenCanWrite: boolean | null;
  addedAt: string;
  /** No request that changes something is sent to the instance. */
  readOnly: boolean;
  /** Used without an account: public projects only, and nothing is changed. */
  anonymous: boolean;
  /** Address that its requests go through; null: that of the preferences. */
  proxy: string | null;
  /** Its tokens are replaced automatically this many days before they expire; null: never. */
  rotateDaysBefore: number | null;
  /** Whether the keychain has a second token of the same user, with which the one in use can be replaced safely. */
  hasSpare: boolean;
  spareExpiresOn: string | null;
  rotationLost: RotationLost | null;
  /** The instance refused the token when it was last used; null since it was accepted, or another one was given. `at`: ISO 8601 UTC. */
  tokenRefused: { code: TokenRefusal; at: string } | null;
}

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

/** Whether a token is to be replaced soon, or no longer works; times in epoch milliseconds. */
export const expiresSoon = (expiresOn: string, now: number): boolean =>
  Date.parse(expiresOn) - now < tokenWarningDays * dayMs;

export const tokenSources = ['session', 'environment', 'keychain'] as const;
export type TokenSource = (typeof tokenSources)[number];

/**
 * The abilities of an account and its token, found by asking the server; nulls about the account where there
 * is none.
 */
export interface InstanceCheck {
  name: string;
  url: string;
  version: string | null;
  userId: number | null;
  username: string | null;
  administrator: boolean;
  tokenSource: TokenSource | null;
  /** Scopes and first day on which the token no longer works; null where the server does not say. */
  scopes: string[] | null;
  expiresOn: string | null;
  canRead: boolean;
  canWrite: boolean;
  /** Difference between the server's clock and ours, in milliseconds (server minus ours); null without a Date header. */
  clockSkewMs: number | null;
  notes: string[];
}
