import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-contract/errors.ts';
import { attributeNamed, type AttributeUse } from '../../../../src-contract/projects/project-attributes.ts';
import {
  checkAttributes,
  parseAttribute,
} from '../../../../src-contract/projects/project-attribute-values.ts';

/** Returns the error, which must be `invalid-input`. Any other error fails the test. */
function refusal(run: () => unknown): { message: string; attributes: unknown } {
  try {
    run();
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    expect(thrown.code).toBe('invalid-input');
    return { message: thrown.message, attributes: thrown.details['attributes'] };
  }
  throw new Error('It was accepted.');
}

const read = (name: string, text: string): unknown => {
  const attribute = attributeNamed(name);
  if (attribute === undefined) throw new Error(`No attribute ${name}.`);
  return parseAttribute(attribute, text);
};

describe('the text of an attribute', () => {
  test.each([
    ['lfs_enabled', 'true', true],
    ['lfs_enabled', 'false', false],
    ['build_timeout', '3600', 3600],
    ['build_timeout', '0', 0],
    ['name', 'true', 'true'],
    ['description', '', ''],
    ['description', ' a=b ', ' a=b '],
    ['merge_method', 'ff', 'ff'],
    ['topics', 'a, b,,c ', ['a', 'b', 'c']],
    ['topics', '', []],
    ['avatar', '/tmp/a.png', '/tmp/a.png'],
    ['avatar', '', ''],
    [
      'container_expiration_policy_attributes',
      '{"cadence":"1d","keep_n":5,"enabled":true}',
      { cadence: '1d', keep_n: 5, enabled: true },
    ],
  ])('%s=%s is read', (name, text, value) => {
    expect(read(name, text)).toEqual(value);
  });

  test.each([
    ['lfs_enabled', 'yes', '"lfs_enabled" must be true or false.'],
    ['lfs_enabled', '', '"lfs_enabled" must be true or false.'],
    ['build_timeout', '1h', '"build_timeout" must be a whole number.'],
    ['build_timeout', '-1', '"build_timeout" must be a whole number.'],
    ['build_timeout', '99999999999999999999', '"build_timeout" must be a whole number.'],
    ['merge_method', 'squash', '"merge_method" must be one of merge, rebase_merge, ff.'],
    [
      'container_expiration_policy_attributes',
      '[1]',
      '"container_expiration_policy_attributes" must be a JSON object with some of cadence, keep_n, older_than, name_regex, name_regex_delete, name_regex_keep, enabled.',
    ],
    [
      'container_expiration_policy_attributes',
      '{"keep":5}',
      '"container_expiration_policy_attributes" has no "keep"; it has cadence, keep_n, older_than, name_regex, name_regex_delete, name_regex_keep, enabled.',
    ],
    [
      'container_expiration_policy_attributes',
      '{"keep_n":"5"}',
      '"container_expiration_policy_attributes.keep_n" must be a whole number.',
    ],
  ])('%s=%s is refused with a sentence', (name, text, sentence) => {
    expect(refusal(() => read(name, text))).toEqual({ message: sentence, attributes: name });
  });

  test('that is not JSON is refused as a hash', () => {
    expect(refusal(() => read('container_expiration_policy_attributes', '{')).message).toContain(
      'JSON object',
    );
  });
});

describe('attributes are accepted unchanged', () => {
  test.each<[AttributeUse, Record<string, unknown>]>([
    ['create', { name: 'App' }],
    ['create', { path: 'app', visibility: 'private', topics: ['a'] }],
    ['create', { name: 'App', default_branch: 'main', initialize_with_readme: true }],
    ['create', { name: 'App', initialize_with_readme: true, import_url: '' }],
    ['create', { name: 'App', initialize_with_readme: false, import_url: 'https://example.com/a.git' }],
    ['create', { name: 'App', use_custom_template: true, group_with_project_templates_id: 3 }],
    ['create', { name: '📦 Pack-horse + ünï 1.0', path: 'a.b-c_d1' }],
    ['create', { name: 'App', issues_enabled: true }],
    ['create', { name: 'a'.repeat(255), description: 'd'.repeat(2000) }],
    ['createFor', { name: 'App', suggestion_commit_message: 'x' }],
    ['edit', { default_branch: 'main' }],
    ['edit', { import_url: 'https://example.com/a.git' }],
    ['edit', { path: '_old--path' }],
  ])('for %s: %o', (use, values) => {
    expect(checkAttributes(use, values)).toEqual(values);
  });

  test('except undefined ones, which are left out', () => {
    expect(checkAttributes('create', { name: 'App', path: undefined })).toStrictEqual({ name: 'App' });
  });
});

