import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance } from '../../support/conformance.ts';

const bench = Conformance.ofFile({ externalUrl: 'https://gitlab.example' });

const compass = at('atlas/compass');
const museum = at('atlas/museum');

describe('list-project-users', () => {
  const names = (query = '') => bench.list('maintainer', `${museum}/users?${query}`, 'username');

  test('list-project-users members of the project and of its groups, in their short form', async () => {
    expect(await names()).toEqual(['root', 'maintainer', 'developer', 'guest']);
    expect((await bench.rows('maintainer', `${museum}/users`))[1]).toMatchObject({
      username: 'maintainer',
      state: 'active',
      avatar_url: null,
      web_url: 'https://gitlab.example/maintainer',
    });
  });

  test('list-project-users search: name, username or e-mail address', async () => {
    expect(await names('search=dora')).toEqual(['developer']);
    expect(await names('search=guest@sandbox.example')).toEqual(['guest']);
  });

  test('list-project-users skip_users: without these', async () => {
    const ids = await Promise.all(['root', 'guest'].map((name) => bench.userId(name)));

    expect(await names(ids.map((id) => `skip_users[]=${id}`).join('&'))).toEqual(['maintainer', 'developer']);
    expect(await names(`skip_users=${ids.join(',')}`)).toEqual(['maintainer', 'developer']);
    expect((await bench.send('maintainer', `${museum}/users?skip_users=root`)).status).toBe(400);
  });

  test('list-project-users pages, and 404 without sight of the project', async () => {
    expect((await bench.send('maintainer', `${museum}/users?per_page=1`)).headers.get('x-total')).toBe('4');
    expect((await bench.send('anonymous', `${compass}/users`)).status).toBe(404);
  });
});

describe('list-project-groups', () => {
  const ferry = at('atlas/tools/ferry');
  const paths = (query = '') => bench.list('maintainer', `${ferry}/groups?${query}`, 'full_path');

  beforeAll(async () => {
    const made = await bench.post('maintainer', '/groups', {
      name: 'Cellar',
      path: 'cellar',
      visibility: 'private',
    });
    expect(made.status).toBe(201);
    const shares = { borealis: 20, cellar: 40 };
    for (const [path, level] of Object.entries(shares)) {
      await bench.post('maintainer', `${ferry}/share`, {
        group_id: await bench.groupId(path),
        group_access: level,
      });
    }
  });

  test('list-project-groups ancestors, as summaries', async () => {
    expect(await paths()).toEqual(['atlas/tools', 'atlas']);
    const [row] = await bench.rows('maintainer', `${ferry}/groups`);
    expect(row).toEqual({
      id: expect.any(Number) as number,
      name: 'Tools',
      avatar_url: null,
      web_url: 'https://gitlab.example/groups/atlas/tools',
      full_name: 'Atlas / Tools',
      full_path: 'atlas/tools',
    });
  });

  test('list-project-groups with_shared: those it is shared with, too', async () => {
    expect(await paths('with_shared=true')).toEqual(['atlas/tools', 'atlas', 'borealis', 'cellar']);
  });

  test('list-project-groups shared_min_access_level: shared with at least that level', async () => {
    expect(await paths('with_shared=true&shared_min_access_level=30')).toEqual([
      'atlas/tools',
      'atlas',
      'cellar',
    ]);
  });

  test('list-project-groups shared_visible_only: shared groups that the caller sees', async () => {
    const query = `${ferry}/groups?with_shared=true`;

    expect(await bench.list('developer', query, 'full_path')).toContain('cellar');
    expect(await bench.list('developer', `${query}&shared_visible_only=true`, 'full_path')).not.toContain(
      'cellar',
    );
  });

  test('list-project-groups search, skip_groups', async () => {
    expect(await paths('search=tool')).toEqual(['atlas/tools']);
    expect(await paths(`skip_groups[]=${await bench.groupId('atlas')}`)).toEqual(['atlas/tools']);
  });
});

describe('list-share-locations', () => {
  const paths = (who: 'maintainer' | 'developer', query = '') =>
    bench.list(who, `${compass}/share_locations?${query}`, 'full_path');

  test('list-share-locations groups of the caller that it may still be shared with', async () => {
    const list = await paths('maintainer');

    expect(list).toEqual(expect.arrayContaining(['atlas/tools', 'borealis', 'archives']));
    expect(list).not.toContain('atlas');
  });

  test('list-share-locations search', async () => {
    expect(await paths('maintainer', 'search=bore')).toEqual(['borealis']);
  });

  test('list-share-locations nothing for those who may not share it; 401 without a token', async () => {
    expect(await paths('developer')).toEqual([]);
    expect((await bench.send('anonymous', `${museum}/share_locations`)).status).toBe(401);
  });
});

describe('get-languages', () => {
  test('get-languages percentages by name, together the whole', async () => {
    const languages = (await bench.row('guest', `${compass}/languages`)) as Record<string, number>;

    expect(Object.values(languages).reduce((sum, share) => sum + share, 0)).toBeCloseTo(100);
    expect(await bench.row('maintainer', `${at('borealis/blank-slate')}/languages`)).toEqual({});
  });

  test('get-languages 404 without sight of the project', async () => {
    expect((await bench.send('anonymous', `${compass}/languages`)).status).toBe(404);
  });
});
