/** @file The question which LFS objects a project has, and what a client makes of the answers. */
import { expect, it } from 'vitest';
import { findLfsObjects } from '../../../src-main/gitlab/projects/lfs-objects.ts';
import { failureOf, secret, testClient } from '../../support/servers/instance-client.ts';
import { scriptedServer, type Script, type ScriptedRequest } from '../../support/servers/scripted-server.ts';

const oids = Array.from({ length: 201 }, (_, index) => index.toString(16).padStart(64, '0'));
const objects = oids.map((oid) => ({ oid, bytes: 5 }));
const [first = '', second = ''] = oids;

interface Asked {
  operation: string;
  objects: { oid: string; size: number }[];
}
const askedIn = async (request: ScriptedRequest): Promise<Asked> =>
  JSON.parse((await request.body()).toString()) as Asked;

/** Serves all objects but those of `missing`. Their addresses lead to `elsewhere`. */
const serverWith =
  (missing: readonly string[], elsewhere: string, questions: number[] = []): Script =>
  async (request, reply) => {
    const { operation, objects: asked } = await askedIn(request);
    expect(operation).toBe('download');
    questions.push(asked.length);
    const answers = asked.map((object) =>
      missing.includes(object.oid)
        ? { ...object, error: { code: 404, message: 'Object does not exist' } }
        : { ...object, actions: { download: { href: `${elsewhere}/${object.oid}`, header: {} } } },
    );
    reply.json(200, { objects: answers });
  };

it('finds the objects in questions of at most 100, and requests no address of the answer', async () => {
  const elsewhere = await scriptedServer((_, reply) => {
    reply.json(200, {});
  });
  const questions: number[] = [];
  const server = await scriptedServer(serverWith([second], elsewhere.url, questions));
  const found = await findLfsObjects(testClient(server.url), 'a/b c', objects);
  expect(found).toEqual(new Set(oids.filter((oid) => oid !== second)));
  expect(questions).toEqual([100, 100, 1]);
  expect(elsewhere.requests).toEqual([]);
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array.from({ length: 3 }, () => 'POST /a/b%20c.git/info/lfs/objects/batch'),
  );
});

it('sends the token as a password, and not as a token of the API', async () => {
  const server = await scriptedServer(serverWith([], 'http://127.0.0.1:1'));
  await findLfsObjects(testClient(server.url), 'a/b', objects.slice(0, 1));
  const [request] = server.requests;
  const [, credentials = ''] = request?.headers.authorization?.split(' ') ?? [];
  expect(Buffer.from(credentials, 'base64').toString()).toBe(`packhorse:${secret}`);
  expect(request?.headers['private-token']).toBeUndefined();
});

it('is a read, so a read-only instance allows it and no write is recorded', async () => {
  const writes: unknown[] = [];
  const server = await scriptedServer(serverWith([], 'http://127.0.0.1:1'));
  const client = testClient(server.url, { mayWrite: () => false, onWrite: (write) => writes.push(write) });
  expect(await findLfsObjects(client, 'a/b', objects.slice(0, 1))).toEqual(new Set([first]));
  expect(writes).toEqual([]);
});

it.each([401, 403, 404, 405, 406, 501])('returns null if the server refuses with %i', async (status) => {
  const server = await scriptedServer((_, reply) => {
    reply.json(status, { message: 'no' });
  });
  expect(await findLfsObjects(testClient(server.url), 'a/b', objects)).toBeNull();
});

it.each([500, 503, 429])(
  'fails if the server fails with %i, because a later question may succeed',
  async (status) => {
    const server = await scriptedServer((_, reply) => {
      reply.json(status, { message: 'no' });
    });
    const error = await failureOf(findLfsObjects(testClient(server.url), 'a/b', objects));
    expect(error.details).toMatchObject({ status, project: 'a/b' });
  },
);

it('follows no redirect, neither to a sign-in page nor to another origin', async () => {
  const elsewhere = await scriptedServer((_, reply) => {
    reply.json(200, { objects: [] });
  });
  const server = await scriptedServer((_, reply) => {
    reply.send(302, { location: `${elsewhere.url}/users/sign_in` });
  });
  expect(await findLfsObjects(testClient(server.url), 'a/b', objects)).toBeNull();
  expect(elsewhere.requests).toEqual([]);
});

it.each([
  ['leaves out an object', { objects: [] }],
  ['has another error than 404', { objects: [{ oid: first, error: { code: 410 } }] }],
  ['has neither an address nor an error', { objects: [{ oid: first }] }],
])('returns null if the answer %s, so that no object counts as lost', async (_, answer) => {
  const server = await scriptedServer((_request, reply) => {
    reply.json(200, answer);
  });
  expect(await findLfsObjects(testClient(server.url), 'a/b', objects.slice(0, 1))).toBeNull();
});

it('sends no request without an object', async () => {
  const server = await scriptedServer(() => undefined);
  expect(await findLfsObjects(testClient(server.url), 'a/b', [])).toEqual(new Set());
  expect(server.requests).toEqual([]);
});
