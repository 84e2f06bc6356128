import { describe, expect, it } from 'vitest';
import { describeSharesAndForks } from '../../../../../src-main/jobs/migrations/comparing/settings/shares-and-forks.ts';

const share = (path: string, level: number, end: string | null = null) => ({
  ...{ group_id: 9, group_name: path, group_full_path: path, group_access_level: level, expires_at: end },
});
const described = (source: object[], target: object[]) =>
  describeSharesAndForks({ shared_with_groups: source }, { shared_with_groups: target });
const sentence = (names: string) => [
  `An export does not contain the groups that the project is shared with, so share the target with them if they need access: ${names}.`,
];

describe('a group that the source is shared with', () => {
  it('is named with its role and end if the target is not shared with it', () => {
    expect(described([share('acme/qa', 40), share('acme/ops', 30, '2031-01-02')], [])).toEqual(
      sentence('acme/qa (Maintainer), acme/ops (Developer until 2031-01-02)'),
    );
    expect(describeSharesAndForks({ shared_with_groups: [share('acme/qa', 40)] }, {})).toHaveLength(1);
  });

  it('is not named if the target is shared with a group of the same path, in any case, and the same or a higher role', () => {
    expect(described([share('acme/qa', 30)], [share('Acme/QA', 40)])).toEqual([]);
  });

  it.each([
    ['a lower role', share('acme/qa', 20), 'acme/qa (Maintainer), and on the target Reporter'],
    [
      'an end',
      share('acme/qa', 40, '2031-01-02'),
      'acme/qa (Maintainer), and on the target Maintainer until 2031-01-02',
    ],
  ])('is named if the target gives it %s', (_, onTarget, names) => {
    expect(described([share('acme/qa', 40)], [onTarget])).toEqual(sentence(names));
  });

  it('is named if it loses access to the target earlier, and not if later or never', () => {
    const source = [share('acme/qa', 30, '2031-01-02')];
    expect(described(source, [share('acme/qa', 40, '2031-01-01')])).toEqual(
      sentence('acme/qa (Developer until 2031-01-02), and on the target Maintainer until 2031-01-01'),
    );
    for (const end of ['2031-01-02T00:00:00.000Z', '2031-01-03', null])
      expect(described(source, [share('acme/qa', 40, end)])).toEqual([]);
  });

  it('is not cut off, however many there are', () => {
    const groups = Array.from({ length: 60 }, (_, index) => share(`acme/${index}`, 10));
    expect(described(groups, []).join()).toContain('acme/59 (Guest).');
  });
});

it('the project that the source was forked from is named if the target does not show the same one', () => {
  const forkOf = (path: string) => ({ forked_from_project: { id: 3, path_with_namespace: path } });
  const fork = forkOf('up/stream');
  const text =
    'An export does not contain the fork relation: the source is a fork of up/stream, and the target';
  expect(describeSharesAndForks(fork, {})).toEqual([`${text} shows no fork relation.`]);
  expect(describeSharesAndForks(fork, forkOf('my/stream'))).toEqual([`${text} is a fork of my/stream.`]);
  expect(describeSharesAndForks(fork, forkOf('Up/Stream'))).toEqual([]);
  expect(describeSharesAndForks({}, fork)).toEqual([]);
});
