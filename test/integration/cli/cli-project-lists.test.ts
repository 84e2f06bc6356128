/** @file The command line requests the projects of an instance: lists with filters, details, users, languages. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { SandboxCalls, projectUrl } from '../../support/servers/sandbox-calls.ts';

const project = 'atlas/compass';

let sandbox: Sandbox;
let cli: Cli;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 120 });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  cli = new Cli();
  await cli.add('gl', sandbox);
});

const as = (who: keyof Sandbox['tokens']) => tokenOption('gl', sandbox.tokens[who]);
const on = (command: string, ...more: string[]): string[] => [
  'project',
  ...command.split(' '),
  '--instance',
  'gl',
  ...more,
];

interface Found {
  projects: { id: number; fullPath: string }[];
  total: number | null;
  more: boolean;
}

/** Returns the queries that the action sent to a path of the API. */
async function queriesTo(path: string, action: () => Promise<unknown>): Promise<URLSearchParams[]> {
  const from = sandbox.requests.length;
  await action();
  return sandbox.requests
    .slice(from)
    .map((request) => new URL(request.path, sandbox.url))
    .filter(({ pathname }) => pathname === `/api/v4${path}`)
    .map(({ searchParams }) => searchParams);
}

describe('a list', () => {
  test('is complete and fetched by keyset with --all, and is cut at --limit without duplicates', async () => {
    let complete: Found | null = null;
    const byId = await queriesTo('/projects', async () => {
      complete = (await cli.json(on('find', '--all'), as('maintainer'))).document as Found;
    });
    expect(complete).toMatchObject({ more: false });
    expect((complete as unknown as Found).projects.map(({ fullPath }) => fullPath).sort()).toEqual(
      sandbox.state.paths.toSorted(),
    );
    expect(byId.map((query) => query.get('pagination'))).toEqual(byId.map(() => 'keyset'));

    const limited = await cli.json(
      on('find', '--limit', '110', '--order-by', 'path', '--sort', 'asc'),
      as('maintainer'),
    );
    const { projects, total, more } = limited.document as Found;
    expect({ total, more, unique: new Set(projects.map(({ id }) => id)).size }).toEqual({
      total: 120,
      more: true,
      unique: 110,
    });
  });

  test('offers the negation of a filter only if GitLab supports it', async () => {
    for (const flag of ['--no-membership', '--no-owned', '--no-imported', '--no-with-issues-enabled']) {
      await cli.fails(on('find', flag), { code: 'invalid-input', exit: 2, todo: /./ }, as('maintainer'));
    }
  });

  test('sends every filter by its name in the specification', async () => {
    const flags = [
      ...['--no-archived', '--imported', '--owned', '--membership', '--simple', '--starred-by-me'],
      ...['--statistics', '--with-custom-attributes', '--with-issues-enabled', '--include-hidden'],
      ...['--with-merge-requests-enabled', '--include-pending-delete', '--search-namespaces'],
      ...['--repository-checksum-failed', '--wiki-checksum-failed'],
      ...['--id-after', '3', '--id-before', '900', '--min-access-level', '30', '--topic-id', '7'],
      ...['--last-activity-after', '2020-01-01', '--last-activity-before', '2030-01-01'],
      ...['--updated-after', '2020-01-02', '--updated-before', '2030-01-02', '--order-by', 'updated_at'],
      ...['--sort', 'asc', '--search', 'comp', '--topic', 'a,b', '--visibility', 'private'],
      ...['--repository-storage', 'default', '--with-programming-language', 'Ruby'],
      ...['--marked-for-deletion-on', '2026-01-01', '--custom-attribute', 'cost centre=a=b'],
    ];
    const [query, ...others] = await queriesTo('/projects', () =>
      cli.run(on('find', ...flags), as('administrator')),
    );
    expect(others).toEqual([]);
    expect(Object.fromEntries(query ?? [])).toEqual({
      archived: 'false',
      imported: 'true',
      owned: 'true',
      membership: 'true',
      simple: 'true',
      starred: 'true',
      statistics: 'true',
      with_custom_attributes: 'true',
      with_issues_enabled: 'true',
      include_hidden: 'true',
      with_merge_requests_enabled: 'true',
      include_pending_delete: 'true',
      search_namespaces: 'true',
      repository_checksum_failed: 'true',
      wiki_checksum_failed: 'true',
      id_after: '3',
      id_before: '900',
      min_access_level: '30',
      topic_id: '7',
      last_activity_after: '2020-01-01',
      last_activity_before: '2030-01-01',
      updated_after: '2020-01-02',
      updated_before: '2030-01-02',
      order_by: 'updated_at',
      sort: 'asc',
      search: 'comp',
      topic: 'a,b',
      visibility: 'private',
      repository_storage: 'default',
      with_programming_language: 'Ruby',
      marked_for_deletion_on: '2026-01-01',
      'custom_attributes[cost centre]': 'a=b',
      per_page: '100',
    });
  });

  test('shows the requested custom attributes and statistics, and only the fields of a simple list with --simple', async () => {
    const administrator = new SandboxCalls(sandbox, sandbox.tokens.administrator);
    await administrator.call(`${projectUrl(project)}/custom_attributes/color`, 'PUT', { value: 'red' });
    const list = on('find', '--search', 'compass', '--custom-attribute', 'color=red');
    const both = [...list, '--with-custom-attributes', '--statistics'];
    expect((await cli.json(both, as('administrator'))).document).toMatchObject({
      projects: [
        {
          fullPath: project,
          customAttributes: [{ key: 'color', value: 'red' }],
          statistics: { storage_size: expect.any(Number) as number, lfs_objects_size: 0 },
        },
      ],
    });
    const { stdout } = await cli.run(both, as('administrator'));
    expect(stdout).toMatch(/COMMITS +STORAGE +REPOSITORY[^\n]* CUSTOM ATTRIBUTES\n[^\n]* color=red\n/);
    const simple = (await cli.json([...list, '--simple'], as('administrator'))).document as Found;
    expect(simple.projects).toHaveLength(1);
    // Fields that a simple list does not send are not reported as known.
    expect(simple.projects[0]).not.toHaveProperty('archived');
    expect(simple.projects[0]).toHaveProperty('webUrl');
  });

  test('can contain the projects of a user, of a group, or the forks of a project', async () => {
    const maintainer = new SandboxCalls(sandbox);
    await maintainer.call(`${projectUrl(project)}/star`, 'POST', {});
    const forked = await maintainer.call(`${projectUrl(project)}/fork`, 'POST', { path: 'forked-here' });
    expect(forked.status).toBe(201);
    const found = async (...args: string[]): Promise<string[]> => {
      const { document } = await cli.json([...args, '--instance', 'gl'], as('maintainer'));
      return (document as Found).projects.map(({ fullPath }) => fullPath);
    };
    expect(await found('project', 'find', '--user', 'maintainer')).toContain('maintainer/forked-here');
    expect(await found('project', 'find', '--user', 'maintainer', '--starred')).toEqual([project]);
    expect(await found('project', 'find', '--forks-of', project)).toEqual(['maintainer/forked-here']);
    expect(await found('project', 'forks', project, '--visibility', 'public')).toEqual([]);
    const inGroup = await found('project', 'find', '--group', 'atlas/tools', '--all');
    expect(inGroup.length).toBeGreaterThan(0);
    expect(inGroup.filter((path) => !path.startsWith('atlas/tools/'))).toEqual([]);
    const contributed = await queriesTo('/users/maintainer/contributed_projects', () =>
      found('project', 'find', '--user', 'maintainer', '--contributed', '--order-by', 'name'),
    );
    expect(contributed.map((query) => query.get('order_by'))).toEqual(['name']);
  });

  test.each([
    [['--starred'], /--starred-by-me/],
    [['--user', 'a', '--group', 'b'], /one of/],
    [['--user', 'maintainer', '--contributed', '--archived'], /cannot be filtered by "archived"/],
    [['--custom-attribute', 'nothing'], /key=value/],
    [['--sort', 'sideways'], /Allowed choices/],
  ])('with impossible options is rejected before any request: %j', async (args, says) => {
    const from = sandbox.requests.length;
    const expected = { code: 'invalid-input', exit: 2, todo: /./ };
    const { what } = await cli.fails(on('find', ...args), expected, as('maintainer'));
    expect(what).toMatch(says);
    expect(sandbox.requests.slice(from)).toEqual([]);
  });

  test('of an unknown user or group, or with an expired token, fails with its own error', async () => {
    const missing = { code: 'not-found', exit: 2, todo: /Check the name/ };
    await cli.fails(on('find', '--user', 'nobody-at-all'), missing, as('maintainer'));
    const noGroup = { code: 'not-found', exit: 2, todo: /full path/ };
    const { what } = await cli.fails(on('find', '--group', 'no/group'), noGroup, as('maintainer'));
    expect(what).toContain('no group "no/group"');
    const none = await cli.run(on('find', '--group', 'atlas', '--search', 'zzzz'), as('maintainer'));
    expect(none.stdout).toBe('No project is found in the group atlas.\n');
    await cli.fails(on('find'), { code: 'token-expired', exit: 4, todo: /token/ }, as('expired'));
  });
});