describe('attributes are refused before they are sent', () => {
  test.each<[AttributeUse, Record<string, unknown>, string]>([
    [
      'create',
      { name: 'A', visibilty: 'private' },
      'There is no attribute "visibilty" when a project is created. The most similar name is "visibility".',
    ],
    ['create', { name: 'A', colour: 1 }, 'There is no attribute "colour" when a project is created.'],
    [
      'createFor',
      { name: 'A', merge_trains_enabled: true },
      'There is no attribute "merge_trains_enabled" when a project is created for a user.',
    ],
    ['edit', { namespace_id: 1 }, 'There is no attribute "namespace_id" when a project is edited.'],
    ['edit', { lfs_enabled: 'true' }, '"lfs_enabled" must be true or false.'],
    ['edit', { topics: 'a' }, '"topics" must be a list of texts.'],
    ['edit', { topics: [1] }, '"topics" must be a list of texts.'],
    ['edit', { description: null }, '"description" must be a text.'],
    ['edit', { build_timeout: 1.5 }, '"build_timeout" must be a whole number.'],
    ['edit', {}, 'No attribute was given.'],
    ['create', {}, 'A new project needs a "name" or a "path".'],
    ['create', { name: '', path: '' }, 'A new project needs a "name" or a "path".'],
    ['createFor', { path: 'app' }, 'A project that is created for a user needs a "name".'],
    [
      'create',
      { name: 'A', default_branch: 'main' },
      '"default_branch" of a new project needs initialize_with_readme=true.',
    ],
    [
      'create',
      { name: 'A', initialize_with_readme: true, import_url: 'https://example.com/a.git' },
      '"initialize_with_readme" and "import_url" both define the initial repository; set only one of them.',
    ],
    [
      'create',
      { name: 'A', initialize_with_readme: true, template_name: 'rails' },
      '"initialize_with_readme" and "template_name" both define the initial repository; set only one of them.',
    ],
    [
      'create',
      { name: 'A', group_with_project_templates_id: 3 },
      '"group_with_project_templates_id" needs use_custom_template=true.',
    ],
    [
      'create',
      { name: 'A', template_project_id: 3, use_custom_template: false },
      '"template_project_id" needs use_custom_template=true.',
    ],
    ['create', { path: '-app' }, 'A path must not begin with "-".'],
    ['create', { path: '.app' }, 'A path must begin and end with a letter or a digit.'],
    ['create', { path: 'app_' }, 'A path must begin and end with a letter or a digit.'],
    ['create', { path: 'a--b' }, 'A path must not contain two of "_", "-" and "." in a row.'],
    ['create', { path: 'a.-b' }, 'A path must not contain two of "_", "-" and "." in a row.'],
    [
      'create',
      { path: 'grün' },
      'A path may contain only letters without accents, digits, "_", "-" and ".".',
    ],
    ['create', { path: 'a/b' }, 'A path may contain only letters without accents, digits, "_", "-" and ".".'],
    ['create', { path: 'app.git' }, 'A path must not end in ".git" or ".atom".'],
    ['edit', { path: 'app.ATOM' }, 'A path must not end in ".git" or ".atom".'],
    ['edit', { path: '-app' }, 'A path must not begin with "-".'],
    ['edit', { path: '' }, 'A path cannot be empty.'],
    ['create', { path: 'Tree' }, '"Tree" is a reserved name.'],
    ['create', { path: 'environments/folders' }, '"environments/folders" is a reserved name.'],
    ['create', { path: '-' }, '"-" is a reserved name.'],
    ['create', { path: 'a'.repeat(256) }, 'A path may have at most 255 characters.'],
    ['create', { name: 'ä'.repeat(256) }, 'A name may have at most 255 characters.'],
    [
      'create',
      { name: '-app' },
      'A name must begin with a letter, a digit, an emoji or "_". It may also contain ".", "+", "-" and spaces.',
    ],
    [
      'create',
      { name: 'a/b' },
      'A name must begin with a letter, a digit, an emoji or "_". It may also contain ".", "+", "-" and spaces.',
    ],
    [
      'create',
      { name: 'A', description: 'd'.repeat(2001) },
      'A description may have at most 2,000 characters.',
    ],
  ])('for %s: %o', (use, values, sentence) => {
    expect(refusal(() => checkAttributes(use, values)).message).toBe(sentence);
  });

  test('with all problems, and the names of the attributes concerned', () => {
    const values = { path: 'a--b', default_branch: 'main', group_with_project_templates_id: 3 };
    expect(refusal(() => checkAttributes('create', values))).toEqual({
      message:
        '"default_branch" of a new project needs initialize_with_readme=true. "group_with_project_templates_id" needs use_custom_template=true. A path must not contain two of "_", "-" and "." in a row.',
      attributes:
        'default_branch, initialize_with_readme, group_with_project_templates_id, use_custom_template, path',
    });
  });
});
