import { describe, expect, test } from 'vitest';
import { overrideProblems, readOverrides } from '../../../../src-contract/transfers/override-params.ts';
import { overrideFields, overrideObject } from '../../../../src-main/gitlab/transfers/override-fields.ts';

const policy = 'container_expiration_policy_attributes';

describe('an override of an import', () => {
  test.each([
    ['visiblity', 'private', 'The most similar name is "visibility"'],
    ['visibility', 'purple', '"visibility" must be one of private, internal, public.'],
    ['lfs_enabled', 'on', '"lfs_enabled" must be true or false.'],
    ['build_timeout', 'soon', '"build_timeout" must be a whole number.'],
    ['namespace_id', '7', 'There is no attribute "namespace_id"'],
    ['description', ' ', '"description" has no value.'],
    ['name', 'x', 'a separate field'],
    ['path', 'x', 'a separate field'],
    ['avatar', '/a.png', 'cannot set "avatar"'],
    ['import_url', 'https://u:p@x.example', 'cannot set "import_url"'],
    [policy, '25', 'must be a JSON object with some of'],
    [policy, '{"keep_m":25}', 'has no "keep_m"'],
    [`${policy}[keep_n]`, '25', 'There is no attribute'],
    ['constructor', 'x', 'There is no attribute "constructor"'],
  ])('%s=%s is refused', (name, text, sentence) => {
    expect(() => readOverrides({ [name]: text })).toThrow(sentence);
  });

  test('has all its problems reported at once', () => {
    expect(
      overrideProblems({ visiblity: 'private', lfs_enabled: 'on', squash_option: 'never' }),
    ).toHaveLength(2);
  });

  test('is read like its attribute', () => {
    expect(readOverrides({ visibility: 'private', lfs_enabled: 'false', [policy]: '{"keep_n":25}' })).toEqual(
      {
        visibility: 'private',
        lfs_enabled: false,
        [policy]: { keep_n: 25 },
      },
    );
  });

  test('that is a hash is sent field by field in a form, and as an object in JSON', () => {
    const overrides = { topics: 'a,b', [policy]: '{"keep_n":25,"enabled":true}' };
    expect(overrideFields(overrides)).toEqual([
      ['override_params[topics]', 'a,b'],
      [`override_params[${policy}][keep_n]`, '25'],
      [`override_params[${policy}][enabled]`, 'true'],
    ]);
    expect(overrideObject(overrides)).toEqual({ topics: 'a,b', [policy]: { keep_n: 25, enabled: true } });
  });
});
