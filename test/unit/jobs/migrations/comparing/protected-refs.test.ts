import { describe, expect, it } from 'vitest';
import {
  lostProtections,
  parseProtectedRef,
  type ProtectedRef,
  type ProtectedRefsToCompare,
} from '../../../../../src-main/jobs/migrations/comparing/refs/protected-refs.ts';
import { isGraveRecord } from '../../../../../src-contract/transfers/gravity.ts';
import { partWords } from '../../../../support/migrations/part-words.ts';

const push = 'push access level';
const main = (rules: ProtectedRef['rules'] = { [push]: 40, 'force push': 0 }): ProtectedRef => ({
  name: 'main',
  rules,
});
const noSingles = (action: string) => ({ [`users who may ${action}`]: 0, [`groups that may ${action}`]: 0 });
const archived = (rules?: ProtectedRef['rules']) => [{ ...main(rules), line: 2 }];

/** Returns the same protections on all sides, except for `changes`. */
const sides = (changes: Partial<ProtectedRefsToCompare>): ProtectedRefsToCompare => ({
  relation: 'protected_branches',
  source: [main()],
  archive: archived(),
  target: [main()],
  hasSourceChanged: false,
  ...changes,
});
const lower = { [push]: 30, 'force push': 0 };
const forced = { [push]: 40, 'force push': 1 };

describe('a protected branch', () => {
  it.each<[string, Partial<ProtectedRefsToCompare>, [string, string | null][]]>([
    ['that is the same on all sides is no loss', {}, []],
    ['that the target lacks was lost on import', { target: [] }, [['on-import', null]]],
    ['that the archive lacks was lost on export', { archive: [], target: [] }, [['on-export', null]]],
    [
      'with a lower level on the target was changed on import',
      { target: [main(lower)] },
      [['on-import', `${push} 40 30`]],
    ],
    [
      'with a lower level in the archive was changed on export',
      { archive: archived(lower), target: [main(lower)] },
      [['on-export', `${push} 40 30`]],
    ],
    [
      'that allows force pushes on the target was changed on import',
      { target: [main(forced)] },
      [['on-import', 'force push 0 1']],
    ],
    [
      'with no role on the target was changed on import',
      { target: [main({ ...lower, [push]: null })] },
      [['on-import', `${push} 40 no role`]],
    ],
    [
      'with no role in the archive was changed on export',
      { archive: archived({ ...lower, [push]: null }), target: [main({ ...lower, [push]: null })] },
      [['on-export', `${push} 40 no role`]],
    ],
    [
      'with a right that only individual users had, and a role has on the target, was changed on import',
      { source: [main({ [push]: null })], archive: archived({ [push]: null }), target: [main(lower)] },
      [['on-import', `${push} no role 30`]],
    ],
    [
      'with fewer individual users on the target was changed on import',
      {
        source: [main({ 'users who may push': 2 })],
        archive: archived({ 'users who may push': 2 }),
        target: [main({ 'users who may push': 1 })],
      },
      [['on-import', 'users who may push 2 1']],
    ],
    ['that only the target has is no loss', { source: [], archive: [] }, []],
    [
      'can only be lost on import if the source may not be read',
      { source: null, target: [main(lower)] },
      [['on-import', `${push} 40 30`]],
    ],
  ])('%s', (_rule, changes, lost) => {
    const { missing, declared, isTargetUnreadable } = lostProtections(sides(changes));
    expect(missing.map((record) => [record.lost, partWords(record)])).toEqual(lost);
    expect(
      missing.every(({ relation, title }) => relation === 'protected_branches' && title === 'main'),
    ).toBe(true);
    expect({ declared, isTargetUnreadable }).toEqual({ declared: [], isTargetUnreadable: false });
  });

  it('with a level that the import raised to Maintainer is declared, because GitLab does so unless an Owner imports', () => {
    const developers = [{ name: 'main', rules: lower }];
    expect(lostProtections(sides({ source: developers, archive: archived(lower) }))).toMatchObject({
      missing: [],
      declared: [],
      remarks: [
        expect.stringMatching(/raised access levels .* to Maintainer.*: main \(protected branches\)/),
      ],
    });
    const nobody = { [push]: 0, 'force push': 0 };
    const opened = lostProtections(sides({ source: null, archive: archived(nobody) }));
    expect(opened).toMatchObject({
      missing: [{ part: { name: push, values: { expected: '0', found: '40' } } }],
      remarks: [],
    });
    const onExport = lostProtections(sides({ source: developers }));
    expect(onExport.missing).toMatchObject([{ lost: 'on-export' }]);
  });

  it('with a right that the target does not show is declared, and is no loss', () => {
    expect(lostProtections(sides({ target: [main({})] }))).toMatchObject({
      ...{ missing: [], unshown: ['push_access_levels'] },
      declared: [expect.stringMatching(/not compared, because one of the sides .*: push access level/)],
    });
  });

  it('on a target that may not be listed is declared and not proven', () => {
    expect(lostProtections(sides({ target: null }))).toEqual({
      missing: [],
      declared: [expect.stringContaining('protected branches of the target could not be listed')],
      ...{ remarks: [], unshown: [] },
      isTargetUnreadable: true,
    });
    expect(lostProtections(sides({ target: null, archive: [], source: [] }))).toMatchObject({
      isTargetUnreadable: false,
    });
  });

  it('of a source that was edited since is declared, not lost on export', () => {
    const edited = sides({ archive: archived(lower), target: [main(lower)], hasSourceChanged: true });
    expect(lostProtections(edited)).toMatchObject({
      missing: [],
      declared: [expect.stringMatching(/edited, after the export.*: main \(protected branches\)/)],
    });
  });
});

