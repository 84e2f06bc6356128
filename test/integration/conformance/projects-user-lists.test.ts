import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance, type Account } from '../../support/conformance.ts';

const harness = Conformance.ofFile();

let maintainerId = 0;
let archivedId = 0;

/** Creates three projects of the maintainer, one of them archived. The developer stars all and forks two of them. The outsider is Reporter, the guest is Guest of both projects named Buoy. */
beforeAll(async () => {
  maintainerId = await harness.userId('maintainer');
  await harness.createProject({ name: 'Buoy', visibility: 'public', initialize_with_readme: true });
  await harness.createProject({
    name: 'Dory',
    visibility: 'internal',
    initialize_with_readme: true,
    issues_enabled: false,
  });
  const archived = await harness.createProject({
    name: 'Cutter',
    visibility: 'public',
    merge_requests_access_level: 'disabled',
  });
  archivedId = archived.id;
  await harness.post('maintainer', `/projects/${archived.id}/archive`);
  for (const path of ['buoy', 'dory', 'cutter']) {
    expect((await harness.post('developer', `${at(`maintainer/${path}`)}/star`)).status).toBe(201);
  }
  await harness.post('maintainer', `${at('maintainer/buoy')}/star`);
  for (const path of ['buoy', 'dory']) await harness.post('developer', `${at(`maintainer/${path}`)}/fork`);
  for (const path of ['maintainer/buoy', 'developer/buoy']) {
    for (const [username, level] of [
      ['outsider', 20],
      ['guest', 10],
    ] as const) {
      const body = { user_id: await harness.userId(username), access_level: level };
      expect((await harness.post('administrator', `${at(path)}/members`, body)).status).toBe(201);
    }
  }
  const settings = { method: 'PUT', body: { value: 'south' } } as const;
  await harness.send('administrator', `${at('maintainer/buoy')}/custom_attributes/team`, settings);
});

describe('list-user-projects', () => {
  const list = (query = '', who: Account = 'maintainer') =>
    harness.list(who, `/users/maintainer/projects?sort=asc&${query}`);

  test('list-user-projects accepts an ID or a username as user_id', async () => {
    expect(await list()).toEqual(['buoy', 'dory', 'cutter']);
    expect(await harness.list('maintainer', `/users/${maintainerId}/projects?sort=asc`)).toEqual(
      await list(),
    );
    expect(await harness.send('maintainer', '/users/nobody/projects')).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  });

  test('list-user-projects returns only projects in the user’s own namespace', async () => {
    expect(await list('search=compass')).toEqual([]);
  });

  test('list-user-projects without a token returns public projects with simple fields', async () => {
    expect(await list('', 'anonymous')).toEqual(['buoy', 'cutter']);
    expect((await harness.rows('anonymous', '/users/maintainer/projects'))[0]).not.toHaveProperty('_links');
  });

  test('list-user-projects returns an empty list to others for a user with a private profile', async () => {
    const id = await harness.userId('guest');
    await harness.createProject({ name: 'Hidden bay', visibility: 'public' }, 'guest');
    expect(await harness.list('outsider', '/users/guest/projects')).toEqual(['hidden-bay']);
    await harness.put('administrator', `/users/${id}`, { private_profile: true });

    expect(await harness.list('outsider', '/users/guest/projects')).toEqual([]);
    expect(await harness.list('anonymous', '/users/guest/projects')).toEqual([]);
    expect(await harness.list('guest', '/users/guest/projects')).toEqual(['hidden-bay']);
    expect(await harness.list('administrator', '/users/guest/projects')).toEqual(['hidden-bay']);
    expect(await harness.list('outsider', '/users/guest/contributed_projects')).toEqual([]);
  });

  test('list-user-projects applies id_after and id_before', async () => {
    expect(await list(`id_after=${archivedId - 1}`)).toEqual(['cutter']);
    expect(await list(`id_before=${archivedId}`)).toEqual(['buoy', 'dory']);
  });

  test('list-user-projects applies with_programming_language', async () => {
    const languages = await harness.row('maintainer', `${at('maintainer/buoy')}/languages`);

    expect(await list(`with_programming_language=${Object.keys(languages)[0] ?? ''}`)).toContain('buoy');
    expect(await list('with_programming_language=Cobol')).toEqual([]);
  });
});

describe('list-contributed-projects', () => {
  test('list-contributed-projects returns the projects that the user worked on and the caller can see', async () => {
    expect(await harness.list('maintainer', '/users/developer/contributed_projects?sort=asc')).toEqual([
      'buoy',
      'dory',
    ]);
    expect(await harness.list('anonymous', '/users/developer/contributed_projects')).toEqual(['buoy']);
    expect(await harness.list('maintainer', '/users/outsider/contributed_projects')).toEqual([]);
  });

  test('list-contributed-projects applies order_by, sort and simple, and ignores filters', async () => {
    const path = `/users/${maintainerId}/contributed_projects`;

    expect(await harness.list('maintainer', `${path}?order_by=name&sort=asc&archived=true`)).toEqual([
      'buoy',
      'cutter',
      'dory',
    ]);
    expect((await harness.rows('maintainer', `${path}?simple=true`))[0]).not.toHaveProperty('_links');
    expect((await harness.send('maintainer', `${path}?order_by=similarity`)).status).toBe(400);
  });
});

