import { expect, it } from 'vitest';
import { archiveWith, differing } from '../../../../support/migrations/compared-settings.ts';
import {
  comparedSettings,
  type ArchivedSettings,
  type Attributes,
} from '../../../../../src-main/jobs/migrations/comparing/settings/setting-table.ts';
import type { UncomparedPart } from '../../../../../src-contract/transfers/uncompared-parts.ts';
import { projectAttributes } from '../../../../../src-contract/projects/project-attributes.ts';

it.each([
  ['a number', { build_timeout: 7200 }, { build_timeout: 3600 }, ['build_timeout', '7200', '3600']],
  ['a switch', { public_jobs: false }, { public_jobs: true }, ['public_jobs', 'false', 'true']],
  ['a choice', { merge_method: 'ff' }, { merge_method: 'merge' }, ['merge_method', 'ff', 'merge']],
  [
    'the level of a feature',
    { wiki_access_level: 'private' },
    { wiki_access_level: 'enabled' },
    ['wiki_access_level', 'private', 'enabled'],
  ],
  [
    'a text',
    { squash_commit_template: '%{title}' },
    { squash_commit_template: null },
    ['squash_commit_template', '%{title}', ''],
  ],
  [
    'the disabling of shared runners',
    { shared_runners_enabled: false },
    { shared_runners_enabled: true },
    ['shared_runners_enabled', 'false', 'true'],
  ],
  [
    'the disabling of group runners',
    { group_runners_enabled: false },
    { group_runners_enabled: true },
    ['group_runners_enabled', 'false', 'true'],
  ],
])('%s is reported if the target has another value', (_, source, target, [attribute, expected, found]) => {
  expect(differing({ source, target })).toEqual({
    settings: [{ attribute, expected, found, lost: null }],
    declared: [],
    remarks: [],
  });
});

it.each<[string, Attributes, Attributes]>([
  ['a setting with the same value', { build_timeout: 3600 }, { build_timeout: 3600 }],
  [
    'a setting that the source does not report',
    {},
    { build_timeout: 3600, releases_access_level: 'private' },
  ],
  [
    'a switch that is reported as null',
    { allow_merge_on_skipped_pipeline: false },
    { allow_merge_on_skipped_pipeline: null },
  ],
  ['a list in another order', { topics: ['one', 'two'] }, { topics: ['two', 'one'] }],
  ['an attribute that is no setting', { open_issues_count: 1 }, { open_issues_count: 2 }],
  ['the archived state that a migration sets on its source', { archived: true }, { archived: false }],
])('nothing is reported for %s', (_, source, target) => {
  expect(differing({ source, target })).toEqual({ settings: [], declared: [], remarks: [] });
});

it('a feature that was limited to members differs, also if its project became private', () => {
  const [source, target] = [
    { visibility: 'public', wiki_access_level: 'enabled' },
    { visibility: 'private' },
  ];
  const differingAttributes = (level: string) =>
    differing({ source, target: { ...target, wiki_access_level: level } }).settings.map(
      ({ attribute }) => attribute,
    );
  // An import lowers the visibility only: the level stays when the project gets its visibility back.
  expect(differingAttributes('private')).toEqual(['visibility', 'wiki_access_level']);
  expect(differingAttributes('disabled')).toEqual(['visibility', 'wiki_access_level']);
  expect(
    differing({
      source: { visibility: 'private', wiki_access_level: 'private' },
      target: { visibility: 'private', wiki_access_level: 'enabled' },
    }).settings,
  ).toHaveLength(1);
});

it.each<[string, Attributes, Attributes]>([
  [
    'shared runners that the group disables',
    { shared_runners_enabled: true },
    { shared_runners_enabled: false },
  ],
  [
    'registries that the server does not have',
    { container_registry_access_level: 'enabled' },
    { container_registry_access_level: 'disabled' },
  ],
  [
    'artifacts that no project of the server keeps',
    { keep_latest_artifact: true },
    { keep_latest_artifact: false },
  ],
])('%s are declared and not reported as a loss', (_, source, target) => {
  const { settings, declared } = differing({
    source,
    target,
    archive: archiveWith({
      project: { shared_runners_enabled: true },
      project_feature: { container_registry_access_level: 20 },
      ci_cd_settings: { keep_latest_artifact: true },
    }),
  });
  expect(settings).toEqual([]);
  const [attribute] = Object.keys(source);
  expect(declared).toEqual([
    expect.stringMatching(new RegExp(`The target may decide these settings.*: ${attribute} is `)),
  ]);
});

