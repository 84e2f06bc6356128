import { describe, expect, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';
import { downloadExport } from '../../../src-main/gitlab/transfers/exports.ts';
import { getProject } from '../../../src-main/gitlab/projects/projects.ts';
import { failureOf, secret, testClient } from '../../support/servers/instance-client.ts';
import {
  certificateFile,
  type Script,
  scriptedServer,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';

const codes = [301, 302, 303, 307, 308];

/** Returns the path, query and headers of all requests as text. */
const requestTexts = (server: ScriptedServer) =>
  server.requests
    .map((request) => JSON.stringify([request.path, ...request.query, request.headers]))
    .join('\n');

const ignore = { onChunk: () => Promise.resolve() };

describe('the token stays on its origin', () => {
  interface Place {
    name: string;
    source: Parameters<typeof scriptedServer>[1];
    target: Parameters<typeof scriptedServer>[1];
    /** Returns the address of the redirect for the target's URL. */
    location: (target: ScriptedServer) => string;
    /** True if the download is rejected. */
    refused?: true;
  }
  const plain = {};
  const secure = { certificate: 'trusted' } as const;
  const places: Place[] = [
    { name: 'another port', source: plain, target: plain, location: ({ url }) => `${url}/file` },
    {
      name: 'another host',
      source: plain,
      target: { host: 'localhost' },
      location: ({ url }) => `${url}/file`,
    },
    { name: 'http to https', source: plain, target: secure, location: ({ url }) => `${url}/file` },
    { name: 'https to https', source: secure, target: secure, location: ({ url }) => `${url}/file` },
    {
      name: 'https to http',
      source: secure,
      target: plain,
      refused: true,
      location: ({ url }) => `${url}/file`,
    },
    { name: 'no scheme', source: plain, target: plain, location: ({ port }) => `//127.0.0.1:${port}/file` },
    {
      name: 'user info',
      refused: true,
      source: plain,
      target: plain,
      location: ({ port }) => `http://a:b@127.0.0.1:${port}/file`,
    },
    {
      name: 'own host as user info',
      refused: true,
      source: plain,
      target: plain,
      location: ({ port }) => `http://127.0.0.1@127.0.0.1:${port}/file`,
    },
    {
      name: 'full-width digits in the host',
      source: plain,
      target: plain,
      location: ({ port }) => `http://１２７.0.0.1:${port}/file`.replace(/[１２７]/g, encodeURIComponent),
    },
    {
      name: 'a number as host',
      source: plain,
      target: plain,
      location: ({ port }) => `http://2130706433:${port}/file`,
    },
    {
      name: 'backslashes',
      source: plain,
      target: plain,
      location: ({ port }) => `\\\\127.0.0.1:${port}\\file`,
    },
    {
      name: 'upper case',
      source: plain,
      target: plain,
      location: ({ port }) => `HTTP://LOCALHOST:${port}/file`,
    },
  ];

  for (const code of codes) {
    test.each(places)(
      `a ${code} redirect of a download to another origin never carries the token: $name`,
      async (place) => {
        const target = await scriptedServer((_, reply) => {
          reply.send(200, { 'content-type': 'application/octet-stream' }, 'file');
        }, place.target);
        const source = await scriptedServer((_, reply) => {
          reply.send(code, { location: place.location(target) });
        }, place.source);
        const client = testClient(source.url, { caFile: certificateFile('authority') });

        await downloadExport(client, 1, ignore).catch(() => undefined);

        expect(source.requests[0]?.headers['private-token']).toBe(secret);
        expect(target.requests).toHaveLength(place.refused === true ? 0 : 1);
        expect(requestTexts(target)).not.toContain(secret);
        const names = new Set(target.requests.flatMap(({ headers }) => Object.keys(headers)));
        expect(
          [...names].every((name) =>
            ['host', 'connection', 'user-agent', 'accept', 'accept-encoding'].includes(name),
          ),
        ).toBe(true);
      },
    );

    test(`API calls do not follow a ${code} redirect to another origin`, async () => {
      const target = await scriptedServer((_, reply) => {
        reply.json(200, {});
      });
      const source = await scriptedServer((_, reply) => {
        reply.send(code, { location: `${target.url}/api/v4/x?signature=1` });
      });
      const client = testClient(source.url);

      const read = await failureOf(client.getJson('x', z.unknown()));
      const write = await failureOf(client.postJson('x', {}, z.unknown()));

      expect([read.code, write.code]).toEqual(['redirect-refused', 'redirect-refused']);
      expect(read.details['target']).toBe(`${target.url}/api/v4/x`);
      expect(target.requests).toHaveLength(0);
    });
  }

  test('a download that has left the instance never sends the token again, not even back at the instance', async () => {
    let instanceUrl = '';
    const awayServer = await scriptedServer((request, reply) => {
      reply.send(302, { location: request.path === '/first' ? '/second' : `${instanceUrl}/back` });
    });
    const source = await scriptedServer((request, reply) => {
      if (request.path === '/again') reply.send(200, {}, 'file');
      else reply.send(302, { location: request.path === '/back' ? '/again' : `${awayServer.url}/first` });
    });
    instanceUrl = source.url;

    await downloadExport(testClient(source.url), 1, ignore);

    expect(awayServer.requests.map(({ path }) => path)).toEqual(['/first', '/second']);
    expect(requestTexts(awayServer)).not.toContain(secret);
    expect(source.requests.map(({ headers }) => headers['private-token'])).toEqual([
      secret,
      undefined,
      undefined,
    ]);
  });
});

describe('redirects of a download', () => {
  test('within the instance send the token again and deliver the file', async () => {
    const server = await scriptedServer((request, reply) => {
      if (request.path.endsWith('/download')) reply.send(302, { location: '/files/1' });
      else reply.send(200, {}, 'file');
    });
    const chunks: Uint8Array[] = [];

    await downloadExport(testClient(server.url), 1, {
      onChunk: (chunk) => {
        chunks.push(Buffer.from(chunk));
        return Promise.resolve();
      },
    });

    expect(Buffer.concat(chunks).toString()).toBe('file');
    expect(server.requests[1]?.headers['private-token']).toBe(secret);
  });

  test.each([
    ['a URL that redirects to itself', (): string => '/again'],
    ['an empty address', (): string => ''],
    ['a script URL', (): string => 'javascript:alert(1)'],
    ['a file URL', (): string => 'file:///etc/passwd'],
    ['an invalid address', (): string => 'http://['],
  ])('to %s are rejected', async (_, location) => {
    const server = await scriptedServer((request, reply) => {
      reply.send(302, { location: location() });
    });

    const failure = await failureOf(downloadExport(testClient(server.url), 1, ignore));

    expect(failure.code).toBe('redirect-refused');
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });

  test('are followed five times in a row, but not a sixth time', async () => {
    const chain =
      (length: number): Script =>
      (request, reply) => {
        const hop = Number(request.query.get('hop') ?? 0);
        if (hop === length) reply.send(200, {}, 'file');
        else reply.send(302, { location: `?hop=${hop + 1}` });
      };
    const five = await scriptedServer(chain(5));
    const six = await scriptedServer(chain(6));

    await downloadExport(testClient(five.url), 1, ignore);
    const failure = await failureOf(downloadExport(testClient(six.url), 1, ignore));

    expect(failure.code).toBe('redirect-refused');
    expect(six.requests).toHaveLength(6);
  });

  test('to an object storage that returns 403 fail with server-error, because the token is not the cause', async () => {
    const storage = await scriptedServer((_, reply) => {
      reply.send(403, { 'content-type': 'application/xml' }, '<Error><Code>AccessDenied</Code></Error>');
    });
    const server = await scriptedServer((_, reply) => {
      reply.send(302, { location: `${storage.url}/bucket/file?X-Amz-Signature=sensitive` });
    });

    const failure = await failureOf(downloadExport(testClient(server.url), 1, ignore));

    expect(failure).toMatchObject({ code: 'server-error', retry: 'later' });
    expect(JSON.stringify(failure.toData())).not.toContain('sensitive');
  });
});

describe('a moved project', () => {
  const project = { id: 7, name: 'n', path_with_namespace: 'new/n', web_url: 'http://x/new/n' };

  test('is read from its new address', async () => {
    const server = await scriptedServer((request, reply) => {
      if (request.path === '/api/v4/projects/7') reply.json(200, project);
      else
        reply.send(
          301,
          { location: `${server.url}/api/v4/projects/7`, 'content-type': 'text/plain' },
          'moved',
        );
    });

    expect((await getProject(testClient(server.url), 'old/n')).fullPath).toBe('new/n');
  });

  test('is read from the configured address even if the server names another one', async () => {
    const otherServer = await scriptedServer((_, reply) => {
      reply.json(200, project);
    });
    const server = await scriptedServer((request, reply) => {
      if (request.path === '/api/v4/projects/7') reply.json(200, project);
      else reply.send(301, { location: `${otherServer.url}/gitlab/api/v4/projects/7` });
    });

    expect((await getProject(testClient(server.url), 'old/n')).fullPath).toBe('new/n');
    expect(otherServer.requests).toHaveLength(0);
  });

  test('is followed only once', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.send(301, { location: '/api/v4/projects/7' });
    });

    expect((await failureOf(getProject(testClient(server.url), 'old/n'))).code).toBe('redirect-refused');
    expect(server.requests).toHaveLength(2);
  });

  test('fails with project-moved for a request that would change something', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(405, { message: '405 Non GET methods are not allowed for moved projects' });
    });

    const failure = await failureOf(testClient(server.url).postJson('projects/1/export', {}, z.unknown()));

    expect(failure.code).toBe('project-moved');
  });
});
