import { describe, expect, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';
import { projectCounts } from '../../../src-main/gitlab/projects/counts.ts';
import { exportStates, exportStatus, requestExport } from '../../../src-main/gitlab/transfers/exports.ts';
import { importStatus } from '../../../src-main/gitlab/transfers/imports.ts';
import { getNamespace, getProject } from '../../../src-main/gitlab/projects/projects.ts';
import { currentUser, serverVersion, tokenInfo } from '../../../src-main/gitlab/instances/server.ts';
import { failureOf, testClient } from '../../support/servers/instance-client.ts';
import { type Reply, type Script, scriptedServer } from '../../support/servers/scripted-server.ts';

/** Returns a client of a server that replies by path below `/api/v4/`, and with 404 elsewhere. */
async function serverWith(answers: Record<string, unknown>) {
  const server = await scriptedServer(({ path }, reply) => {
    const value = answers[path.replace('/api/v4/', '')];
    if (value === undefined) reply.json(404, { message: '404 Not Found' });
    else if (typeof value === 'function') (value as (reply: Reply) => void)(reply);
    else reply.json(200, value);
  });
  return { server, client: testClient(server.url) };
}

const replyWith = (status: number, body: unknown) => (reply: Reply) => {
  reply.json(status, body);
};

describe('addresses', () => {
  test.each(['group/sub/name', 'a%2Fb/c', 'a?b/c#d', 'größe/日本', "sp ace/'q'", '.../..'])(
    'the path %s is encoded once',
    async (path) => {
      const server = await scriptedServer((_, reply) => {
        reply.json(404, { message: '404 Project Not Found' });
      });

      const failure = await failureOf(getProject(testClient(server.url), path));

      expect(failure).toMatchObject({ code: 'project-missing', details: { project: path } });
      const parts = server.requests[0]?.path.split('/') ?? [];
      expect(parts.slice(0, 4)).toEqual(['', 'api', 'v4', 'projects']);
      expect(parts.slice(4).map(decodeURIComponent)).toEqual([path]);
    },
  );

  test.each(['', '.', '..'])('"%s" is rejected as a path, and no request is sent', async (path) => {
    const { client, server } = await serverWith({});

    expect((await failureOf(getProject(client, path))).code).toBe('invalid-input');
    expect(server.requests).toHaveLength(0);
  });

  test('requests to an instance below a path of its host go to that path', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, { version: '17.0.0' });
    });

    await serverVersion(testClient(`${server.url}/gitlab/`));

    expect(server.requests[0]?.path).toBe('/gitlab/api/v4/version');
  });

  test.each(['gitlab.example.com', 'ftp://x', 'https://a:b@x', 'https://x?y', 'https://x#y', ''])(
    '"%s" is rejected as the URL of an instance',
    (url) => {
      expect(() => testClient(url)).toThrow(expect.objectContaining({ code: 'invalid-input' }) as Error);
    },
  );
});

