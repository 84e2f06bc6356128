import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { SandboxCalls } from '../../support/servers/sandbox-calls.ts';

type Row = Record<string, unknown>;

let sandbox: Sandbox;
let calls: SandboxCalls;
let base: string;

beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 2 });
  calls = new SandboxCalls(sandbox);
  const found = await calls.fetch('/projects?search=ferry');
  const [project] = (await found.json()) as { id: number }[];
  base = `/projects/${project?.id}`;
});
afterAll(() => sandbox.close());

async function send(method: string, path: string, body: Row): Promise<{ status: number; row: Row }> {
  const reply = await calls.fetch(`${base}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, row: (await reply.json()) as Row };
}
const list = async (path: string): Promise<Row[]> =>
  (await (await calls.fetch(`${base}${path}`)).json()) as Row[];

describe('editing a record (gitlab-facts 14.6)', () => {
  test('an issue gets the sent fields, a new label and a later time of its change', async () => {
    const [before] = await list('/issues?iids[]=1');
    const sent = { title: 'Better', state_event: 'close', confidential: true, add_labels: ['brand new'] };

    expect((await send('PUT', '/issues/1', sent)).status).toBe(200);

    const [issue] = await list('/issues?iids[]=1');
    expect(issue).toMatchObject({
      title: 'Better',
      state: 'closed',
      confidential: true,
      labels: [...(before?.['labels'] as string[]), 'brand new'],
    });
    expect(issue?.['description']).toBe(before?.['description']);
    expect(Date.parse(String(issue?.['updated_at']))).toBeGreaterThan(
      Date.parse(String(before?.['updated_at'])),
    );
    expect((await list('/labels?per_page=100')).map(({ name }) => name)).toContain('brand new');
  });

  test('a merge request, a milestone and a label get the sent fields', async () => {
    const [milestone] = await list('/milestones?iids[]=1');
    const [request] = await list('/merge_requests?state=all');
    const iid = String(request?.['iid']);

    await send('PUT', `/merge_requests/${iid}`, { title: 'Renamed', milestone_id: milestone?.['id'] });
    await send('PUT', `/milestones/${String(milestone?.['id'])}`, {
      state_event: 'close',
      description: 'Done',
    });
    await send('POST', '/labels', { name: 'a/b c', color: '#ff0000', priority: 3 });
    await send('PUT', `/labels/${encodeURIComponent('a/b c')}`, { description: 'Two words' });

    expect(await list(`/merge_requests?iids[]=${iid}`)).toMatchObject([
      { title: 'Renamed', milestone: { iid: 1 } },
    ]);
    expect(await list('/milestones?iids[]=1')).toMatchObject([{ state: 'closed', description: 'Done' }]);
    const label = await calls.fetch(`${base}/labels/${encodeURIComponent('a/b c')}`);
    expect(await label.json()).toMatchObject({ color: '#ff0000', priority: 3, description: 'Two words' });
  });

  test('a branch and a tag are protected once', async () => {
    const branch = {
      name: 'release/*',
      push_access_level: 0,
      merge_access_level: 40,
      allow_force_push: true,
    };

    expect((await send('POST', '/protected_branches', branch)).status).toBe(201);
    expect((await send('POST', '/protected_tags', { name: 'v*', create_access_level: 30 })).status).toBe(201);
    expect((await send('POST', '/protected_branches', branch)).status).toBe(409);

    const stored = await calls.fetch(`${base}/protected_branches/${encodeURIComponent('release/*')}`);
    expect(await stored.json()).toMatchObject({
      allow_force_push: true,
      push_access_levels: [{ access_level: 0 }],
    });
    expect(await list('/protected_tags')).toMatchObject([{ create_access_levels: [{ access_level: 30 }] }]);
  });

  test.each([
    ['PUT', '/issues/1', {}, 400],
    ['PUT', '/issues/99999', { title: 'No such issue' }, 404],
    ['POST', '/labels', { name: 'without a colour' }, 400],
    ['POST', '/milestones', { description: 'without a title' }, 400],
  ])('%s %s with %j returns %i', async (method, path, body, status) => {
    expect((await send(method, path, body)).status).toBe(status);
  });
});
