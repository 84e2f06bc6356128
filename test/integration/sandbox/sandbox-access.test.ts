import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { SandboxTokens } from '../../../src-main/sandbox/accounts/accounts.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 8 });
});
afterAll(() => sandbox.close());

const as = (user: keyof SandboxTokens) => new SandboxCalls(sandbox, sandbox.tokens[user]);
const compass = projectUrl('atlas/compass');

test('tokens are distinct, depend on the seed, and look like personal access tokens', async () => {
  const twin = await startSandbox({ clock: systemClock });
  const other = await startSandbox({ clock: systemClock, seed: 2 });
  try {
    const texts = Object.values<string>({ ...sandbox.tokens });

    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.every((text) => /^glpat-sandbox-[a-z-]+-[0-9a-f]{20}$/.test(text))).toBe(true);
    expect(twin.tokens).toEqual(sandbox.tokens);
    expect(Object.values<string>({ ...other.tokens }).some((text) => texts.includes(text))).toBe(false);
  } finally {
    await Promise.all([twin.close(), other.close()]);
  }
});

describe('a token', () => {
  test.each<[string, () => SandboxCalls, number, unknown]>([
    [
      'that is unknown',
      () => new SandboxCalls(sandbox, 'glpat-nobody'),
      401,
      expect.objectContaining({ message: '401 Unauthorized' }),
    ],
    ['that is missing', () => new SandboxCalls(sandbox, null), 401, { message: '401 Unauthorized' }],
    [
      'that has expired',
      () => as('expired'),
      401,
      {
        error: 'invalid_token',
        error_description: 'Token is expired. You can either do re-authorization or token refresh.',
      },
    ],
    [
      'that was revoked',
      () => as('revoked'),
      401,
      {
        error: 'invalid_token',
        error_description: 'Token was revoked. You have to re-authorize from the user.',
      },
    ],
    [
      'of a blocked user',
      () => as('blocked'),
      403,
      { message: '403 Forbidden - Your account has been blocked.' },
    ],
  ])('%s gets the same error as from GitLab', async (_name, calls, status, body) => {
    expect(await calls().call('/user')).toEqual({ status, body });
  });

  test('with the scope read_api may read, but not start an export', async () => {
    expect((await as('readOnly').call(compass)).status).toBe(200);
    expect(await as('readOnly').call(`${compass}/export`, 'POST')).toEqual({
      status: 403,
      body: {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'api',
      },
    });
  });

  test('is also accepted as a bearer token', async () => {
    const reply = await fetch(`${sandbox.url}/api/v4/user`, {
      headers: { authorization: `Bearer ${sandbox.tokens.maintainer}` },
    });

    expect(reply.status).toBe(200);
    await reply.arrayBuffer();
  });
});

describe('permissions', () => {
  test('a private project returns 404 to users who cannot read it, by id and by path', async () => {
    const { id } = await sandbox.state.project('atlas/compass');
    const missing = { status: 404, body: { message: '404 Project Not Found' } };

    expect(await as('outsider').call(compass)).toEqual(missing);
    expect(await as('outsider').call(`/projects/${id}`)).toEqual(missing);
    expect(await as('outsider').call(`${compass}/issues`)).toEqual(missing);
    expect(await as('outsider').call(projectUrl('atlas/nowhere'))).toEqual(missing);
    expect((await as('outsider').call(projectUrl('borealis/lighthouse'))).status).toBe(200);
  });

  test.each<[keyof SandboxTokens, number]>([
    ['administrator', 200],
    ['maintainer', 200],
    ['developer', 403],
    ['guest', 403],
  ])('a request of %s for the export status returns %d', async (user, status) => {
    expect((await as(user).call(`${compass}/export`)).status).toBe(status);
  });

  test('only an owner may delete a project, and its path is free at once', async () => {
    const path = 'atlas/museum';
    const { id } = await sandbox.state.project(path);

    expect(await as('maintainer').call(projectUrl(path), 'DELETE')).toEqual({
      status: 403,
      body: { message: '403 Forbidden' },
    });
    expect(await as('administrator').call(projectUrl(path), 'DELETE')).toEqual({
      status: 202,
      body: { message: '202 Accepted' },
    });
    expect((await as('administrator').call(projectUrl(path))).status).toBe(404);
    expect(await as('administrator').get(`/projects/${id}`)).toMatchObject({
      path_with_namespace: `${path}-deletion_scheduled-${id}`,
      archived: true,
    });
    expect(await as('administrator').call(`/projects/${id}`, 'DELETE')).toEqual({
      status: 400,
      body: { message: 'Project has already been marked for deletion' },
    });
  });

  test('only administrators see whether they are administrators', async () => {
    expect(await as('administrator').get('/user')).toMatchObject({ username: 'root', is_admin: true });
    expect(await as('maintainer').get('/user')).not.toHaveProperty('is_admin');
  });

  test('an anonymous caller sees only public projects, in their simple form', async () => {
    const anonymous = new SandboxCalls(sandbox, null);
    const rows = (await anonymous.get('/projects')) as Record<string, unknown>[];

    expect(rows.every((row) => row['visibility'] === 'public' && !('permissions' in row))).toBe(true);
    expect(await anonymous.get('/projects?membership=true')).toEqual([]);
  });
});

test('unknown routes, versions, namespaces and groups get the same replies as from a real server', async () => {
  const calls = as('maintainer');

  expect(await calls.call('/no/such/thing')).toEqual({ status: 404, body: { error: '404 Not Found' } });
  expect(await calls.get('/version')).toMatchObject({ version: '18.5.0-ee' });
  expect(await calls.get('/metadata')).toMatchObject({ enterprise: true });
  expect(await calls.get('/namespaces/atlas%2Ftools')).toMatchObject({
    kind: 'group',
    full_path: 'atlas/tools',
  });
  expect(await calls.call('/namespaces/nowhere')).toEqual({
    status: 404,
    body: { message: '404 Namespace Not Found' },
  });
  expect(await calls.call('/groups/nowhere')).toEqual({
    status: 404,
    body: { message: '404 Group Not Found' },
  });
  const kinds = ((await calls.get('/namespaces')) as { kind: string; path: string }[]).filter(
    (row) => row.kind === 'user',
  );
  expect(kinds.map((row) => row.path)).toEqual(['maintainer']);
  expect(await as('readOnly').get('/personal_access_tokens/self')).toMatchObject({
    scopes: ['read_api'],
    active: true,
  });
});

test('the request log contains the user of each request and never a token', async () => {
  await as('developer').call('/user?private_token=glpat-in-the-query');
  const text = JSON.stringify(sandbox.requests);

  expect(sandbox.requests.at(-1)).toMatchObject({
    method: 'GET',
    path: '/api/v4/user?private_token=***',
    hasToken: true,
    user: 'developer',
    status: 200,
  });
  for (const token of [...Object.values<string>({ ...sandbox.tokens }), 'glpat-in-the-query'])
    expect(text).not.toContain(token);
});