describe('exports', () => {
  test('are requested once, with the description if there is one', async () => {
    const server = await scriptedServer(async (request, reply) => {
      bodies.push((await request.body()).toString());
      reply.json(202, { message: '202 Accepted' });
    });
    const bodies: string[] = [];
    const client = testClient(server.url);

    await requestExport(client, 5, { description: 'äöü' });
    await requestExport(client, 5);

    expect(bodies).toEqual(['{"description":"äöü"}', '{}']);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v4/projects/5/export',
      'POST /api/v4/projects/5/export',
    ]);
  });

  const respondWith =
    (status: number, headers = {}): Script =>
    (_, reply) => {
      reply.json(status, {}, headers);
    };
  const faults: Array<[string, Script]> = [
    ['a reset', ({ stream }) => void stream.socket.resetAndDestroy()],
    ['a 500', respondWith(500)],
    ['a 429', respondWith(429, { 'retry-after': '1' })],
    ['a 503 with Retry-After', respondWith(503, { 'retry-after': '0' })],
    ['a redirect', respondWith(307, { location: '/api/v4/again' })],
    ['no reply', () => undefined],
  ];
  test.each(faults)('are never requested twice, whatever the reply: %s', async (_, script) => {
    const server = await scriptedServer(script);

    await failureOf(requestExport(testClient(server.url, { limits: { responseTimeoutMs: 50 } }), 5));

    expect(server.requests).toHaveLength(1);
  });

  test.each([...exportStates])('the state %s is accepted', async (state) => {
    const { client } = await serverWith({
      'projects/5/export': { id: 5, export_status: state, new_field: 1 },
    });

    expect(await exportStatus(client, 5)).toEqual({ state });
  });

  test.each(['', 'done', 'Finished', 'queued '])('the unknown state "%s" is an error', async (state) => {
    const { client } = await serverWith({ 'projects/5/export': { export_status: state } });

    expect(await failureOf(exportStatus(client, 5))).toMatchObject({
      code: 'unknown-state',
      details: { state },
    });
  });
});

test('reading the export state already fails if the caller may not export', async () => {
  const { client } = await serverWith({ 'projects/5/export': replyWith(403, { message: '403 Forbidden' }) });

  expect((await failureOf(exportStatus(client, 5))).code).toBe('role-too-low');
});

describe('imports', () => {
  const status = { id: 5, path_with_namespace: 'g/n', import_status: 'finished' };

  test('a status is read even if fields are missing or null, as on real servers', async () => {
    const { client } = await serverWith({
      'projects/g%2Fn/import': {
        ...status,
        import_type: 'gitlab_project',
        import_error: null,
        correlation_id: null,
        stats: null,
        failed_relations: [
          {
            id: 1,
            created_at: '2026-11-20T10:00:00.000Z',
            exception_class: 'ActiveRecord::RecordInvalid',
            exception_message: null,
            source: 'process_relation_item!',
            relation_name: 'milestones',
            line_number: 0,
          },
          {
            id: 2,
            created_at: '2019-01-01T10:00:00.000Z',
            exception_class: 'X',
            source: 's',
            relation_name: 'issues',
          },
        ],
      },
    });

    const read = await importStatus(client, 'g/n');

    expect(read).toMatchObject({
      projectId: 5,
      fullPath: 'g/n',
      state: 'finished',
      correlationId: null,
      stats: null,
    });
    expect(read.failures).toMatchObject([
      { relation: 'milestones', line: 0, exceptionMessage: null },
      { relation: 'issues', line: null },
    ]);
  });

  test('the status of an import from another code host contains its counts', async () => {
    const { client } = await serverWith({
      'projects/5/import': {
        ...status,
        import_type: 'github',
        stats: { fetched: { issue: 3 }, imported: { issue: 2 } },
      },
    });

    expect((await importStatus(client, 5)).stats).toEqual({ fetched: { issue: 3 }, imported: { issue: 2 } });
  });

  test.each(['', 'done', 'running'])('the unknown state "%s" is an error', async (state) => {
    const { client } = await serverWith({ 'projects/5/import': { ...status, import_status: state } });

    expect((await failureOf(importStatus(client, 5))).code).toBe('unknown-state');
  });
});

