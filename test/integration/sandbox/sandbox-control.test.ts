/** @file The control interface of a sandbox, and the callers that it serves. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';

let sandbox: Sandbox;
let calls: SandboxCalls;

beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 2 });
  calls = new SandboxCalls(sandbox);
});
afterAll(() => sandbox.close());

const control = (path: string, init: RequestInit = {}) => fetch(`${sandbox.url}/-/sandbox${path}`, init);
const read = async (path: string): Promise<unknown> => (await control(path)).json();
const add = (body: unknown) =>
  control('/faults', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

test('faults are added, listed with the number of their matches, and cleared; an invalid fault is rejected', async () => {
  const fault = { match: { path: '/user$' }, action: { kind: 'html' } };

  expect((await add([fault])).status).toBe(201);
  expect((await calls.fetch('/user')).status).toBe(502);
  expect(await read('/faults')).toEqual([{ fault, matched: 1 }]);
  expect((await control('/faults', { method: 'DELETE' })).status).toBe(204);
  expect((await calls.fetch('/user')).status).toBe(200);
  const refused = await add({ match: {}, action: { kind: 'no' } });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toEqual({ error: expect.stringMatching(/^Fault 1 /) as string });
});

test('a fault that matches everything does not prevent its own removal', async () => {
  await add({ match: {}, action: { kind: 'reset' } });

  expect(await read('/faults')).toHaveLength(1);
  expect((await control('/faults', { method: 'DELETE' })).status).toBe(204);
});

test('requests are listed with their headers and never with a token, and listing them is not recorded', async () => {
  await calls.fetch('/version', { headers: { 'x-probe': 'yes' } });
  const text = await (await control('/requests')).text();
  const last = (JSON.parse(text) as Record<string, unknown>[]).at(-1);

  expect(last).toMatchObject({ path: '/api/v4/version', hasToken: true, headers: { 'x-probe': 'yes' } });
  expect(text).not.toContain('glpat-');
  expect(await (await control('/tokens')).text()).not.toContain('glpat-');
  expect(await read('/requests')).toEqual(JSON.parse(text));
});

test('a project is returned with the number of its records, and its losses are listed with their reason', async () => {
  await add({ match: {}, action: { kind: 'drop-records', relation: 'issues', count: 2 } });
  await calls.exportArchive('atlas/compass');
  await control('/faults', { method: 'DELETE' });

  expect(await read(projectUrl('atlas/compass'))).toMatchObject({
    full_path: 'atlas/compass',
    relations: { issues: await calls.total(`${projectUrl('atlas/compass')}/issues`) },
  });
  const loss = { project: 'atlas/compass', relation: 'issues', part: 'record', reason: 'fault' };
  expect(await read('/losses')).toMatchObject([loss, loss]);
  expect(await read('/projects')).toHaveLength(2);
  expect((await control('/projects/nowhere')).status).toBe(404);
});

test.each([
  ['a request for a host name that only resolves to this machine', { host: 'rebound.example' }],
  ['a request from a page of another site', { origin: 'https://elsewhere.example' }],
])('%s is rejected', async (_what, headers) => {
  const { port } = new URL(sandbox.url);
  const status = await new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/-/sandbox/requests', headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    call.on('error', reject).end();
  });

  expect(status).toBe(403);
});