describe('one project', () => {
  test('is shown with all attributes except secrets, and with more details only on request', async () => {
    const { document } = await cli.json(on(`show ${project}`), as('maintainer'));
    expect(document).toMatchObject({
      project: { fullPath: project, accessLevel: 40 },
      attributes: { path_with_namespace: project, merge_method: 'merge' },
      license: null,
      statistics: null,
      customAttributes: null,
      markedForDeletionOn: null,
    });
    expect((document as { attributes: object }).attributes).not.toHaveProperty('runners_token');
    const shown = await cli.run(
      on(`show ${project}`, '--statistics', '--license', '--custom-attributes', '--attributes'),
      as('maintainer'),
    );
    expect(shown.stdout).toMatch(/path +atlas\/compass\n[^]*license +\S[^]*repository_size +\d/);
    expect(shown.stdout).toMatch(/not show this account the project's custom attributes/);
    expect(shown.stdout).toMatch(/\nmerge_method +merge\n/);
  });

  test('has no statistics for a role below Reporter, and the command reports that', async () => {
    const { stdout, code } = await cli.run(on(`show ${project}`, '--statistics'), as('guest'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/The instance does not show this account the project's statistics/);
  });

  test('has the users and groups that the instance returns for the filters', async () => {
    const otherClient = new SandboxCalls(sandbox);
    const idsOf = async (path: string): Promise<number[]> =>
      ((await otherClient.get(`${projectUrl(project)}${path}`)) as { id: number }[]).map(({ id }) => id);
    const users = await idsOf('/users');
    const [skipped = 0] = users;
    const rest = await cli.json(on(`users ${project}`, '--skip', String(skipped)), as('maintainer'));
    const listed = rest.document as { users: { id: number }[]; more: boolean };
    expect(listed.users.map(({ id }) => id)).toEqual(users.slice(1));
    expect(listed.more).toBe(false);
    const searched = await cli.run(on(`users ${project}`, '--search', 'Dora'), as('maintainer'));
    expect(searched.stdout).toMatch(/^ID +USER[^\n]*\n *\d+ +developer +Dora Developer +active\n$/);

    const filters = ['--with-shared', '--shared-min-access-level', '30', '--shared-visible-only'];
    const [query] = await queriesTo(`${projectUrl(project)}/groups`, async () => {
      const groups = await cli.json(on(`groups ${project}`, ...filters, '--skip', '999'), as('maintainer'));
      expect(groups.document).toMatchObject({ groups: [{ fullPath: 'atlas' }] });
    });
    expect(query?.toString()).toBe(
      'with_shared=true&shared_min_access_level=30&shared_visible_only=true&skip_groups%5B%5D=999&per_page=100',
    );
    const locations = await cli.json(on(`share-locations ${project}`, '--limit', '1'), as('maintainer'));
    const [first] = await idsOf('/share_locations');
    expect(locations.document).toMatchObject({ groups: [{ id: first }], more: true });
  });

  test('has the starrers and languages that the instance returns', async () => {
    await new SandboxCalls(sandbox, sandbox.tokens.developer).call(`${projectUrl(project)}/star`, 'POST', {});
    const starrers = await cli.json(on(`starrers ${project}`, '--search', 'Dora'), as('maintainer'));
    expect(starrers.document).toMatchObject({ starrers: [{ user: { username: 'developer' } }] });
    const languages = await new SandboxCalls(sandbox).get(`${projectUrl(project)}/languages`);
    expect(await cli.json(on(`languages ${project}`), as('maintainer'))).toEqual({
      code: 0,
      document: { languages },
    });
  });

  test('that does not exist is reported as project-missing', async () => {
    const missing = { code: 'project-missing', exit: 2, todo: /full path/ };
    await cli.fails(on('languages atlas/nothing'), missing, as('maintainer'));
  });
});

describe('a token of another account', () => {
  const paths = async (): Promise<string[]> => {
    const { document } = await cli.json(['project', 'list', '--instance', 'gl', '--offline']);
    return (document as Found).projects.map(({ fullPath }) => fullPath);
  };
  const changed = { code: 'account-changed', exit: 4, todo: /packhorse instance check gl/ };

  test('does not replace the project list of the previous account until a user accepts the new one', async () => {
    await cli.json(['instance', 'check', 'gl'], as('maintainer'));
    await cli.json(['instance', 'refresh', 'gl'], as('maintainer'));
    const before = await paths();
    expect(before).toContain(project);

    const { what } = await cli.fails(['instance', 'refresh', 'gl'], changed, as('developer'));
    expect(what).toContain('developer');
    expect(what).toContain('maintainer');
    expect(await paths()).toEqual(before);

    await cli.json(['instance', 'check', 'gl'], as('developer'));
    const { code } = await cli.json(['instance', 'refresh', 'gl'], as('developer'));
    expect(code).toBe(0);
  });

  test('does not make "back up all" report projects as deleted that it cannot see', async () => {
    const small = await startSandbox({ clock: systemClock, projectCount: 2 });
    try {
      await cli.add('small', small);
      const token = (who: keyof Sandbox['tokens']) => tokenOption('small', small.tokens[who]);
      const all = ['backup', '--instance', 'small', '--all'];
      await cli.json(['instance', 'check', 'small'], token('maintainer'));
      expect((await cli.json(all, token('maintainer'))).code).toBe(0);
      await cli.fails(all, { ...changed, todo: /instance check small/ }, token('outsider'));
    } finally {
      await small.close();
    }
  });
});
