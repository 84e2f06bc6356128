import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';

type Row = Record<string, unknown>;

let sandbox: Sandbox;
let calls: SandboxCalls;

beforeAll(async () => {
  const configuredUrl = 'https://gitlab.example:8443';
  sandbox = await startSandbox({ clock: systemClock, projectCount: 10_001, externalUrl: configuredUrl });
  calls = new SandboxCalls(sandbox);
});
afterAll(() => sandbox.close());

async function page(path: string): Promise<{ rows: Row[]; headers: Headers; links: Map<string, string> }> {
  const reply = await calls.fetch(path);
  expect(reply.status).toBe(200);
  const links = [...(reply.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return {
    rows: (await reply.json()) as Row[],
    headers: reply.headers,
    links: new Map(links.map(([, url = '', rel = '']) => [rel, url])),
  };
}

describe('a list by offset', () => {
  test('of more than 10,000 rows has no totals and no last link, but a next page', async () => {
    const { rows, headers, links } = await page('/projects?per_page=500');

    expect(rows).toHaveLength(100);
    expect(headers.get('x-per-page')).toBe('100');
    expect(headers.get('x-next-page')).toBe('2');
    expect(headers.get('x-prev-page')).toBe('');
    expect(headers.has('x-total')).toBe(false);
    expect(headers.has('x-total-pages')).toBe(false);
    expect([...links.keys()].sort()).toEqual(['first', 'next']);
  });

  test('of fewer rows has all headers, and links with every parameter on the configured host', async () => {
    const { rows, headers, links } = await page('/projects?search=compass&per_page=7&page=2&simple=true');

    expect(rows).toHaveLength(7);
    expect(headers.get('x-page')).toBe('2');
    expect(Number(headers.get('x-total'))).toBe(1251);
    expect(Number(headers.get('x-total-pages'))).toBe(Math.ceil(1251 / 7));
    expect([...links.keys()].sort()).toEqual(['first', 'last', 'next', 'prev']);
    expect(links.get('next')).toBe(
      'https://gitlab.example:8443/api/v4/projects?search=compass&per_page=7&page=3&simple=true',
    );
  });

  test('has an empty page past its end, and one page if it is empty', async () => {
    const { rows, headers } = await page('/projects?search=nothing-like-it');

    expect(rows).toEqual([]);
    expect(headers.get('x-total')).toBe('0');
    expect(headers.get('x-total-pages')).toBe('1');
    expect((await page('/projects?search=compass&page=500')).rows).toEqual([]);
  });

  test.each([
    ['per_page=0', 400, 'per_page does not have a valid value'],
    ['page=-1', 400, 'page does not have a valid value'],
    ['per_page=many', 400, 'per_page is invalid'],
    ['order_by=colour', 400, 'order_by does not have a valid value'],
    ['pagination=keyset', 405, 'Keyset pagination is not yet available for this type of request'],
    [
      'per_page=100&page=501',
      405,
      'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project. ' +
        'Remaining records can be retrieved using keyset pagination.',
    ],
  ])('with ?%s is rejected with %d', async (query, status, error) => {
    expect(await calls.call(`/projects?${query}`)).toEqual({ status, body: { error } });
  });
});

test('keyset pages have only a next link, the last one to an empty page, and return every row once', async () => {
  const ids = new Set<unknown>();
  let path: string | null = '/projects?pagination=keyset&order_by=id&sort=asc&per_page=100&simple=true';
  let pages = 0;
  while (path !== null) {
    const { rows, headers, links } = await page(path);
    for (const row of rows) ids.add(row['id']);
    expect(headers.has('x-page')).toBe(false);
    expect(links.size).toBe(rows.length === 0 ? 0 : 1);
    const next = links.get('next');
    path = next === undefined ? null : next.slice('https://gitlab.example:8443/api/v4'.length);
    pages += 1;
  }

  expect(ids.size).toBe(10_001);
  expect(pages).toBe(102);
});

describe('the project list', () => {
  test.each([
    ['archived=true', (row: Row) => row['archived'] === true],
    ['archived=false', (row: Row) => row['archived'] === false],
    ['visibility=internal', (row: Row) => row['visibility'] === 'internal'],
    ['search=ferry', (row: Row) => String(row['path']).startsWith('ferry')],
  ])('filters by %s', async (query, matches) => {
    const { rows } = await page(`/projects?${query}&per_page=100`);

    expect(rows.length).toBeGreaterThan(50);
    expect(rows.every(matches)).toBe(true);
  });

  test('sorts by the given column and direction', async () => {
    const { rows } = await page('/projects?order_by=path&sort=asc&search=almanac&per_page=3');

    expect(rows.map((row) => row['path'])).toEqual(['almanac', 'almanac-10', 'almanac-100']);
  });

  test('takes membership from roles, not from the rights of an administrator or the visibility of projects', async () => {
    const outsider = new SandboxCalls(sandbox, sandbox.tokens.outsider);
    const administrator = new SandboxCalls(sandbox, sandbox.tokens.administrator);

    expect(await outsider.get('/projects?membership=true')).toEqual([]);
    expect(((await outsider.get('/projects')) as Row[]).length).toBe(20);
    expect(await calls.get('/projects?min_access_level=50')).toEqual([]);
    await calls.call('/projects', 'POST', { path: 'without-administrator' });
    expect(await administrator.get('/projects?search=without-administrator')).toHaveLength(1);
    expect(await administrator.get('/projects?search=without-administrator&membership=true')).toEqual([]);
    expect(await calls.get('/projects?search=without-administrator&membership=true')).toHaveLength(1);
  });
});

describe('a project', () => {
  const caravan = projectUrl('atlas/tools/caravan');

  test.each([
    ['issues', 240],
    ['merge_requests', 60],
    ['milestones', 8],
    ['labels?include_ancestor_groups=false', 25],
    ['labels', 26],
    ['releases', 8],
    ['pipelines', 80],
    ['repository/branches', 21],
    ['repository/tags', 12],
    ['members', 1],
    ['members/all', 4],
  ])('lists %s with %d rows', async (path, count) => {
    expect(await calls.total(`${caravan}/${path}`)).toBe(count);
  });

  test('lists issues in all states unless one is requested', async () => {
    const open = await calls.total(`${caravan}/issues?state=opened`);
    const closed = await calls.total(`${caravan}/issues?state=closed`);

    expect(open).toBeGreaterThan(0);
    expect(open + closed).toBe(240);
  });

  test('excludes system notes from user_notes_count, while its notes and discussions include them', async () => {
    const [first] = (await calls.get(`${caravan}/merge_requests?per_page=1`)) as Row[];
    const iid = String(first?.['iid']);
    const notes = (await calls.get(`${caravan}/merge_requests/${iid}/notes?per_page=100`)) as Row[];
    const discussions = (await calls.get(`${caravan}/merge_requests/${iid}/discussions?per_page=100`)) as {
      notes: Row[];
    }[];

    expect(notes.filter((note) => note['system'] !== true)).toHaveLength(Number(first?.['user_notes_count']));
    expect(notes.some((note) => note['system'] === true)).toBe(true);
    expect(notes.filter((note) => note['type'] === 'DiffNote')).toHaveLength(2);
    expect(discussions.flatMap((discussion) => discussion.notes)).toHaveLength(notes.length);
    expect(await calls.call(`${caravan}/issues/99999/notes`)).toEqual({
      status: 404,
      body: { message: '404 Not found' },
    });
  });

  test('has no branches and no default branch if its repository is empty', async () => {
    const project = projectUrl('borealis/blank-slate');

    expect(await calls.get(project)).toMatchObject({ empty_repo: true, default_branch: null });
    expect(await calls.get(`${project}/repository/branches`)).toEqual([]);
  });

  test.each(['administrator', 'maintainer', 'guest', 'outsider'] as const)(
    'is returned by a list as by a single read, except for import_error, to %s',
    async (user) => {
      await calls.call('/projects', 'POST', {
        path: `settings-${user}`,
        visibility: 'internal',
        description: 'größe 日本 "quoted"',
        merge_method: 'ff',
        issues_access_level: 'private',
        container_expiration_policy_attributes: { enabled: true },
      });
      const reader = new SandboxCalls(sandbox, sandbox.tokens[user]);
      const list = '/projects?per_page=12&statistics=true';
      const ids = ((await reader.get(list)) as Row[]).map(({ id }) => String(id));
      const singles: Row[] = [];
      for (const id of ids) singles.push((await reader.get(`/projects/${id}?statistics=true`)) as Row);

      const listed = (await reader.get(list)) as Row[];

      expect(listed[0]).toMatchObject({ path: `settings-${user}`, merge_method: 'ff' });
      const shared = singles.map(({ import_error: _error, ...rest }) => rest);
      expect(listed).toEqual(shared);
    },
  );

  test('is listed with the size of the first light project of its kind until it is used', async () => {
    const sizes = async (path: string): Promise<unknown> =>
      ((await calls.get(`/projects?search=${path}&statistics=true&order_by=id&sort=asc`)) as Row[])[0]?.[
        'statistics'
      ];
    const first = await sizes('almanac-2');

    expect(await sizes('almanac-400')).toEqual(first);

    const [upload] = (await calls.get(`${projectUrl('atlas/almanac-400')}/uploads`)) as Row[];
    expect(await sizes('almanac-400')).toMatchObject({ uploads_size: upload?.['size'] });
    expect(await sizes('almanac-400')).not.toEqual(first);
  });

  test('is returned by a single read with permissions, and with statistics on request', async () => {
    const record = (await calls.get(`${projectUrl('atlas/almanac')}?statistics=true`)) as {
      permissions: unknown;
      statistics: Record<string, number>;
    };

    expect(record.permissions).toEqual({
      project_access: null,
      group_access: { access_level: 40, notification_level: 3 },
    });
    expect(record.statistics['lfs_objects_size']).toBeGreaterThan(0);
    expect(record.statistics['repository_size']).toBeGreaterThan(0);
  });
});
