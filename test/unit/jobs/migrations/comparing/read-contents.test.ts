/** @file Contents of records that archives and GitLab's lists write differently are read as the same values. */
import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import {
  archivedContents,
  listedContents,
} from '../../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';

test('archive and API give the same contents although they write them differently', () => {
  const milestone = { title: 'v1', iid: 2 };
  expect(
    archivedContents('issues', {
      ...{ title: ' Anchor ', description: null, state: 'reopened', confidential: null, due_date: null },
      ...{ weight: null, discussion_locked: null, time_estimate: null, milestone },
      label_links: [{ label: { title: 'b' } }, { label: { title: 'a' } }],
    }),
  ).toEqual(
    listedContents('issues', {
      ...{ title: 'Anchor', description: '', state: 'opened', confidential: false, due_date: null },
      ...{ weight: null, discussion_locked: false, time_stats: { time_estimate: 0 }, milestone },
      labels: ['a', 'b'],
      // Archives of the Free tier do not have these columns.
      ...{ iteration: null, epic: null, resource_iteration_events: [] },
    }),
  );
  expect(
    archivedContents('releases', {
      ...{ tag: 'v1', name: null, released_at: '2026-01-02 03:04:05 UTC', milestone_releases: [] },
    }),
  ).toEqual(
    listedContents('releases', { tag_name: 'v1', name: 'v1', released_at: '2026-01-02T03:04:05.678Z' }),
  );
  expect(archivedContents('labels', { color: '#FF00AA', priorities: [{ priority: 2 }] })).toEqual(
    listedContents('labels', { color: '#ff00aa', priority: 2 }),
  );
});

test('archive and API give the same contents of boards, snippets, badges, schedules and push rules', () => {
  const label = { title: 'Doing', color: '#000000' };
  const milestone = { title: '1.0' };
  expect(
    archivedContents('boards', {
      ...{ name: 'Development', hide_backlog_list: false, hide_closed_list: null, weight: null },
      lists: [
        { list_type: 'backlog', position: null },
        { list_type: 'milestone', position: 2, milestone },
        { list_type: 'label', position: 0, label: { title: 'To do' } },
        { list_type: 'label', position: 1, label },
        { list_type: 'assignee', position: 3, user_id: 5 },
        { list_type: 'closed', position: null },
      ],
    }),
  ).toEqual({
    ...listedContents('boards', {
      ...{ name: 'Development', hide_backlog_list: false, hide_closed_list: false, weight: null },
      lists: [
        { id: 7, label: { name: 'To do' }, position: 0 },
        { id: 8, label: { name: 'Doing' }, position: 1 },
        { id: 10, label: null, position: 3, assignee: { username: 'ada' } },
        { id: 9, label: null, position: 2, milestone },
      ],
    }),
  });
  expect(
    archivedContents('snippets', {
      ...{ title: 'A', description: '', visibility_level: 10, content: 'x', file_name: 'x.rb' },
    }),
  ).toEqual(
    listedContents('snippets', {
      ...{ title: 'A', description: null, visibility: 'internal' },
      file_digests: [{ path: 'x.rb', sha256: createHash('sha256').update('x').digest('hex') }],
    }),
  );
  const badge = { link_url: 'https://a.example', image_url: 'https://b.example/%{project_path}.svg' };
  expect(archivedContents('project_badges', { ...badge, type: 'ProjectBadge' })).toEqual(
    listedContents('project_badges', { ...badge, rendered_image_url: 'https://b.example/a.svg' }),
  );
  const schedule = { description: 'Nightly', cron: '0 1 * * *', cron_timezone: 'UTC' };
  expect(archivedContents('pipeline_schedules', { ...schedule, ref: 'refs/heads/main' })).toEqual(
    listedContents('pipeline_schedules', { ...schedule, ref: 'main' }),
  );
  const rule = { max_file_size: 0, commit_message_regex: null, prevent_secrets: null };
  expect(archivedContents('push_rule', { ...rule, is_sample: false })).toEqual(
    listedContents('push_rule', { ...rule, commit_message_regex: '', prevent_secrets: false }),
  );
});

test('the sum of the time logs is compared, up to the longest time that every version shows', () => {
  const archivedTime = (...seconds: number[]) =>
    archivedContents('issues', { timelogs: seconds.map((spent) => ({ time_spent: spent })) })[
      'total_time_spent'
    ];
  const listedTime = (seconds: number) =>
    listedContents('issues', { time_stats: { total_time_spent: seconds } })['total_time_spent'];
  expect(archivedTime(3600, -600)).toBe(listedTime(3000));
  expect(archivedTime(3600, 600)).not.toBe(listedTime(3600));
  expect(archivedTime(60_000_000)).toBe(listedTime(31_557_600));
  expect(archivedContents('issues', {})).not.toHaveProperty('total_time_spent');
});

test('the times of a merge request are those of its metrics, and unknown without them', () => {
  const time = '2026-11-20T12:00:00.400Z';
  const metrics = { merged_at: time, latest_closed_at: null };
  expect(archivedContents('merge_requests', { metrics, closed_at: time })).toMatchObject({
    ...{ merged_at: '2026-11-20T12:00:00', closed_at: '' },
  });
  expect(archivedContents('merge_requests', { metrics: null })).not.toHaveProperty('merged_at');
});

test('the lists of a board are compared in their order', () => {
  const list = (title: string, position: number) => ({ list_type: 'label', position, label: { title } });
  const contents = (...titles: string[]) => archivedContents('boards', { lists: titles.map(list) });
  expect(contents('a', 'b')).not.toEqual(contents('b', 'a'));
});

test('long texts are equal only if all of their characters are', () => {
  const contentsOf = (description: string) => archivedContents('issues', { description })['description'];
  const long = 'x'.repeat(10_000);
  expect(contentsOf(long)).toBe(contentsOf(long));
  expect(contentsOf(long)).not.toBe(contentsOf(`${long.slice(0, -1)}y`));
  expect(contentsOf(long)?.length).toBeLessThan(250);
});

describe('the path of a link of a release', () => {
  const pathOf = (direct: string) =>
    listedContents('releases', {
      assets: { links: [{ name: 'app', url: 'https://s3.example/app', direct_asset_url: direct }] },
    })['filepath'];
  const archived = archivedContents('releases', {
    links: [{ name: 'app', url: 'https://s3.example/app', filepath: '/bin/app' }],
  })['filepath'];

  it.each([
    'https://g.example/a/b/-/releases/v1/bin/app',
    'https://g.example/a/b/-/releases/v1/downloads/bin/app',
  ])('is read from the address of older and newer versions: %s', (address) => {
    expect(pathOf(address)).toBe(archived);
  });

  it('is empty if the address is that of the link', () => {
    expect(pathOf('https://s3.example/app')).not.toBe(archived);
  });
});