describe('counts of a project', () => {
  const total = (count: number) => (reply: Reply) => {
    reply.json(200, count === 0 ? [] : [{}], { 'x-total': String(count) });
  };
  const allReplies = {
    'projects/5/issues': [{ user_notes_count: 2 }, { user_notes_count: 0 }],
    'projects/5/merge_requests': [{ user_notes_count: 7 }],
    'projects/5/milestones': total(3),
    // The last label is one of the project's group; old servers do not say which labels are.
    'projects/5/labels': [
      { is_project_label: true },
      {},
      { is_project_label: true },
      { is_project_label: false },
    ],
    'projects/5/releases': total(0),
    // No export contains pipelines of the Web IDE.
    'projects/5/pipelines': ['push', 'web', 'webide'].map((source, id) => ({ id, source })),
    'projects/5/repository/branches': total(7),
    'projects/5/repository/tags': total(8),
  };

  test('are all requested, with issues and merge requests in every state', async () => {
    const { client, server } = await serverWith(allReplies);

    expect(await projectCounts(client, 5)).toEqual({
      issues: 2,
      merge_requests: 1,
      milestones: 3,
      labels: 3,
      releases: 0,
      ci_pipelines: 2,
      branches: 7,
      tags: 8,
      issue_notes: 2,
      merge_request_notes: 7,
    });
    const queryOf = (name: string) =>
      server.requests.find(({ path }) => path.endsWith(name))?.query.toString();
    for (const name of ['/issues', '/merge_requests']) {
      expect(queryOf(name)).toBe('scope=all&state=all&order_by=created_at&sort=asc&per_page=100&page=1');
    }
    expect(queryOf('/labels')).toContain('include_ancestor_groups=false');
  });

  test('are null if a feature is disabled or hidden', async () => {
    const { client } = await serverWith({
      ...allReplies,
      'projects/5/issues': replyWith(403, { message: '403 Forbidden' }),
      'projects/5/merge_requests': replyWith(404, { message: '404 Not Found' }),
      'projects/5/repository/tags': replyWith(404, { message: '404 Repository Not Found' }),
    });

    expect(await projectCounts(client, 5)).toMatchObject({
      issues: null,
      issue_notes: null,
      merge_requests: null,
      merge_request_notes: null,
      tags: null,
      milestones: 3,
    });
  });

  test.each([
    ['leave out those of sources that no export contains', 'webide', 101],
    ['include all of a GitLab that cannot filter them by source', 'push', 105],
  ])('of more than 100 pipelines %s', async (_, shown, expected) => {
    const server = await scriptedServer(({ path, query }, reply) => {
      const [source, page] = [query.get('source'), query.get('page')];
      const rows = (first: number, count: number) =>
        Array.from({ length: count }, (_row, index) => ({ id: first + index, source: 'push' }));
      if (!path.endsWith('/pipelines')) reply.json(200, [], { 'x-total': '0' });
      else if (source === 'webide') reply.json(200, [{ id: 1, source: shown }], { 'x-total': '4' });
      else if (source !== null) reply.json(400, { error: 'source does not have a valid value' });
      else if (page === '1') reply.json(200, rows(1, 100), { 'x-total': '105', 'x-next-page': '2' });
      else reply.json(200, rows(101, 5), { 'x-total': '105', 'x-next-page': '' });
    });

    expect((await projectCounts(testClient(server.url), 5)).ci_pipelines).toBe(expected);
  });

  test.each([
    [401, { message: '401 Unauthorized' }, 'token-invalid'],
    [403, { error: 'insufficient_scope', scope: 'api read_api' }, 'token-scope'],
    [404, { message: '404 Project Not Found' }, 'project-missing'],
    [429, {}, 'rate-limited'],
    [500, {}, 'server-error'],
  ])('fail as a whole on %i %o', async (status, body, code) => {
    const { client } = await serverWith({ ...allReplies, 'projects/5/labels': replyWith(status, body) });

    expect((await failureOf(projectCounts(client, 5))).code).toBe(code);
  });
});

