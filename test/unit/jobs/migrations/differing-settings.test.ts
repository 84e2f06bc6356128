import { expect, it } from 'vitest';
import { differingSettings } from '../../../../src-main/jobs/migrations/differing-settings.ts';

it.each([
  ['a number', { build_timeout: 7200 }, { build_timeout: 3600 }, ['build_timeout', '7200', '3600']],
  ['a switch', { public_jobs: false }, { public_jobs: true }, ['public_jobs', 'false', 'true']],
  ['a choice', { merge_method: 'ff' }, { merge_method: 'merge' }, ['merge_method', 'ff', 'merge']],
  [
    'a text',
    { squash_commit_template: '%{title}' },
    { squash_commit_template: null },
    ['squash_commit_template', '%{title}', ''],
  ],
  [
    'shared runners that were off',
    { shared_runners_enabled: false },
    { shared_runners_enabled: true },
    ['shared_runners_enabled', 'false', 'true'],
  ],
])('%s that the target shows otherwise is told', (_, source, target, [attribute, expected, found]) => {
  expect(differingSettings(source, {}, null, target)).toEqual([{ attribute, expected, found, lost: null }]);
});

it.each([
  ['what is the same', { build_timeout: 3600 }, { build_timeout: 3600 }],
  ['what the target does not show', { issues_template: 'Say' }, {}],
  ['what the source does not show', {}, { build_timeout: 3600 }],
  ['what the source has not set', { ci_config_path: null }, { ci_config_path: '.ci.yml' }],
  [
    'a switch that is told as null',
    { allow_merge_on_skipped_pipeline: false },
    { allow_merge_on_skipped_pipeline: null },
  ],
  [
    'shared runners that the group takes away',
    { shared_runners_enabled: true },
    { shared_runners_enabled: false },
  ],
  ['what the target decides', { service_desk_enabled: true }, { service_desk_enabled: false }],
  ['the mark that a migration puts on its source', { archived: true }, { archived: false }],
])('nothing is said of %s', (_, source, target) => {
  expect(differingSettings(source, {}, null, target)).toEqual([]);
});

it('an override is expected in place of what the source says', () => {
  const [source, overrides] = [{ build_timeout: 3600 }, { build_timeout: '7200' }];
  expect(differingSettings(source, overrides, null, { build_timeout: 7200 })).toEqual([]);
  expect(differingSettings(source, overrides, null, { build_timeout: 3600 })).toEqual([
    { attribute: 'build_timeout', expected: '7200', found: '3600', lost: 'on-import' },
  ]);
  expect(differingSettings(null, overrides, null, { build_timeout: 3600 })).toHaveLength(1);
});

it.each([
  [
    'of the same name',
    { build_timeout: 7200 },
    { build_timeout: 7200 },
    { build_timeout: 3600 },
    'on-import',
  ],
  [
    'of the same name',
    { build_timeout: 7200 },
    { build_timeout: 3600 },
    { build_timeout: 3600 },
    'on-export',
  ],
  ['that is not there', { build_timeout: 7200 }, {}, { build_timeout: 3600 }, 'on-export'],
  ['of another name', { public_jobs: false }, { public_builds: false }, { public_jobs: true }, 'on-import'],
  ['of another name', { public_jobs: false }, { public_builds: true }, { public_jobs: true }, 'on-export'],
  ['of levels', { visibility: 'internal' }, { visibility_level: 10 }, { visibility: 'private' }, 'on-import'],
  ['of levels', { visibility: 'internal' }, { visibility_level: 0 }, { visibility: 'private' }, 'on-export'],
  [
    'that are two',
    { merge_method: 'ff' },
    { merge_requests_ff_only_enabled: true, merge_requests_rebase_enabled: false },
    { merge_method: 'merge' },
    'on-import',
  ],
  [
    'that are two',
    { merge_method: 'ff' },
    { merge_requests_rebase_enabled: false },
    { merge_method: 'merge' },
    'on-export',
  ],
  ['that the repository has', { default_branch: 'trunk' }, {}, { default_branch: 'main' }, null],
] as const)(
  'the column %s tells on which side it was lost: %o, %o, %o',
  (_, source, archive, target, lost) => {
    expect(differingSettings(source, {}, archive, target)).toEqual([expect.objectContaining({ lost })]);
  },
);
