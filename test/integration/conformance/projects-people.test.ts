import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance } from '../../support/conformance.ts';

const harness = Conformance.ofFile({ externalUrl: 'https://gitlab.example' });

const compass = at('atlas/compass');
const museum = at('atlas/museum');

describe('list-project-users', () => {
  const names = (query = '') => harness.list('maintainer', `${museum}/users?${query}`, 'username');

  test('list-project-users returns the members of the project and of its groups as short user records', async () => {
    expect(await names()).toEqual(['root', 'maintainer', 'developer', 'guest']);
    expect((await harness.rows('maintainer', `${museum}/users`))[1]).toMatchObject({
      username: 'maintainer',
      state: 'active',
      avatar_url: null,
      web_url: 'https://gitlab.example/maintainer',
    });
  });

  test('list-project-users searches names, usernames and e-mail addresses', async () => {
    expect(await names('search=dora')).toEqual(['developer']);
    expect(await names('search=root')).toEqual(['root']);
    expect(await names('search=guest@sandbox.example')).toEqual(['guest']);
  });

  test('list-project-users omits the users in skip_users', async () => {
    const ids = await Promise.all(['root', 'guest'].map((name) => harness.userId(name)));

    expect(await names(ids.map((id) => `skip_users[]=${id}`).join('&'))).toEqual(['maintainer', 'developer']);
    expect(await names(`skip_users=${ids.join(',')}`)).toEqual(['maintainer', 'developer']);
    expect((await harness.send('maintainer', `${museum}/users?skip_users=root`)).status).toBe(400);
  });

  test('list-project-users is paginated, and returns 404 if the caller cannot see the project', async () => {
    expect((await harness.send('maintainer', `${museum}/users?per_page=1`)).headers.get('x-total')).toBe('4');
    expect((await harness.send('anonymous', `${compass}/users`)).status).toBe(404);
  });
});

describe('list-project-groups', () => {
  const ferry = at('atlas/tools/ferry');
  const paths = (query = '') => harness.list('maintainer', `${ferry}/groups?${query}`, 'full_path');

  beforeAll(async () => {
    const created = await harness.post('maintainer', '/groups', {
      name: 'Cellar',
      path: 'cellar',
      visibility: 'private',
    });
    expect(created.status).toBe(201);
    const shares = { borealis: 20, cellar: 40 };
    for (const [path, level] of Object.entries(shares)) {
      await harness.post('maintainer', `${ferry}/share`, {
        group_id: await harness.groupId(path),
        group_access: level,
      });
    }
  });

  test('list-project-groups returns the ancestor groups as summaries', async () => {
    expect(await paths()).toEqual(['atlas/tools', 'atlas']);
    const [row] = await harness.rows('maintainer', `${ferry}/groups`);
    expect(row).toEqual({
      id: expect.any(Number) as number,
      name: 'Tools',
      avatar_url: null,
      web_url: 'https://gitlab.example/groups/atlas/tools',
      full_name: 'Atlas / Tools',
      full_path: 'atlas/tools',
    });
  });

  test('list-project-groups also returns groups that the project is shared with if with_shared is set', async () => {
    expect(await paths('with_shared=true')).toEqual(['atlas/tools', 'atlas', 'borealis', 'cellar']);
  });

  test('list-project-groups limits shared groups to those with at least shared_min_access_level', async () => {
    expect(await paths('with_shared=true&shared_min_access_level=30')).toEqual([
      'atlas/tools',
      'atlas',
      'cellar',
    ]);
  });

  test('list-project-groups limits shared groups to those that the caller sees if shared_visible_only is set', async () => {
    const query = `${ferry}/groups?with_shared=true`;

    expect(await harness.list('developer', query, 'full_path')).toContain('cellar');
    expect(await harness.list('developer', `${query}&shared_visible_only=true`, 'full_path')).not.toContain(
      'cellar',
    );
  });

  test('list-project-groups applies search and skip_groups', async () => {
    expect(await paths('search=tool')).toEqual(['atlas/tools']);
    expect(await paths(`skip_groups[]=${await harness.groupId('atlas')}`)).toEqual(['atlas/tools']);
  });
});

describe('list-share-locations', () => {
  const paths = (who: 'maintainer' | 'developer', query = '') =>
    harness.list(who, `${compass}/share_locations?${query}`, 'full_path');

  test('list-share-locations returns the caller’s groups that the project can still be shared with', async () => {
    const list = await paths('maintainer');

    expect(list).toEqual(expect.arrayContaining(['atlas/tools', 'borealis', 'archives']));
    expect(list).not.toContain('atlas');
  });

  test('list-share-locations applies search', async () => {
    expect(await paths('maintainer', 'search=bore')).toEqual(['borealis']);
  });

  test('list-share-locations returns an empty list to callers who may not share the project, and 401 without a token', async () => {
    expect(await paths('developer')).toEqual([]);
    expect((await harness.send('anonymous', `${museum}/share_locations`)).status).toBe(401);
  });
});

describe('get-languages', () => {
  test('get-languages returns percentages by language that sum to 100', async () => {
    const languages = (await harness.row('guest', `${compass}/languages`)) as Record<string, number>;

    expect(Object.values(languages).reduce((sum, share) => sum + share, 0)).toBeCloseTo(100);
    expect(await harness.row('maintainer', `${at('borealis/blank-slate')}/languages`)).toEqual({});
  });

  test('get-languages returns 404 if the caller cannot see the project', async () => {
    expect((await harness.send('anonymous', `${compass}/languages`)).status).toBe(404);
  });
});