it('a registry that is enabled on the target but disabled on the source is a loss', () => {
  const [source, target] = ['disabled', 'enabled'].map((level) => ({
    container_registry_access_level: level,
  }));
  expect(differing({ source: source ?? null, target: target ?? {} }).settings).toHaveLength(1);
});

it('a setting that no export contains is declared with both values and not reported as a loss', () => {
  const archive = archiveWith({ ci_cd_settings: { group_runners_enabled: true } });
  const source = { ci_forward_deployment_enabled: false, ci_default_git_depth: 50, lfs_enabled: true };
  const target = { ci_forward_deployment_enabled: true, ci_default_git_depth: 20, lfs_enabled: true };
  expect(differing({ source, target, archive })).toEqual({
    settings: [],
    declared: [],
    remarks: [
      'An export does not carry these settings, so set them on the target if they matter: ' +
        'ci_default_git_depth is 20 and was 50; ci_forward_deployment_enabled is true and was false.',
    ],
  });
});

it('a setting whose column no archive has is declared and not reported as a loss', () => {
  const archive = archiveWith({ project: {} });
  const { settings, remarks } = differing({
    source: { lfs_enabled: true },
    target: { lfs_enabled: false },
    archive,
  });
  expect(settings).toEqual([]);
  expect(remarks).toEqual([expect.stringMatching(/An export does not carry .*: lfs_enabled is false/)]);
});

it('the path of the CI configuration, which only older exports contain, is a loss if the archive has its column', () => {
  const [source, target] = [{ ci_config_path: 'ci.yml' }, { ci_config_path: '' }];
  const current = differing({ source, target, archive: archiveWith({ project: { build_timeout: 3600 } }) });
  expect(current.settings).toEqual([]);
  expect(current.remarks).toEqual([expect.stringMatching(/does not carry .*: ci_config_path is not set/)]);
  const older = differing({ source, target, archive: archiveWith({ project: { ci_config_path: null } }) });
  expect(older.settings).toEqual([
    { attribute: 'ci_config_path', expected: 'ci.yml', found: '', lost: 'on-export' },
  ]);
});

it('the strategy of Auto DevOps is lost on export if the archive lacks it', () => {
  const [source, target] = [
    { auto_devops_deploy_strategy: 'manual' },
    { auto_devops_deploy_strategy: 'continuous' },
  ];
  expect(differing({ source, target, archive: archiveWith({ auto_devops: {} }) }).settings).toMatchObject([
    { attribute: 'auto_devops_deploy_strategy', lost: 'on-export' },
  ]);
});

it('a setting that exports seldom contain is a loss of the import if the archive contains its value', () => {
  const source = { ci_forward_deployment_enabled: false };
  const target = { ci_forward_deployment_enabled: true };
  const lost = (archived: boolean) =>
    differing({
      source,
      target,
      archive: archiveWith({ ci_cd_settings: { forward_deployment_enabled: archived } }),
    }).settings[0]?.lost;
  expect(lost(false)).toBe('on-import');
  // The source may have got its value after the export.
  expect(lost(true)).toBe(undefined);
});

it('an override is expected instead of the value on the source', () => {
  const [source, overrides] = [{ build_timeout: 3600 }, { build_timeout: '7200' }];
  expect(differing({ source, overrides, target: { build_timeout: 7200 } }).settings).toEqual([]);
  expect(differing({ source, overrides, target: { build_timeout: 3600 } }).settings).toEqual([
    { attribute: 'build_timeout', expected: '7200', found: '3600', lost: 'on-import' },
  ]);
  expect(differing({ overrides, target: { build_timeout: 3600 } }).settings).toHaveLength(1);
});

it('an override by a deprecated name is expected instead of the value of its replacement', () => {
  const source = { issues_enabled: true, issues_access_level: 'enabled' };
  const overrides = { issues_enabled: 'false' };
  const target = { issues_enabled: false, issues_access_level: 'disabled' };
  expect(differing({ source, overrides, target }).settings).toEqual([]);
  expect(differing({ source, overrides, target: source }).settings).toEqual([
    { attribute: 'issues_enabled', expected: 'false', found: 'true', lost: 'on-import' },
  ]);
});

it('the archived value is expected if the source cannot be read', () => {
  const archive = archiveWith({
    project: { build_timeout: 7200, ci_config_path: null, description: 'Old' },
    project_feature: { wiki_access_level: 10, issues_access_level: 20 },
  });
  const target = {
    build_timeout: 3600,
    ci_config_path: '.ci.yml',
    description: 'Old',
    wiki_access_level: 'enabled',
    issues_access_level: 'enabled',
    pages_access_level: 'private',
  };
  expect(differing({ archive, target }).settings).toEqual([
    { attribute: 'build_timeout', expected: '7200', found: '3600', lost: 'on-import' },
    { attribute: 'wiki_access_level', expected: 'private', found: 'enabled', lost: 'on-import' },
  ]);
});

