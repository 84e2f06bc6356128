/** @file Settings that an instance does not show, for example on a lower tier, are compared with the others or named. */
import { describe, expect, it } from 'vitest';
import { archiveWith, differing, nothing } from '../../../../support/migrations/compared-settings.ts';
import type {
  ArchivedSettings,
  Attributes,
} from '../../../../../src-main/jobs/migrations/comparing/settings/setting-table.ts';

const policy = { enabled: true, cadence: '7d', keep_n: 10, older_than: '90d', name_regex: '.*' };

describe('a setting that the target does not show', () => {
  it.each<[string, Attributes, Partial<ArchivedSettings>, Attributes, string]>([
    [
      'because its tier is lower',
      { issues_template: 'Steps', approvals_before_merge: 2 },
      { project: { issues_template: 'Steps', approvals_before_merge: 2 } },
      {},
      'issues_template was Steps; approvals_before_merge was 2.',
    ],
    [
      'because the project has no cleanup policy',
      { container_expiration_policy: policy },
      { container_expiration_policy: policy },
      { container_expiration_policy: null },
      'container_expiration_policy.enabled was true; container_expiration_policy.cadence was 7d.',
    ],
    [
      'because the account may not read the job token scope',
      { job_token_scope: { inbound_enabled: false } },
      { ci_cd_settings: { inbound_job_token_scope_enabled: false } },
      {},
      'job_token_scope.inbound_enabled was false.',
    ],
    [
      'because it was not asked for error tracking',
      {},
      { error_tracking_setting: { api_url: 'https://sentry.example/a/' } },
      {},
      'error_tracking.api_url was https://sentry.example/a/.',
    ],
    [
      'because it shows approvals on Premium only',
      { approvals: { require_password_to_approve: true } },
      { project: { require_password_to_approve: true, reset_approvals_on_push: false } },
      {},
      'approvals.reset_approvals_on_push was false; approvals.require_password_to_approve was true.',
    ],
  ])('%s, is named with the value that did not arrive for certain', (_, source, archived, target, named) => {
    const archive = archiveWith(archived);
    for (const readable of [source, null])
      expect(differing({ source: readable, archive, target })).toEqual({
        ...{ settings: [], remarks: [] },
        declared: [expect.stringMatching(/^The target does not show these settings.*not known whether/)],
      });
    expect(differing({ source, archive, target }).declared[0]).toContain(`: ${named}`);
  });

  it('is not named if its value is empty, off, 0, or the one of a new project', () => {
    const source = {
      ...{ issues_template: '', approvals_before_merge: 0, merge_trains_enabled: false, public_jobs: true },
      ...{ job_token_scope: { inbound_enabled: true }, wiki_access_level: 'enabled', build_timeout: 3600 },
      ...{ service_desk_enabled: true, auto_devops_enabled: true, ci_default_git_depth: 20 },
      ...{ ci_id_token_sub_claim_components: ['project_path', 'ref_type', 'ref'] },
      ...{ container_expiration_policy: { ...policy, enabled: false, cadence: '1d' } },
    };
    const archive = archiveWith({ project: { reset_approvals_on_push: true, approvals_before_merge: 0 } });
    expect(differing({ source, archive })).toEqual(nothing);
  });

  it('is only remarked on if no export carries it', () => {
    const source = { ci_restrict_pipeline_cancellation_role: 'maintainer' };
    expect(differing({ source, archive: archiveWith({}) })).toEqual({
      ...nothing,
      remarks: [expect.stringMatching(/does not carry.*: ci_restrict_pipeline_cancellation_role was maint/)],
    });
  });

  it('is a loss of the export if the archive has another value than the source', () => {
    const archive = archiveWith({ project: { issues_template: null } });
    expect(differing({ source: { issues_template: 'Steps' }, archive })).toEqual({
      ...nothing,
      settings: [{ attribute: 'issues_template', expected: 'Steps', found: '', lost: 'on-export' }],
    });
  });

  it('is not named if an override sets it', () => {
    const sides = { source: { issues_template: 'Steps' }, archive: archiveWith({}) };
    const { declared } = differing({ ...sides, overrides: { issues_template: 'Other' } });
    expect(declared).toEqual([]);
  });
});

describe('a setting that the source does not show', () => {
  const archive = archiveWith({ project: { issues_template: 'Steps', merge_commit_template: null } });

  it('is compared between archive and target', () => {
    expect(differing({ source: {}, archive, target: { issues_template: '' } })).toEqual({
      ...nothing,
      settings: [{ attribute: 'issues_template', expected: 'Steps', found: '', lost: 'on-import' }],
    });
    expect(differing({ source: {}, archive, target: { issues_template: 'Steps' } })).toEqual(nothing);
  });

  it('is ignored if the archive does not contain it either', () => {
    const target = { build_timeout: 7200, releases_access_level: 'private' };
    expect(differing({ source: {}, archive: archiveWith({}), target })).toEqual(nothing);
  });
});

describe('a setting that only the target has', () => {
  const named = {
    ...nothing,
    declared: [
      expect.stringMatching(/^Only the target has.*: merge_commit_template is %{title} and was not set\.$/),
    ],
  };
  const target = { merge_commit_template: '%{title}' };

  it('is named if source or archive show that it was not set', () => {
    expect(differing({ source: { merge_commit_template: null }, target })).toEqual(named);
    const archive = archiveWith({ project: { merge_commit_template: null } });
    for (const source of [null, {}]) expect(differing({ source, archive, target })).toEqual(named);
  });

  it('is not named if the archive has it', () => {
    const archive = archiveWith({ custom_attributes: { key: 'x' } });
    const attributes = { custom_attributes: [{ key: 'key', value: 'x' }] };
    expect(differing({ source: { custom_attributes: [] }, archive, target: attributes })).toEqual(nothing);
  });

  it('is named with the value of a new project if the source shows that it has none', () => {
    const depth = { ci_default_git_depth: 20 };
    const archive = archiveWith({ ci_cd_settings: { default_git_depth: null } });
    expect(differing({ source: { ci_default_git_depth: null }, archive, target: depth })).toEqual({
      ...nothing,
      declared: [
        expect.stringMatching(/^Only the target has.*: ci_default_git_depth is 20 and was not set\.$/),
      ],
    });
    for (const source of [null, {}]) expect(differing({ source, archive, target: depth })).toEqual(nothing);
    const off = { source: { ci_default_git_depth: null }, archive, target: { ci_default_git_depth: 0 } };
    expect(differing(off)).toEqual(nothing);
  });
});
