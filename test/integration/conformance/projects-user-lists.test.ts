import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance, type Who } from '../../support/conformance.ts';

const bench = Conformance.ofFile();

let maintainerId = 0;
let archivedId = 0;

/** The maintainer's three projects, of which one is archived; the developer starred all and forked two of them. */
beforeAll(async () => {
  maintainerId = await bench.userId('maintainer');
  await bench.made({ name: 'Buoy', visibility: 'public', initialize_with_readme: true });
  await bench.made({
    name: 'Dory',
    visibility: 'internal',
    initialize_with_readme: true,
    issues_enabled: false,
  });
  const archived = await bench.made({
    name: 'Cutter',
    visibility: 'public',
    merge_requests_access_level: 'disabled',
  });
  archivedId = archived.id;
  await bench.post('maintainer', `/projects/${archived.id}/archive`);
  for (const path of ['buoy', 'dory', 'cutter']) {
    expect((await bench.post('developer', `${at(`maintainer/${path}`)}/star`)).status).toBe(201);
  }
  await bench.post('maintainer', `${at('maintainer/buoy')}/star`);
  for (const path of ['buoy', 'dory']) await bench.post('developer', `${at(`maintainer/${path}`)}/fork`);
  const settings = { method: 'PUT', body: { value: 'south' } } as const;
  await bench.send('administrator', `${at('maintainer/buoy')}/custom_attributes/team`, settings);
});

describe('list-user-projects', () => {
  const list = (query = '', who: Who = 'maintainer') =>
    bench.list(who, `/users/maintainer/projects?sort=asc&${query}`);

  test('list-user-projects user_id: an ID or a username', async () => {
    expect(await list()).toEqual(['buoy', 'dory', 'cutter']);
    expect(await bench.list('maintainer', `/users/${maintainerId}/projects?sort=asc`)).toEqual(await list());
    expect(await bench.send('maintainer', '/users/nobody/projects')).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  });

  test('list-user-projects only the user’s own namespace', async () => {
    expect(await list('search=compass')).toEqual([]);
  });

  test('list-user-projects without a token: public ones with simple fields', async () => {
    expect(await list('', 'anonymous')).toEqual(['buoy', 'cutter']);
    expect((await bench.rows('anonymous', '/users/maintainer/projects'))[0]).not.toHaveProperty('_links');
  });

  test('list-user-projects a private profile yields an empty list to others', async () => {
    const id = await bench.userId('guest');
    await bench.made({ name: 'Hidden bay', visibility: 'public' }, 'guest');
    expect(await bench.list('outsider', '/users/guest/projects')).toEqual(['hidden-bay']);
    await bench.put('administrator', `/users/${id}`, { private_profile: true });

    expect(await bench.list('outsider', '/users/guest/projects')).toEqual([]);
    expect(await bench.list('anonymous', '/users/guest/projects')).toEqual([]);
    expect(await bench.list('guest', '/users/guest/projects')).toEqual(['hidden-bay']);
    expect(await bench.list('administrator', '/users/guest/projects')).toEqual(['hidden-bay']);
    expect(await bench.list('outsider', '/users/guest/contributed_projects')).toEqual([]);
  });

  test('list-user-projects id_after, id_before', async () => {
    expect(await list(`id_after=${archivedId - 1}`)).toEqual(['cutter']);
    expect(await list(`id_before=${archivedId}`)).toEqual(['buoy', 'dory']);
  });

  test('list-user-projects with_programming_language', async () => {
    const languages = await bench.row('maintainer', `${at('maintainer/buoy')}/languages`);

    expect(await list(`with_programming_language=${Object.keys(languages)[0] ?? ''}`)).toContain('buoy');
    expect(await list('with_programming_language=Cobol')).toEqual([]);
  });
});

describe('list-contributed-projects', () => {
  test('list-contributed-projects whatever the user worked on that the caller may see', async () => {
    expect(await bench.list('maintainer', '/users/developer/contributed_projects?sort=asc')).toEqual([
      'buoy',
      'dory',
    ]);
    expect(await bench.list('anonymous', '/users/developer/contributed_projects')).toEqual(['buoy']);
    expect(await bench.list('maintainer', '/users/outsider/contributed_projects')).toEqual([]);
  });

  test('list-contributed-projects order_by, sort, simple; filters are not known', async () => {
    const path = `/users/${maintainerId}/contributed_projects`;

    expect(await bench.list('maintainer', `${path}?order_by=name&sort=asc&archived=true`)).toEqual([
      'buoy',
      'cutter',
      'dory',
    ]);
    expect((await bench.rows('maintainer', `${path}?simple=true`))[0]).not.toHaveProperty('_links');
    expect((await bench.send('maintainer', `${path}?order_by=similarity`)).status).toBe(400);
  });
});

test('list-starred-projects without a token: public ones', async () => {
  expect(await bench.list('anonymous', '/users/developer/starred_projects?sort=asc')).toEqual([
    'buoy',
    'cutter',
  ]);
});

test('list-starred-projects 404 for a user that is not there', async () => {
  expect((await bench.send('maintainer', '/users/999999/starred_projects')).status).toBe(404);
});

test('list-forks only forks that the caller may see', async () => {
  expect(await bench.list('developer', `${at('maintainer/dory')}/forks`)).toEqual(['dory']);
  expect((await bench.send('anonymous', `${at('maintainer/dory')}/forks`)).status).toBe(404);
  expect(await bench.rows('developer', `${at('atlas/compass')}/forks`)).toEqual([]);
});