it.each<[string, Record<string, unknown>, ProtectedRef | null]>([
  [
    'a branch has rules for push, merge, force push and the approval of code owners',
    {
      name: 'main',
      push_access_levels: [{ access_level: 40 }],
      merge_access_levels: [{ access_level: 40 }, { access_level: 30 }],
      allow_force_push: true,
      code_owner_approval_required: false,
    },
    {
      name: 'main',
      rules: {
        ...{ [push]: 40, ...noSingles('push'), 'merge access level': 30, ...noSingles('merge') },
        ...{ 'force push': 1, 'code owner approval': 0 },
      },
    },
  ],
  [
    'a tag has a rule for its creation',
    { name: 'v*', create_access_levels: [{ access_level: 40 }] },
    { name: 'v*', rules: { 'create access level': 40, ...noSingles('create') } },
  ],
  [
    'a level for an individual user or group is no role, and is counted',
    {
      name: 'a',
      push_access_levels: [
        { access_level: 40, user_id: 7 },
        { access_level: 30, group_id: 8 },
      ],
    },
    { name: 'a', rules: { [push]: null, 'users who may push': 1, 'groups that may push': 1 } },
  ],
  [
    'a level for a deploy key is no role, and is counted where GitLab shows the key',
    {
      name: 'a',
      push_access_levels: [
        { access_level: 0, deploy_key_id: null },
        { access_level: 40, deploy_key_id: 9 },
      ],
      merge_access_levels: [{ access_level: 40, deploy_key_id: 9 }],
    },
    {
      name: 'a',
      rules: {
        ...{ [push]: 0, ...noSingles('push'), 'deploy keys that may push': 1 },
        ...{ 'merge access level': null, ...noSingles('merge'), 'deploy keys that may merge': 1 },
      },
    },
  ],
  [
    'a role beside the level for nobody has the right',
    { name: 'a', push_access_levels: [{ access_level: 0 }, { access_level: 40 }] },
    { name: 'a', rules: { [push]: 40, ...noSingles('push') } },
  ],
  [
    'the level for nobody is a rule',
    { name: 'a', push_access_levels: [{ access_level: 0 }] },
    { name: 'a', rules: { [push]: 0, ...noSingles('push') } },
  ],
  ['a record without a name is ignored', { push_access_levels: [] }, null],
])('%s', (_rule, record, ref) => {
  expect(parseProtectedRef(record)).toEqual(ref);
});

it('an export that turns the level of a deploy key into a role is a loss, and the key is declared', () => {
  const parse = (levels: object[]) => {
    const parsed = parseProtectedRef({ name: 'main', push_access_levels: levels });
    return parsed === null ? [] : [{ ...parsed, line: 0 }];
  };
  const nobody = { access_level: 0 };
  const maintainers = { access_level: 40 };
  const { missing, declared } = lostProtections(
    sides({
      source: parse([nobody, { ...maintainers, deploy_key_id: 9 }]),
      archive: parse([nobody, maintainers]),
      target: parse([nobody, { ...maintainers, deploy_key_id: null }]),
    }),
  );
  expect(missing.map((record) => [record.lost, partWords(record), isGraveRecord(record)])).toEqual([
    ['on-export', `${push} 0 40`, true],
  ]);
  expect(declared).toEqual([expect.stringContaining('deploy keys that may push')]);
});

