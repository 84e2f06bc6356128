import { describe, expect, it } from 'vitest';
import {
  conflictsOf,
  mapGroup,
  placementFor,
  placementProblems,
  waveOf,
} from '../../../../src-main/jobs/migrations/placing.ts';

const placement = (namespace: string, path: string, name: string | null = null) => ({
  namespace,
  path,
  name,
  overwrite: false,
  overrideParams: {},
});

describe('the target group', () => {
  const rules = [
    { from: '', to: 'all' },
    { from: 'old', to: 'new' },
    { from: 'old/secret', to: 'vault/deep' },
  ];
  it.each([
    ['old', 'new'],
    ['old/app', 'new/app'],
    ['OLD/App', 'new/App'],
    ['old/secret', 'vault/deep'],
    ['old/secret/inner', 'vault/deep/inner'],
    ['older', 'all/older'],
    ['other/sub', 'all/other/sub'],
  ])('of %s is %s by the longest matching rule', (group, expected) => {
    expect(mapGroup(group, rules)).toBe(expected);
  });

  it('is the source group without a rule', () => {
    expect(mapGroup('team/app', [])).toBe('team/app');
    expect(placementFor({ fullPath: 'team/app/core', name: 'The core' }, [])).toMatchObject({
      ...{ namespace: 'team/app', path: 'core', name: 'The core' },
    });
  });
});

describe('the check of a placement', () => {
  it.each(['core', 'core-2', 'a.b_c', 'CORE', '0'])('accepts the path %s', (path) => {
    expect(placementProblems(placement('team', path))).toEqual([]);
  });

  it.each([
    ['tree', /reserves/],
    ['Wikis', /reserves/],
    ['app.git', /must not end/],
    ['app.atom', /must not end/],
    ['-app', /not valid/],
    ['app-', /not valid/],
    ['a..b', /not valid/],
    ['a b', /not valid/],
    ['x'.repeat(256), /longer than 255/],
  ])('rejects the path %s', (path, sentence) => {
    expect(placementProblems(placement('team', path))).toEqual([expect.stringMatching(sentence)]);
  });

  it('has separate rules for a name', () => {
    expect(placementProblems(placement('team', 'core', 'Über uns'))).toEqual([]);
    expect(placementProblems(placement('team', 'core', '🚀 Launch'))).toEqual([]);
    expect(placementProblems(placement('team', 'core', '-core'))).toHaveLength(1);
    expect(placementProblems(placement('team', 'core', 'n'.repeat(256)))).toHaveLength(1);
  });

  it.each(['team', 'Team/under_way', 'a.b/c', '_old/.group'])('accepts the group %s', (group) => {
    expect(placementProblems(placement(group, 'core'))).toEqual([]);
  });

  it.each(['bad//x', '/team', 'team/', '-x', 'team/a b', 'team/app.git', 'tëam'])(
    'rejects the group %s',
    (group) => {
      expect(placementProblems(placement(group, 'core'))).toEqual([
        expect.stringContaining('not a valid group path'),
      ]);
    },
  );

  it.each([
    ['visibility', 'purple', /private, internal, public/],
    ['emails_enabled', 'sometimes', /true or false/],
    ['build_timeout', 'soon', /whole number/],
  ])('rejects the setting %s with the value %s', (name, value, sentence) => {
    const wanted = { ...placement('team', 'core'), overrideParams: { [name]: value, description: 'purple' } };
    expect(placementProblems(wanted)).toEqual([expect.stringMatching(sentence)]);
  });

  it('accepts settings with valid values', () => {
    const overrideParams = { visibility: 'private', lfs_enabled: 'false', build_timeout: '3600' };
    expect(placementProblems({ ...placement('team', 'core'), overrideParams })).toEqual([]);
  });

  it('rejects a setting that no project has and suggests the most similar name', () => {
    const overrideParams = { visiblity: 'private' };
    expect(placementProblems({ ...placement('team', 'core'), overrideParams })).toEqual([
      'There is no attribute "visiblity" when a project is edited. The most similar name is "visibility".',
    ]);
  });

  it('rejects a project without a target group', () => {
    expect(placementProblems(placement('', 'core'))).toHaveLength(1);
  });
});

describe('two projects', () => {
  it('with the same target path, ignoring case, are both reported, except an excluded one', () => {
    const project = (sourcePath: string, path: string, leftOut = false) => ({
      sourcePath,
      placement: placement('team', path),
      leftOut,
    });
    const conflicts = conflictsOf([
      project('a/core', 'core'),
      project('b/Core', 'Core'),
      project('c/core', 'core', true),
      project('d/other', 'other'),
    ]);
    expect(conflicts.map((sentences) => sentences.length)).toEqual([1, 1, 0, 0]);
    expect(conflicts[0]?.[0]).toContain('b/Core');
    expect(conflicts[1]?.[0]).toContain('a/core');
  });
});

it('waves are filled in order', () => {
  expect([0, 1, 2, 3, 4].map((index) => waveOf(index, 2))).toEqual([1, 1, 2, 2, 3]);
  expect([0, 7].map((index) => waveOf(index, null))).toEqual([1, 1]);
});
