import { describe, expect, test } from 'vitest';
import {
  attributeNamed,
  attributesFor,
  nearestAttribute,
  projectAttributes,
} from '../../../../src-contract/projects/project-attributes.ts';

const without = (names: Set<string>, others: Set<string>): string[] =>
  [...names].filter((name) => !others.has(name)).toSorted();

const namesFor = (use: 'create' | 'createFor' | 'edit'): Set<string> =>
  new Set(
    attributesFor(use).flatMap(({ name, missingInSpecification }) =>
      missingInSpecification === true ? [] : [name],
    ),
  );

describe('the table of attributes', () => {
  test('names each attribute once', () => {
    const names = projectAttributes.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.map((name) => attributeNamed(name)?.name)).toEqual(names);
  });

  test('has the 19 feature access levels, for every use', () => {
    const levels = projectAttributes.filter(
      ({ name, missingInSpecification }) => name.endsWith('_access_level') && missingInSpecification !== true,
    );
    expect(levels).toHaveLength(19);
    for (const { name, uses, values } of levels) {
      expect(uses).toEqual(['create', 'createFor', 'edit']);
      const open = name === 'pages_access_level' ? ['public'] : [];
      expect(values).toEqual(['disabled', 'private', 'enabled', ...open]);
    }
  });

  test('has 76 attributes for creating, 77 for creating for a user and 93 for editing', () => {
    expect([namesFor('create').size, namesFor('createFor').size, namesFor('edit').size]).toEqual([
      76, 77, 93,
    ]);
  });

  test('has the attributes that GitLab documents beyond the specification', () => {
    const beyond = projectAttributes.filter(({ missingInSpecification }) => missingInSpecification === true);
    expect(beyond.map(({ name }) => name).toSorted()).toEqual([
      'auto_duo_code_review_enabled',
      'ci_delete_pipelines_in_seconds',
      'ci_id_token_sub_claim_components',
      'duo_remote_flows_enabled',
      'fallback_approvals_required',
      'max_artifacts_size',
      'merge_request_title_regex',
      'merge_request_title_regex_description',
      'merge_trains_skip_train_allowed',
      'mirror_branch_regex',
      'package_registry_access_level',
      'resource_group_default_process_mode',
      'show_diff_preview_in_email',
      'spp_repository_pipeline_access',
      'web_based_commit_signing_enabled',
    ]);
  });

  test('leaves out and adds the same attributes as the specification for a project that is created for a user', () => {
    const [create, createFor] = [namesFor('create'), namesFor('createFor')];
    expect(without(create, createFor)).toEqual([
      'container_expiration_policy_attributes',
      'merge_pipelines_enabled',
      'merge_trains_enabled',
      'template_project_id',
    ]);
    expect(without(createFor, create)).toEqual([
      'enforce_auth_checks_on_uploads',
      'issue_branch_template',
      'merge_commit_template',
      'squash_commit_template',
      'suggestion_commit_message',
    ]);
  });

  test('leaves out for editing the attributes of new projects, and adds the 24 attributes of the specification', () => {
    const [create, edit] = [namesFor('create'), namesFor('edit')];
    expect(without(create, edit)).toEqual([
      'group_with_project_templates_id',
      'initialize_with_readme',
      'namespace_id',
      'repository_object_format',
      'template_name',
      'template_project_id',
      'use_custom_template',
    ]);
    expect(without(edit, create)).toHaveLength(24);
  });

  test('names the attribute that replaces a deprecated one, if there is one', () => {
    const deprecated = projectAttributes.filter((attribute) => attribute.deprecated === true);
    expect(deprecated).toHaveLength(10);
    for (const { name, replacedBy } of deprecated) {
      if (name === 'approvals_before_merge') expect(replacedBy).toBeUndefined();
      else expect(attributeNamed(replacedBy ?? '')?.deprecated, name).toBeUndefined();
    }
  });

  test.each([
    ['repository_storage', { administratorsOnly: true }],
    ['mirror_user_id', { administratorsOnly: true, tier: 'higher' }],
    ['only_allow_merge_if_all_status_checks_passed', { tier: 'highest' }],
    ['model_registry_access_level', { since: '16.7' }],
    ['repository_object_format', { since: '16.9', defaultValue: 'sha1' }],
    ['ci_pipeline_variables_minimum_override_role', { since: '17.1' }],
    ['build_git_strategy', { defaultValue: 'fetch' }],
  ])('%s is marked %o', (name, marks) => {
    expect(attributeNamed(name)).toMatchObject(marks);
  });
});

test.each([
  ['visibilty', 'create', 'visibility'],
  ['merge-method', 'edit', 'merge_method'],
  ['MERGE_METHOD', 'edit', 'merge_method'],
  ['topic', 'create', 'topics'],
  ['nmae', 'create', 'name'],
  ['issue_access_level', 'edit', 'issues_access_level'],
  ['wiki', 'edit', 'wiki_access_level'],
  ['container_exp', 'edit', 'container_expiration_policy_attributes'],
  ['ci_default', 'edit', 'ci_default_git_depth'],
  ['ci_default', 'create', null],
  ['namespace_id', 'edit', null],
  ['zz', 'create', null],
  ['', 'create', null],
  ['colour', 'create', null],
] as const)('the attribute nearest to "%s" for %s is %s', (key, use, nearest) => {
  expect(nearestAttribute(key, use)).toBe(nearest);
});