it('the role that may deploy to a protected environment is compared, and an import never raises it', () => {
  const environment = (level: number) => {
    const parsed = parseProtectedRef({
      name: 'production',
      deploy_access_levels: [{ access_level: level, user_id: null, group_id: null }],
    });
    return parsed === null ? [] : [{ ...parsed, line: 0 }];
  };
  const relation = 'protected_environments';
  const { missing, declared } = lostProtections(
    sides({ relation, source: null, archive: environment(30), target: environment(40) }),
  );
  expect(missing.map((record) => [record.relation, record.lost, partWords(record)])).toEqual([
    [relation, 'on-import', 'deploy access level 30 40'],
  ]);
  expect(declared).toEqual([]);
});

it('groups of approval rules and approvals of deployments, which no export contains, are only remarked on', () => {
  const compare = (fields: object, found: object) => {
    const parse = (extra: object) => {
      const parsed = parseProtectedRef({ name: 'A', ...extra });
      return parsed === null ? [] : [{ ...parsed, line: 0 }];
    };
    return lostProtections(sides({ source: parse(fields), archive: parse({}), target: parse(found) }));
  };
  const approvals = { required_approval_count: 2, approval_rules: [{ access_level: 40 }] };
  const none = { groups: [], contains_hidden_groups: false, required_approval_count: 0, approval_rules: [] };
  expect(compare(none, none)).toMatchObject({ missing: [], declared: [], remarks: [] });
  const remarkFor = (fields: object, found: object = none) => {
    const { missing, declared, remarks } = compare(fields, found);
    // A declared sentence would prevent the depth `contents`.
    expect({ missing, declared }).toEqual({ missing: [], declared: [] });
    return remarks.join();
  };
  const groups = { groups: [{ id: 3, name: 'sec' }] };
  expect(remarkFor(groups)).toMatch(/^An export does not carry these rights.*: groups of A \(/);
  expect(remarkFor(groups, {})).toMatch(/: groups of A \(/);
  expect(remarkFor({ groups: [], contains_hidden_groups: true })).toMatch(/: groups of A \(/);
  expect(remarkFor(approvals)).toMatch(
    /: required approvals of deployments of A, approval rules of deployments of A \(/,
  );
  // Somebody set them on the target.
  expect(remarkFor(groups, groups)).toBe('');
});

it('the number of approvals of a rule is compared, and GitLab’s own rules for reports are not', () => {
  const parse = (fields: object) =>
    parseProtectedRef({ name: 'Security', rule_type: 'regular', approvals_required: 2, ...fields });
  expect(parse({ rule_type: 'report_approver' })).toBeNull();
  const [two, one] = [parse({}), parse({ approvals_required: 1 })];
  if (two === null || one === null) throw new Error('An approval rule was not parsed.');
  const archive = [{ ...two, line: 0 }];
  const { missing } = lostProtections(
    sides({ relation: 'approval_rules', source: null, archive, target: [one] }),
  );
  expect(missing.map((record) => [record.lost, partWords(record)])).toEqual([
    ['on-import', 'required approvals 2 1'],
  ]);
});

describe('a protected branch of a group', () => {
  const listed = (name: string, level: number, inherited: boolean): ProtectedRef => {
    const ref = parseProtectedRef({ name, push_access_levels: [{ access_level: level }], inherited });
    if (ref === null) throw new Error('No protected branch was parsed.');
    return ref;
  };
  const own = listed('main', 40, false);
  const inArchive = [{ ...own, line: 2 }];
  it.each<[string, ProtectedRef[], ProtectedRef[], (string | null)[]]>([
    ['is not in an export, and is not lost', [own, listed('release/*', 40, true)], [own], []],
    ['with the name of one of the project is not compared', [own, listed('main', 0, true)], [own], []],
    ['does not replace a lost one of the project', [own], [listed('main', 40, true)], ['main']],
  ])('%s', (_, source, target, lost) => {
    const found = lostProtections(sides({ source, archive: inArchive, target }));

    expect(found.missing.map(({ title }) => title)).toEqual(lost);
    expect(found.declared).toEqual([]);
    const [side, name] = lost.length > 0 ? ['target', 'main'] : ['source', source.at(-1)?.name];
    expect(found.remarks).toEqual([
      `Groups of the ${side} protect these branches, and an export of a project does not contain that: ${name}.`,
    ]);
  });

  it('is counted, not named, after ten others', () => {
    const source = [own, ...Array.from({ length: 12 }, (_, number) => listed(`release/${number}`, 40, true))];
    const { remarks } = lostProtections(sides({ source, archive: inArchive, target: [own] }));
    expect(remarks).toEqual([expect.stringMatching(/: release\/0, .*release\/9 and 2 more\.$/)]);
  });
});