describe('the server and the account', () => {
  test('serverVersion returns the version and the clock of the server', async () => {
    const { client } = await serverWith({
      version: (reply: Reply) => {
        reply.json(200, { version: '18.1.1-ee', revision: 'x' }, { date: 'Fri, 20 Nov 2026 10:00:00 GMT' });
      },
    });

    expect(await serverVersion(client)).toEqual({
      version: '18.1.1-ee',
      serverDate: Date.UTC(2026, 10, 20, 10),
    });
  });

  test('an account without the administrator flag is not an administrator', async () => {
    const user = { id: 3, username: 'kim' };
    const plain = await serverWith({ user });
    const admin = await serverWith({ user: { ...user, is_admin: true } });

    expect(await currentUser(plain.client)).toMatchObject({ ...user, administrator: false });
    expect((await currentUser(admin.client)).administrator).toBe(true);
  });

  test('tokenInfo returns name, scopes and expiry, or null if the server cannot report them', async () => {
    const current = await serverWith({
      'personal_access_tokens/self': { id: 1, name: 't', scopes: ['read_api'], expires_at: '2027-01-31' },
    });
    const old = await serverWith({});
    const odd = await serverWith({
      'personal_access_tokens/self': replyWith(400, { message: '400 Bad Request' }),
    });

    expect(await tokenInfo(current.client)).toEqual({
      name: 't',
      scopes: ['read_api'],
      expiresOn: '2027-01-31',
    });
    expect(await tokenInfo(old.client)).toBeNull();
    expect(await tokenInfo(odd.client)).toBeNull();
  });

  test('a missing namespace has its own error code', async () => {
    const { client } = await serverWith({
      'namespaces/a%2Fb': { id: 2, name: 'B', full_path: 'a/b', kind: 'group', plan: 'x' },
    });

    expect(await getNamespace(client, 'a/b')).toEqual({ id: 2, name: 'B', fullPath: 'a/b', kind: 'group' });
    expect(await failureOf(getNamespace(client, 'nowhere'))).toMatchObject({
      code: 'namespace-missing',
      details: { namespace: 'nowhere' },
    });
  });
});

describe('JSON', () => {
  const read = async (body: string | Uint8Array, limits = {}, headers = {}) => {
    const server = await scriptedServer((_, reply) => {
      reply.send(200, { 'content-type': 'application/json', ...headers }, body);
    });
    return testClient(server.url, { limits }).getJson('x', z.object({ id: z.number().int() }));
  };

  test('with a byte order mark, duplicate keys or unknown fields is accepted', async () => {
    expect((await read('\ufeff{"id":1,"id":2,"more":{}}')).data).toEqual({ id: 2 });
  });

  test.each([
    ['cut short', '{"id":'],
    ['empty', ''],
    ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['nested endlessly', '['.repeat(200_000)],
    ['with an ID too large to be exact', '{"id":9007199254740993}'],
    ['of another shape', '[]'],
  ])('%s is an unexpected response', async (_, body) => {
    expect((await failureOf(read(body))).code).toBe('unexpected-response');
  });

  test('larger than the limit is rejected, even if it was small when compressed', async () => {
    const { gzipSync } = await import('node:zlib');
    const large = `{"id":1,"pad":"${' '.repeat(2_000_000)}"}`;

    expect((await failureOf(read(large, { maxJsonBytes: 1_000_000 }))).code).toBe('response-too-large');
    expect(
      (await failureOf(read(gzipSync(large), { maxJsonBytes: 1_000_000 }, { 'content-encoding': 'gzip' })))
        .code,
    ).toBe('response-too-large');
    expect((await read(gzipSync(large), {}, { 'content-encoding': 'gzip' })).data.id).toBe(1);
  });

  test('cut short in transit is a lost connection', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.raw(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"id":1}',
        'fin',
      );
    });

    expect(await failureOf(getProject(testClient(server.url), 1))).toMatchObject({
      code: 'connection-lost',
      retry: 'later',
    });
  });
});

test('concurrent calls share at most four connections', async () => {
  let maxConnections = 0;
  const server = await scriptedServer((_, reply) => {
    maxConnections = Math.max(maxConnections, server.connections());
    reply.json(200, { id: 1, username: 'kim' });
  });
  const client = testClient(server.url);

  await Promise.all(Array.from({ length: 100 }, () => currentUser(client)));

  expect(maxConnections).toBeLessThanOrEqual(4);
  expect(server.requests).toHaveLength(100);
});
