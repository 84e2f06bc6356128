import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/sandbox.ts';
import { exportArchive, lines } from '../../support/archives/export-archive.ts';
import { projectUrl, SandboxCalls } from '../../support/servers/sandbox-calls.ts';

const compass = 'atlas/compass';
const email = 'later@example.com';
let sandbox: Sandbox;

async function open(options: Partial<SandboxOptions> = {}): Promise<void> {
  const started = await startSandbox({ clock: systemClock, projectCount: 1, ...options });
  onTestFinished(() => started.close());
  sandbox = started;
}
beforeEach(() => open());

async function send(
  method: 'GET' | 'POST',
  fields: Record<string, string> | null,
  account: keyof Sandbox['tokens'] = 'administrator',
  project = compass,
): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${sandbox.url}/api/v4${projectUrl(project)}/invitations`, {
    ...{ method, headers: { 'PRIVATE-TOKEN': sandbox.tokens[account] } },
    ...(fields !== null && { body: new URLSearchParams(fields) }),
  });
  return { status: reply.status, body: await reply.json() };
}
const invite = (address: string, level = '30') => send('POST', { email: address, access_level: level });
const listed = async (project = compass): Promise<unknown> =>
  (await send('GET', null, 'administrator', project)).body;

describe('an invitation', () => {
  it('is listed for Maintainers until somebody accepts it, and the member keeps its time and role', async () => {
    expect(await invite(email)).toEqual({ status: 201, body: { status: 'success' } });
    const [invitation] = (await listed()) as { created_at: string }[];
    expect(invitation).toMatchObject({ invite_email: email, access_level: 30, expires_at: null });
    expect(await send('GET', null, 'developer')).toMatchObject({ status: 403 });
    sandbox.state.edits(compass).acceptInvitation(email, 'guest');
    expect(await listed()).toEqual([]);
    const calls = new SandboxCalls(sandbox, sandbox.tokens.administrator);
    const members = (await calls.get(`${projectUrl(compass)}/members`)) as { username: string }[];
    expect(members.find(({ username }) => username === 'guest')).toMatchObject({
      ...{ access_level: 30, created_at: invitation?.created_at },
    });
  });

  it('is sent once to an address, and makes the owner of the address a member', async () => {
    await invite(email);
    expect(await invite(email)).toMatchObject({
      body: { status: 'error', message: { [email]: 'Invite email has already been taken' } },
    });
    expect(await invite('guest@sandbox.example')).toMatchObject({ body: { status: 'success' } });
    expect(await listed()).toHaveLength(1);
  });

  it('is unknown to versions before 13.6', async () => {
    await open({ version: '13.5.7' });
    expect(await send('GET', null)).toEqual({ status: 404, body: { message: '404 Not Found' } });
  });
});

describe('an import', () => {
  const invitation = {
    access_level: 50,
    invite_email: email,
    user: null,
    created_at: '2024-05-05T05:05:05.000Z',
  };
  const importAs = async (account: keyof Sandbox['tokens'], path: string): Promise<unknown> => {
    const members = lines(invitation, { ...invitation, access_level: 10 });
    const archive = await exportArchive({ 'tree/project/project_members.ndjson': members });
    const calls = new SandboxCalls(sandbox, sandbox.tokens[account]);
    await calls.importArchive(archive, { path, namespace: 'atlas' });
    return listed(`atlas/${path}`);
  };

  it('by an administrator adds each invitation once, with its time and as Maintainer at most', async () => {
    expect(await importAs('administrator', 'mapped')).toEqual([
      expect.objectContaining({
        ...{ invite_email: email, access_level: 40, created_at: invitation.created_at },
      }),
    ]);
    expect(sandbox.state.losses).toMatchObject([
      { relation: 'project_members', line: 1, name: email, listed: false },
    ]);
  });

  it('by anybody else adds none', async () => {
    expect(await importAs('maintainer', 'plain')).toEqual([]);
  });
});
