/** @file Settings that people may have changed on the source after its export, without a time that shows it. */
import { expect, it } from 'vitest';
import { archiveWith, differing } from '../../../../support/migrations/compared-settings.ts';

it('a feature or a setting of pipelines with another value in the archive may have been changed after the export', () => {
  const compared = differing({
    source: { wiki_access_level: 'private', group_runners_enabled: false, public_jobs: false },
    archive: archiveWith({
      project: { public_builds: true },
      project_feature: { wiki_access_level: 20 },
      ci_cd_settings: { group_runners_enabled: true },
    }),
    target: { wiki_access_level: 'enabled', group_runners_enabled: true, public_jobs: true },
  });
  // The project has a time of its last change.
  expect(compared.settings).toMatchObject([{ attribute: 'public_jobs', lost: 'on-export' }]);
  expect(compared.declared).toEqual([
    expect.stringMatching(
      /changed there after the export.*wiki_access_level is enabled and was private; group_runners_enabled is true and was false/,
    ),
  ]);
});

it('a feature that was changed after the export is still compared between archive and target', () => {
  const { settings } = differing({
    source: { wiki_access_level: 'private' },
    archive: archiveWith({ project_feature: { wiki_access_level: 20 } }),
    target: { wiki_access_level: 'disabled' },
  });
  expect(settings).toEqual([
    { attribute: 'wiki_access_level', expected: 'enabled', found: 'disabled', lost: 'on-import' },
  ]);
});

const policy = (fields: object) => ({ container_expiration_policy: fields });
const attributes = (values: Record<string, string>) => ({
  custom_attributes: Object.entries(values).map(([key, value]) => ({ key, value })),
});

it('a field of the cleanup policy is a loss on import, and may have been set on the source after the export', () => {
  const archive = archiveWith({ container_expiration_policy: { cadence: '7d', name_regex_keep: null } });
  const compared = differing({
    source: policy({ cadence: '7d', name_regex_keep: 'stable' }),
    archive,
    target: policy({ cadence: '1d', name_regex_keep: null }),
  });
  expect(compared.settings).toEqual([
    { attribute: 'container_expiration_policy.cadence', expected: '7d', found: '1d', lost: 'on-import' },
  ]);
  expect(compared.declared).toEqual([
    expect.stringMatching(
      /not known whether the export lost them.*name_regex_keep is not set and was stable/,
    ),
  ]);
  const overrides = { container_expiration_policy_attributes: '{"cadence":"1d"}' };
  expect(differing({ archive, overrides, target: policy({ cadence: '1d' }) }).settings).toEqual([]);
});

it('a custom attribute is a loss on import, and may have been added on the source after the export', () => {
  const archive = archiveWith({ custom_attributes: { 'a.b': 'x' } });
  const lost = { attribute: 'custom_attributes.a.b', expected: 'x', found: '', lost: 'on-import' };
  for (const source of [attributes({ 'a.b': 'x' }), {}, null])
    expect(differing({ source, archive, target: attributes({}) })).toEqual({
      settings: [lost],
      declared: [],
      remarks: [],
    });
  const added = differing({
    source: attributes({ 'a.b': 'x', new: 'y' }),
    archive,
    target: attributes({ 'a.b': 'x' }),
  });
  expect(added.settings).toEqual([]);
  expect(added.declared).toEqual([
    expect.stringMatching(/not known whether.*custom_attributes.new is not set and was y/),
  ]);
});

it('custom attributes that the account of the target does not see are declared', () => {
  const archive = archiveWith({ custom_attributes: { key: 'x' } });
  expect(differing({ archive, target: {} })).toEqual({
    settings: [],
    declared: [expect.stringContaining('custom attributes to administrators only')],
    remarks: [],
  });
});

const sentry = { api_url: 'https://sentry.example/api/0/projects/a/b/', project_name: 'B' };
const withTracking = (part: object) => archiveWith({ error_tracking_setting: { ...part } });

it('error tracking is a loss on import, and may have been added to the source after the export', () => {
  const none = { api_url: null, project_name: null };
  const lost = {
    attribute: 'error_tracking.api_url',
    expected: sentry.api_url,
    found: '',
    lost: 'on-import',
  };
  const onTarget = {
    archive: withTracking(sentry),
    target: { error_tracking: { ...sentry, api_url: null } },
  };
  expect(differing({ ...onTarget, source: { error_tracking: sentry } }).settings).toEqual([lost]);
  // The account does not see it on the source.
  expect(differing({ ...onTarget, source: {} }).settings).toEqual([lost]);
  const added = differing({
    ...{ source: { error_tracking: sentry }, archive: archiveWith({}), target: { error_tracking: none } },
  });
  expect(added.settings).toEqual([]);
  expect(added.declared.join()).toContain('error_tracking.api_url is not set and was https://sentry');
});

const approvals = (require: boolean) => ({
  approvals: { disable_overriding_approvers_per_merge_request: require },
});

it('a setting of approvals is a loss if it is off, and may be forced by the target if it is on', () => {
  const archived = (value: boolean) =>
    archiveWith({ project: { disable_overriding_approvers_per_merge_request: value } });
  const lost = differing({ source: approvals(true), archive: archived(true), target: approvals(false) });
  expect(lost.settings).toMatchObject([
    {
      attribute: 'approvals.disable_overriding_approvers_per_merge_request',
      expected: 'true',
      found: 'false',
      lost: 'on-import',
    },
  ]);
  const forced = differing({ source: approvals(false), archive: archived(false), target: approvals(true) });
  expect(forced.settings).toEqual([]);
  expect(forced.declared).toEqual([expect.stringContaining('target may decide') as string]);
});
