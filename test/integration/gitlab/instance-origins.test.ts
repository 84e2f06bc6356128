/** @file The token is sent to the instance's own origin only, as the headers that other servers received show. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';
import type { InstanceClient } from '../../../src-main/gitlab/http/client.ts';
import { deleteProject } from '../../../src-main/gitlab/projects/deletion.ts';
import { downloadExport } from '../../../src-main/gitlab/transfers/exports.ts';
import { projectUsersPage } from '../../../src-main/gitlab/projects/users-and-groups.ts';
import { createProject, editProject } from '../../../src-main/gitlab/projects/project-edit.ts';
import { projectsPage } from '../../../src-main/gitlab/projects/lists-of-projects.ts';
import { getProject, projectsAfter } from '../../../src-main/gitlab/projects/projects.ts';
import { rotateOwnToken } from '../../../src-main/gitlab/instances/rotation.ts';
import { revokeToken } from '../../../src-main/gitlab/instances/tokens.ts';
import { downloadUpload, uploadFile } from '../../../src-main/gitlab/transfers/uploads.ts';
import { allRecords, collect, failureOf, secret, testClient } from '../../support/servers/instance-client.ts';
import { testProxy } from '../../support/servers/proxy.ts';
import {
  certificateFile,
  type Script,
  type ScriptedRequest,
  scriptedServer,
} from '../../support/servers/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const codes = [301, 302, 303, 307, 308];
const instanceHost = 'gitlab.example';
const ignore = { onChunk: () => Promise.resolve() };

function file(): string {
  const path = join(temporaryFolder(), 'a.png');
  writeFileSync(path, 'x');
  return path;
}

type Call = (client: InstanceClient) => Promise<unknown>;
const kinds: Record<'reads' | 'writes' | 'downloads', Call[]> = {
  reads: [
    (client) => getProject(client, 'a/b'),
    (client) => projectsPage(client, { order_by: 'id' }),
    (client) => collect(projectsAfter(client, 0, { search: null })),
    (client) => projectUsersPage(client, 1, {}),
  ],
  writes: [
    (client) => createProject(client, { path: 'a' }),
    (client) => editProject(client, 1, { description: 'd' }),
    (client) => deleteProject(client, 1),
    (client) => revokeToken(client, 1),
    (client) => rotateOwnToken(client),
    (client) => uploadFile(client, 1, { path: file(), sizeBytes: 1 }),
    (client) => editProject(client, 1, { avatar: file() }),
  ],
  downloads: [
    (client) => downloadExport(client, 1, ignore),
    (client) => downloadUpload(client, 1, 1, ignore),
  ],
};
/** True for each kind of call that follows a redirect to another origin. */
const follows = { reads: false, writes: false, downloads: true };

interface Servers {
  client: InstanceClient;
  /** The requests that the instance received, and those of every other origin. */
  own: () => ScriptedRequest[];
  others: () => ScriptedRequest[];
}

/** Opens origins that differ by name only: one server behind a proxy that resolves every name to it. */
async function openByName(otherOrigin: string, script: Script): Promise<Servers> {
  const server = await scriptedServer((request, reply) => {
    if (request.headers.host === instanceHost) return script(request, reply);
    reply.json(200, {});
  });
  const proxy = await testProxy(server.port);
  const from = (own: boolean) => () =>
    server.requests.filter(({ headers }) => (headers.host === instanceHost) === own);
  expect(otherOrigin).not.toBe(`http://${instanceHost}`);
  return {
    client: testClient(`http://${instanceHost}`, { proxy: proxy.url }),
    own: from(true),
    others: from(false),
  };
}

interface Place {
  name: string;
  open: (script: (otherOrigin: string) => Script) => Promise<Servers>;
}
const byName = (name: string, otherOrigin: string): Place => ({
  name,
  open: (script) => openByName(otherOrigin, script(otherOrigin)),
});
const places: Place[] = [
  byName('host', 'http://elsewhere.example'),
  byName('port', `http://${instanceHost}:8080`),
  byName('subdomain', `http://files.${instanceHost}`),
  {
    name: 'scheme',
    async open(script) {
      const target = await scriptedServer(
        (_, reply) => {
          reply.json(200, {});
        },
        { certificate: 'trusted' },
      );
      const source = await scriptedServer(script(target.url));
      const client = testClient(source.url, { caFile: certificateFile('authority') });
      return { client, own: () => source.requests, others: () => target.requests };
    },
  },
];

