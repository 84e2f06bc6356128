import { expect, onTestFinished, test } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';

const tooMany = { message: { error: 'This endpoint has been requested too many times. Try again later.' } };

async function opened(limits: NonNullable<SandboxOptions['limits']> = 'gitlab') {
  const clock = new SteppedClock();
  const sandbox = await startSandbox({ clock, projectCount: 1, limits });
  onTestFinished(() => sandbox.close());
  return { clock, sandbox, calls: new SandboxCalls(sandbox), nobody: new SandboxCalls(sandbox, null) };
}

test('import-file, import-remote-file, import-from-s3 and import-relation share a limit of six requests a minute', async () => {
  const { clock, calls } = await opened();
  const s3 = { region: 'r', bucket_name: 'b', file_key: 'k', access_key_id: 'a', secret_access_key: 's' };
  const relation = async (): Promise<number> => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ path: 'none', relation: 'issues' })) body.set(name, value);
    body.set('file', new Blob(['x']), 'a.gz');
    return (await calls.fetch('/projects/import-relation', { method: 'POST', body })).status;
  };
  const nowhere = { path: 'a', namespace: 'nowhere' };
  const sendAll = async (): Promise<number[]> => [
    (await calls.startImport(Buffer.alloc(1), nowhere)).status,
    (await calls.call('/projects/remote-import', 'POST', { url: 'https://a.example', ...nowhere })).status,
    (await calls.call('/projects/remote-import-s3', 'POST', { ...s3, ...nowhere })).status,
    await relation(),
  ];

  expect([...(await sendAll()), ...(await sendAll())]).toEqual([404, 404, 404, 404, 404, 404, 429, 429]);
  clock.jump(60_000);
  expect(await sendAll()).toEqual([404, 404, 404, 404]);
});

test.each([
  ['listsPerTenMinutes', '/projects', 600_000],
  ['projectsPerMinute', '/projects/atlas%2Fcompass', 60_000],
  ['userProjectsPerMinute', '/users/maintainer/projects', 60_000],
  ['contributedProjectsPerMinute', '/users/maintainer/contributed_projects', 60_000],
  ['starredProjectsPerMinute', '/users/maintainer/starred_projects', 60_000],
  ['namespaceExistsPerMinute', '/namespaces/atlas/exists', 60_000],
] as const)('%s limits %s until its window has passed', async (limit, path, windowMs) => {
  const { clock, calls } = await opened({ [limit]: 2, sendsRetryAfter: false });
  const first = [(await calls.fetch(path)).status, (await calls.fetch(path)).status];
  const refused = await calls.fetch(path);

  expect(first).not.toContain(429);
  expect(refused.status).toBe(429);
  expect(refused.headers.has('retry-after')).toBe(false);
  expect(await refused.json()).toEqual(tooMany);
  expect((await calls.fetch('/user')).status).toBe(200);
  clock.jump(windowMs);
  expect((await calls.fetch(path)).status).not.toBe(429);
});

test('anonymousListsPerTenMinutes limits an address without a token, and no other caller', async () => {
  const { calls, nobody } = await opened({ anonymousListsPerTenMinutes: 1 });

  expect((await nobody.fetch('/projects')).status).toBe(200);
  expect((await nobody.fetch('/projects')).status).toBe(429);
  expect((await calls.fetch('/projects')).status).toBe(200);
});

test('download-export is limited to one request a minute per user and project; failed, HEAD and range requests count', async () => {
  const { clock, calls, sandbox } = await opened();
  const path = '/projects/atlas%2Fcompass/export/download';

  expect((await calls.fetch(path, { method: 'HEAD' })).status).toBe(404);
  expect((await calls.fetch(path, { headers: { range: 'bytes=0-' } })).status).toBe(429);
  expect((await new SandboxCalls(sandbox, sandbox.tokens.administrator).fetch(path)).status).toBe(404);
  clock.jump(60_000);
  expect((await calls.fetch(path)).status).toBe(404);
});