test('list-starred-projects without a token returns public projects', async () => {
  expect(await harness.list('anonymous', '/users/developer/starred_projects?sort=asc')).toEqual([
    'buoy',
    'cutter',
  ]);
});

test('list-starred-projects returns 404 for an unknown user', async () => {
  expect((await harness.send('maintainer', '/users/999999/starred_projects')).status).toBe(404);
});

test('list-forks returns only forks that the caller can see', async () => {
  const hidden = { name: 'Hidden dory', path: 'hidden-dory', visibility: 'private' };
  await harness.post('outsider', `${at('maintainer/dory')}/fork`, hidden);

  expect(await harness.list('developer', `${at('maintainer/dory')}/forks`)).toEqual(['dory']);
  expect(await harness.list('outsider', `${at('maintainer/dory')}/forks`)).toEqual(['hidden-dory', 'dory']);
  expect((await harness.send('anonymous', `${at('maintainer/dory')}/forks`)).status).toBe(404);
  expect(await harness.rows('developer', `${at('atlas/compass')}/forks`)).toEqual([]);
});

/** Filters that the lists share, each with the maintainer's projects that it returns. */
const sharedFilters: [query: string, paths: string[]][] = [
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
  test.each(sharedFilters)(`${id} applies %s`, async (query, paths) => {
    expect(await harness.list('maintainer', `${path}?sort=asc&${query}`)).toEqual(paths);
  });
});

describe.each([
  ['list-user-projects', '/users/maintainer/projects'],
  ['list-starred-projects', '/users/developer/starred_projects'],
  ['list-forks', at('maintainer/buoy') + '/forks'],
])('%s rows', (id, path) => {
  test.each(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'])(
    `${id} sorts by order_by=%s`,
    async (order) => {
      const rows = (await harness.list('administrator', `${path}?order_by=${order}&sort=asc`, order)) as (
        string | number
      )[];
      const descending = await harness.list('administrator', `${path}?order_by=${order}`, order);

      expect(rows.every((value, index) => index === 0 || (rows[index - 1] ?? '') <= value)).toBe(true);
      expect(descending).toEqual([...rows].reverse());
    },
  );

  test(`${id} returns 400 for an order that only list-projects supports`, async () => {
    for (const order of ['similarity', 'storage_size']) {
      expect((await harness.send('administrator', `${path}?order_by=${order}`)).status).toBe(400);
    }
  });

  test(`${id} applies updated_after only with order_by=updated_at`, async () => {
    const all = await harness.list('maintainer', path);

    expect(await harness.list('maintainer', `${path}?updated_after=2999-01-01`)).toEqual(all);
    expect(await harness.list('maintainer', `${path}?updated_after=2999-01-01&order_by=updated_at`)).toEqual(
      [],
    );
  });

  test(`${id} with simple returns limited fields`, async () => {
    expect((await harness.rows('administrator', `${path}?simple=true`))[0]).not.toHaveProperty('_links');
    expect((await harness.rows('administrator', path))[0]).toHaveProperty('_links');
  });

  test(`${id} returns statistics only to Reporters and above`, async () => {
    for (const [who, hasStatistics] of [
      ['outsider', true],
      ['guest', false],
    ] as const) {
      const rows = await harness.rows(who, `${path}?statistics=true`);
      expect(rows.map((row) => [row['path'], 'statistics' in row])).toContainEqual(['buoy', hasStatistics]);
    }
  });

  test(`${id} applies with_custom_attributes for administrators only`, async () => {
    expect((await harness.rows('administrator', `${path}?with_custom_attributes=true`))[0]).toHaveProperty(
      'custom_attributes',
    );
    const rows = await harness.rows('maintainer', `${path}?with_custom_attributes=true`);
    expect(rows.every((row) => !('custom_attributes' in row))).toBe(true);
  });

  test(`${id} paginates by number up to 50,000 records, and by keyset`, async () => {
    expect((await harness.send('administrator', `${path}?per_page=100&page=501`)).status).toBe(405);
    const { headers } = await harness.send('administrator', `${path}?per_page=1`);
    expect(headers.get('x-total')).toMatch(/^[1-9]/);
    const keyset = await harness.send('administrator', `${path}?pagination=keyset&order_by=id&per_page=1`);
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
])('list-forks applies %s', async (query, paths) => {
  expect(await harness.list('developer', `${at('maintainer/buoy')}/forks?${query}`)).toEqual(paths);
});

describe('the projects of a group', () => {
  test('contain those of subgroups with include_subgroups, and no shared ones with with_shared=false', async () => {
    const borealis = await harness.groupId('borealis');
    const compass = await harness.row('maintainer', at('atlas/compass'));
    const body = { group_id: borealis, group_access: 20 };
    expect((await harness.post('maintainer', `/projects/${String(compass['id'])}/share`, body)).status).toBe(
      201,
    );

    expect(await harness.list('maintainer', '/groups/atlas/projects?sort=asc')).toEqual([
      'compass',
      'almanac',
      'museum',
    ]);
    expect(
      await harness.list('maintainer', '/groups/atlas/projects?include_subgroups=true&search=ferry'),
    ).toEqual(['ferry']);
    expect(await harness.list('maintainer', '/groups/borealis/projects')).toContain('compass');
    expect(await harness.list('maintainer', '/groups/borealis/projects?with_shared=false')).not.toContain(
      'compass',
    );
  });
});