/** Each parameter that the three filtered lists share, with what it leaves of the maintainer's projects. */
const shared: [query: string, paths: string[]][] = [
  ['archived=true', ['cutter']],
  ['archived=false', ['buoy', 'dory']],
  ['membership=true', ['buoy', 'dory', 'cutter']],
  ['min_access_level=50', ['buoy', 'dory', 'cutter']],
  ['owned=true', ['buoy', 'dory', 'cutter']],
  ['search=dor', ['dory']],
  ['starred=true', ['buoy']],
  ['updated_after=2020-01-01&order_by=updated_at&search=dory', ['dory']],
  ['updated_before=2020-01-01&order_by=updated_at', []],
  ['visibility=internal', ['dory']],
  ['with_issues_enabled=true', ['buoy', 'cutter']],
  ['with_merge_requests_enabled=true', ['buoy', 'dory']],
];

describe.each([
  ['list-user-projects', '/users/maintainer/projects'],
  ['list-starred-projects', '/users/developer/starred_projects'],
])('%s parameters', (id, path) => {
  test.each(shared)(`${id} %s`, async (query, paths) => {
    expect(await bench.list('maintainer', `${path}?sort=asc&${query}`)).toEqual(paths);
  });
});

describe.each([
  ['list-user-projects', '/users/maintainer/projects'],
  ['list-starred-projects', '/users/developer/starred_projects'],
  ['list-forks', at('maintainer/buoy') + '/forks'],
])('%s rows', (id, path) => {
  test.each(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'])(
    `${id} order_by=%s`,
    async (order) => {
      const rows = (await bench.list('administrator', `${path}?order_by=${order}&sort=asc`, order)) as (
        string | number
      )[];
      const down = await bench.list('administrator', `${path}?order_by=${order}`, order);

      expect(rows.every((value, index) => index === 0 || (rows[index - 1] ?? '') <= value)).toBe(true);
      expect(down).toEqual([...rows].reverse());
    },
  );

  test(`${id} 400 for an order that only the list of all projects knows`, async () => {
    for (const order of ['similarity', 'storage_size']) {
      expect((await bench.send('administrator', `${path}?order_by=${order}`)).status).toBe(400);
    }
  });

  test(`${id} updated_after is effective in the order of updated_at only`, async () => {
    const all = await bench.list('maintainer', path);

    expect(await bench.list('maintainer', `${path}?updated_after=2999-01-01`)).toEqual(all);
    expect(await bench.list('maintainer', `${path}?updated_after=2999-01-01&order_by=updated_at`)).toEqual(
      [],
    );
  });

  test(`${id} simple: limited fields`, async () => {
    expect((await bench.rows('administrator', `${path}?simple=true`))[0]).not.toHaveProperty('_links');
    expect((await bench.rows('administrator', path))[0]).toHaveProperty('_links');
  });

  test(`${id} statistics: at least reporters`, async () => {
    expect((await bench.rows('administrator', `${path}?statistics=true`))[0]).toHaveProperty('statistics');
    const rows = await bench.rows('outsider', `${path}?statistics=true`);
    expect(rows.every((row) => !('statistics' in row))).toBe(true);
  });

  test(`${id} with_custom_attributes: administrators only`, async () => {
    expect((await bench.rows('administrator', `${path}?with_custom_attributes=true`))[0]).toHaveProperty(
      'custom_attributes',
    );
    const rows = await bench.rows('maintainer', `${path}?with_custom_attributes=true`);
    expect(rows.every((row) => !('custom_attributes' in row))).toBe(true);
  });

  test(`${id} pages by number up to 50,000, and by id`, async () => {
    expect((await bench.send('administrator', `${path}?per_page=100&page=501`)).status).toBe(405);
    const { headers } = await bench.send('administrator', `${path}?per_page=1`);
    expect(headers.get('x-total')).toMatch(/^[1-9]/);
    const keyset = await bench.send('administrator', `${path}?pagination=keyset&order_by=id&per_page=1`);
    expect(keyset.headers.get('link')).toMatch(/id_before=\d+/);
  });
});

test.each([
  ['archived=true', []],
  ['archived=false', ['buoy']],
  ['membership=true', ['buoy']],
  ['min_access_level=50', ['buoy']],
  ['owned=true', ['buoy']],
  ['search=nothing', []],
  ['starred=true', []],
  ['updated_before=2020-01-01&order_by=updated_at', []],
  ['visibility=public', ['buoy']],
  ['visibility=private', []],
  ['with_issues_enabled=true', ['buoy']],
  ['with_merge_requests_enabled=true', ['buoy']],
])('list-forks %s', async (query, paths) => {
  expect(await bench.list('developer', `${at('maintainer/buoy')}/forks?${query}`)).toEqual(paths);
});

describe('projects of a group', () => {
  test('include_subgroups, with_shared', async () => {
    const borealis = await bench.groupId('borealis');
    const compass = await bench.row('maintainer', at('atlas/compass'));
    const body = { group_id: borealis, group_access: 20 };
    expect((await bench.post('maintainer', `/projects/${String(compass['id'])}/share`, body)).status).toBe(
      201,
    );

    expect(await bench.list('maintainer', '/groups/atlas/projects?sort=asc')).toEqual([
      'compass',
      'almanac',
      'museum',
    ]);
    expect(
      await bench.list('maintainer', '/groups/atlas/projects?include_subgroups=true&search=ferry'),
    ).toEqual(['ferry']);
    expect(await bench.list('maintainer', '/groups/borealis/projects')).toContain('compass');
    expect(await bench.list('maintainer', '/groups/borealis/projects?with_shared=false')).not.toContain(
      'compass',
    );
  });
});