it.each<[string, Attributes, Partial<ArchivedSettings>, Attributes, 'on-import' | 'on-export' | null]>([
  [
    'of the same name',
    { build_timeout: 7200 },
    { project: { build_timeout: 7200 } },
    { build_timeout: 3600 },
    'on-import',
  ],
  [
    'of the same name',
    { build_timeout: 7200 },
    { project: { build_timeout: 3600 } },
    { build_timeout: 3600 },
    'on-export',
  ],
  ['that is missing', { build_timeout: 7200 }, {}, { build_timeout: 3600 }, 'on-export'],
  ['that cannot be read', { build_timeout: 7200 }, { project: null }, { build_timeout: 3600 }, null],
  [
    'of another name',
    { public_jobs: false },
    { project: { public_builds: false } },
    { public_jobs: true },
    'on-import',
  ],
  [
    'of another name',
    { public_jobs: false },
    { project: { public_builds: true } },
    { public_jobs: true },
    'on-export',
  ],
  [
    'of levels',
    { visibility: 'internal' },
    { project: { visibility_level: 10 } },
    { visibility: 'private' },
    'on-import',
  ],
  [
    'of levels',
    { visibility: 'internal' },
    { project: { visibility_level: 0 } },
    { visibility: 'private' },
    'on-export',
  ],
  [
    'of a feature',
    { pages_access_level: 'public' },
    { project_feature: { pages_access_level: 30 } },
    { pages_access_level: 'private' },
    'on-import',
  ],
  [
    'of a feature',
    { issues_access_level: 'disabled' },
    { project_feature: { wiki_access_level: 20 } },
    { issues_access_level: 'enabled' },
    'on-export',
  ],
  [
    'of pipelines',
    { ci_default_git_depth: 50 },
    { ci_cd_settings: { default_git_depth: 50 } },
    { ci_default_git_depth: 20 },
    'on-import',
  ],
  [
    'of pipelines',
    { ci_default_git_depth: 50 },
    { ci_cd_settings: { runner_token_expiration_interval: null } },
    { ci_default_git_depth: 20 },
    'on-export',
  ],
  [
    'of Auto DevOps',
    { auto_devops_enabled: true },
    { auto_devops: { enabled: true } },
    { auto_devops_enabled: false },
    'on-import',
  ],
  [
    'that consists of two columns',
    { merge_method: 'ff' },
    { project: { merge_requests_ff_only_enabled: true, merge_requests_rebase_enabled: false } },
    { merge_method: 'merge' },
    'on-import',
  ],
  [
    'that consists of two columns',
    { merge_method: 'ff' },
    { project: { merge_requests_rebase_enabled: false } },
    { merge_method: 'merge' },
    'on-export',
  ],
  ['that only the repository contains', { default_branch: 'trunk' }, {}, { default_branch: 'main' }, null],
])(
  'the archived column %s decides on which side the setting was lost: %o, %o, %o',
  (_, source, parts, target, lost) => {
    expect(differing({ source, archive: archiveWith(parts), target }).settings).toEqual([
      expect.objectContaining({ lost }),
    ]);
  },
);

it('every attribute that can be set is compared, is listed as not compared, or is not a setting that migrates', () => {
  const uncompared: Record<string, UncomparedPart> = {
    ...Object.fromEntries(
      projectAttributes
        .filter(({ name }) => name.includes('mirror'))
        .map(({ name }) => [name, 'mirroring' as const]),
    ),
  };
  const notMigrated = [
    // The avatar is compared as a file.
    'avatar',
    'name',
    'path',
    'namespace_id',
    'import_url',
    'repository_storage',
    'repository_object_format',
    'initialize_with_readme',
    'use_custom_template',
    'template_name',
    'template_project_id',
    'group_with_project_templates_id',
  ];
  const compared = [
    ...comparedSettings.map(({ attribute }) => attribute).filter((name) => !name.includes('.')),
    'container_expiration_policy_attributes',
  ];
  const names = projectAttributes
    .filter(
      ({ deprecated, missingInSpecification }) => deprecated !== true && missingInSpecification !== true,
    )
    .map(({ name }) => name);
  const listsWith = (name: string): number =>
    [compared, Object.keys(uncompared), notMigrated].filter((list) => list.includes(name)).length;
  expect(names.filter((name) => listsWith(name) !== 1)).toEqual([]);
  expect(compared).toHaveLength(new Set(compared).size);
});
