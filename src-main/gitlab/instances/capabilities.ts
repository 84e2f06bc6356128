/**
 * @file The first release with each capability (gitlab-facts 13). An older server responds with a bare 404, or ignores
 * the parameter.
 */
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';
import { compareReleases, releaseOf } from '../../../src-contract/instances/releases.ts';

/** For each capability, the first release that has it, and the subject of a sentence about it. */
const capabilityReleases = {
  'token-by-id': { since: '15.1', what: 'Reading one token' },
  'token-self': { since: '15.5', what: 'Reading the token in use' },
  'token-filters': { since: '15.5', what: 'Filtering tokens' },
  'token-revoke-self': { since: '15.0', what: 'Revoking the token in use' },
  'token-rotate': { since: '16.0', what: 'Rotating a token' },
  'token-rotate-expiry': { since: '16.6', what: 'Choosing the expiry of a rotated token' },
  'token-rotate-self': { since: '16.10', what: 'Rotating the token in use by itself' },
  'remote-import-s3': { since: '15.11', what: 'Importing from S3-compatible storage' },
  'relation-import': { since: '16.11', what: 'Importing a single relation' },
  'upload-list': { since: '17.2', what: 'Listing uploads' },
  'upload-download': { since: '17.2', what: 'Downloading an upload' },
  repository_object_format: { since: '16.9', what: 'The attribute repository_object_format' },
  model_registry_access_level: { since: '16.7', what: 'The attribute model_registry_access_level' },
  ci_pipeline_variables_minimum_override_role: {
    since: '17.1',
    what: 'The attribute ci_pipeline_variables_minimum_override_role',
  },
} as const;

export type Capability = keyof typeof capabilityReleases;

export const isCapability = (name: string): name is Capability => Object.hasOwn(capabilityReleases, name);

/**
 * Throws `server-too-old` if the version, for example `16.11.2-ee`, lacks the capability. An unknown or unreadable
 * version passes.
 */
export function requireCapability(
  version: string | null,
  capability: Capability,
  more: ErrorDetails = {},
): void {
  const actual = releaseOf(version);
  const required = releaseOf(capabilityReleases[capability].since);
  if (actual === null || required === null || compareReleases(actual, required) >= 0) return;
  throw serverTooOld(capability, `${actual.major}.${actual.minor}`, more);
}

/** @param actual the server's release, or null if only its response shows that it does not know the call. */
export function serverTooOld(
  capability: Capability,
  actual: string | null,
  more: ErrorDetails = {},
): AppError {
  const { since, what: subject } = capabilityReleases[capability];
  const serverText =
    actual === null ? 'this instance does not know the call' : `this instance has GitLab ${actual}`;
  return new AppError('server-too-old', `${subject} needs GitLab ${since}; ${serverText}.`, {
    details: { ...more, what: capability, needs: since, have: actual },
  });
}

export const isReadableVersion = (version: string | null): boolean => releaseOf(version) !== null;