const textOf = (requests: ScriptedRequest[]): string =>
  JSON.stringify(requests.map(({ method, path, query, headers }) => [method, path, [...query], headers]));

describe.each(codes)('a %i redirect', (code) => {
  describe.each(places)('to another $name', ({ open }) => {
    test.each(['reads', 'writes', 'downloads'] as const)('never carries the token: %s', async (kind) => {
      const { client, own, others } = await open((otherOrigin) => (request, reply) => {
        reply.send(code, { location: `${otherOrigin}${request.path}?sig=1` });
      });
      for (const call of kinds[kind]) await call(client).catch(() => undefined);

      expect(own().length).toBeGreaterThanOrEqual(kinds[kind].length);
      expect(own().every(({ headers }) => headers['private-token'] === secret)).toBe(true);
      expect(others()).toHaveLength(follows[kind] ? kinds[kind].length : 0);
      expect(others().every(({ method }) => method === 'GET')).toBe(true);
      expect(textOf(others())).not.toContain(secret);
      expect(textOf(others())).not.toMatch(/private-token|authorization|cookie/i);
    });
  });
});

describe.each(places)('a Link to another $name', ({ open }) => {
  test.each(['all', 'keyset', 'numbers'] as const)(
    "is followed on the instance's own origin only: %s",
    async (pagination) => {
      let pageCount = 0;
      const project = { name: 'n', path_with_namespace: 'g/n', web_url: 'http://x' };
      const { client, own, others } = await open((otherOrigin) => (request, reply) => {
        pageCount += 1;
        const next = `<${otherOrigin}/api/v4/projects?page=${pageCount + 1}&id_after=${pageCount}&private_token=x>; rel="next"`;
        if (pageCount > 2) reply.json(200, []);
        else reply.json(200, [{ ...project, id: pageCount }], { link: next });
      });
      if (pagination === 'all') {
        await collect(projectsAfter(client, 0, { search: null }));
      } else {
        const order = { order_by: pagination === 'keyset' ? 'id' : 'name' } as const;
        await allRecords((page) => projectsPage(client, order, page));
      }

      expect(own()).toHaveLength(3);
      expect(others()).toHaveLength(0);
    },
  );
});

describe('a proxy error', () => {
  const all = Object.values(kinds).flat();

  test.each([407, 502, 503])('%i causes no request to another server', async (refuse) => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, {});
    });
    const proxy = await testProxy(server.port, { refuse });
    for (const base of [`http://${instanceHost}`, `https://${instanceHost}`]) {
      const client = testClient(base, { proxy: proxy.url });
      for (const call of all) expect(await failureOf(call(client))).toBeInstanceOf(Error);
    }

    expect(server.requests).toHaveLength(0);
    expect(proxy.requests.every((target) => target.includes(instanceHost))).toBe(true);
  });

  test.each(codes)("%i that redirects to the proxy's own page does not carry the token", async (code) => {
    const signIn = await scriptedServer((_, reply) => {
      reply.send(200, { 'content-type': 'text/html' }, '<html>');
    });
    const proxy = await scriptedServer((_, reply) => {
      reply.send(code, { location: `${signIn.url}/login` });
    });
    const client = testClient(`http://${instanceHost}`, { proxy: proxy.url });
    for (const call of all) await failureOf(call(client));

    expect(textOf(signIn.requests)).not.toContain(secret);
    expect(signIn.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('from an unreachable proxy does not bypass the proxy', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, {});
    });
    const client = testClient(server.url.replace('127.0.0.1', '127.0.0.2'), { proxy: 'http://127.0.0.1:1' });

    expect((await failureOf(client.getJson('x', z.unknown()))).code).toBe('connection-refused');
    expect(server.requests).toHaveLength(0);
  });
});

describe('a moved project', () => {
  test('is reported once it was found, so that the move can be stored', async () => {
    const moves: unknown[] = [];
    const server = await scriptedServer((request, reply) => {
      if (request.path === '/api/v4/projects/7/languages') reply.json(200, {});
      else if (request.path === '/api/v4/projects/old%2Fn/languages') {
        reply.send(301, { location: 'http://configured.example/api/v4/projects/7/languages' });
      } else reply.send(301, { location: '/api/v4/projects/8' });
    });
    const client = testClient(server.url, { onProjectMoved: (move) => moves.push(move) });

    await client.getJson('projects/old%2Fn/languages', z.unknown());
    await failureOf(client.getJson('projects/lost%2Fn', z.unknown()));

    expect(moves).toEqual([{ from: 'old/n', to: '7' }]);
  });
});
