/** @file Invitations of people without an account, from the source through an import to the comparison. */
import { expect, it, onTestFinished } from 'vitest';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { roles } from '../../../src-main/sandbox/sandbox-database.ts';
import {
  openMigrationScene,
  storedReconciliations,
  type MigrationScene,
} from '../../support/migrations/migration-scene.ts';
import { drop, falsify, largerTotal } from '../../support/migrations/false-lists.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const path = 'atlas/compass';
const email = 'Later@example.com';
const invitations = '/invitations\\b';

type Options = Parameters<typeof openMigrationScene>[1];
interface InvitedPerson {
  email: string;
  access_level: number;
  expires_at?: string;
}

async function request(sandbox: Sandbox, method: 'GET' | 'POST', body?: InvitedPerson): Promise<unknown> {
  const reply = await fetch(`${sandbox.url}/api/v4/projects/${encodeURIComponent(path)}/invitations`, {
    ...{ method, headers: { 'PRIVATE-TOKEN': sandbox.tokens.administrator } },
    ...(body !== undefined && { body: new URLSearchParams(body as unknown as Record<string, string>) }),
  });
  expect(reply.status).toBe(method === 'GET' ? 200 : 201);
  return reply.json();
}

async function addOwner({ url, tokens }: Sandbox, username: string): Promise<void> {
  const headers = { 'PRIVATE-TOKEN': tokens.administrator, 'content-type': 'application/json' };
  const users = await fetch(`${url}/api/v4/users?username=${username}`, { headers });
  const [user] = (await users.json()) as { id: number }[];
  const reply = await fetch(`${url}/api/v4/projects/${encodeURIComponent(path)}/members`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ user_id: user?.id, access_level: roles.owner }) },
  });
  expect(reply.status).toBe(201);
}

async function open(options: Options = {}): Promise<MigrationScene> {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 1 }, ...options });
  onTestFinished(() => scene.close());
  return scene;
}

/** Migrates the project after these people were invited. */
async function migrate(
  scene: MigrationScene,
  invited: readonly InvitedPerson[] = [{ email, access_level: 30 }],
): Promise<Reconciliation> {
  for (const person of invited) await request(scene.source, 'POST', person);
  const { id } = await scene.migration([path]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  return compared(scene);
}

function compared(scene: MigrationScene): Reconciliation {
  const stored = storedReconciliations(scene.dataDir).get(path);
  if (stored === undefined) throw new Error('The project was not compared.');
  return stored;
}

async function compareAgain(scene: MigrationScene): Promise<Reconciliation> {
  const { migrations } = await scene.client.call('migration.list', {});
  await scene.client.call('migration.reconcile', { migration: migrations[0]?.id ?? '', project: path });
  return compared(scene);
}

const listed = {
  created_by_name: expect.any(String) as unknown,
  invite_token: expect.any(String) as unknown,
};

it('an administrator’s import keeps an invitation with its role and end, and a comparison of it has the depth of contents', async () => {
  const scene = await open();
  const result = await migrate(scene, [{ email, access_level: 30, expires_at: '2031-04-05' }]);
  expect(await request(scene.target, 'GET')).toEqual([
    expect.objectContaining({
      ...listed,
      ...{ invite_email: email, access_level: 30, expires_at: '2031-04-05' },
    }),
  ]);
  expect(result).toMatchObject({ missing: [], depth: 'contents', reconciled: true });
  expect(result.notCompared.map(({ part }) => part)).not.toContain('invitations');
});

it('an import makes an invitation as Owner one as Maintainer, and a direct Owner a Maintainer, which is named and no loss', async () => {
  const scene = await open();
  await addOwner(scene.source, 'guest');
  const result = await migrate(scene, [{ email, access_level: roles.owner }]);
  expect(result).toMatchObject({ missing: [], depth: 'contents', reconciled: true });
  expect(result.declared).toContainEqual(
    expect.stringMatching(`gives invitations at most the role Maintainer.*: ${email}\\.$`),
  );
  expect(result.declared).toContainEqual(
    expect.stringMatching(`gives members at most the role Maintainer.*: guest\\.$`),
  );
});

it('a Maintainer’s import adds no invitation, which is named and no loss', async () => {
  const { missing, declared, unproven, depth } = await migrate(await open({ importer: 'maintainer' }));
  expect(missing).toEqual([]);
  expect(declared).toContainEqual(expect.stringMatching(`imported no invitations.*: ${email}\\.$`));
  expect(unproven).toContain('invitations');
  expect(depth).toBe('fields');
});

it.each([
  ['source', 'export-ended'],
  ['target', 'import-ended'],
] as const)('an invitation that is accepted on the %s is named and no loss', async (side, at) => {
  const scene = await open();
  scene[side].state.onWork((moment, project) => {
    if (moment === at && project === path) scene[side].state.edits(path).acceptInvitation(email, 'guest');
  });
  const { missing, declared } = await migrate(scene);
  expect(await request(scene[side], 'GET')).toEqual([]);
  expect(missing).toEqual([]);
  expect(declared).toContainEqual(expect.stringMatching(`accepted on the ${side}.*: ${email}\\.$`));
});

it.each(['source', 'target'] as const)(
  'a %s whose invitations may not be listed leaves unknown whether any was lost',
  async (side) => {
    const scene = await open();
    if (side === 'target') drop(scene.target, path, 'project_members');
    scene[side].faults.add({
      match: { method: 'GET', project: path, path: invitations },
      action: { kind: 'respond', status: 403, body: { message: '403 Forbidden' } },
    });
    const { missing, declared, unproven } = await migrate(scene);
    expect(missing).toEqual([]);
    expect(unproven).toContain('invitations');
    expect(declared).toContainEqual(
      expect.stringMatching(
        side === 'source'
          ? /^These could not be counted or listed on the source, .*: invitations\.$/
          : /^The invitations of the target could not be listed, so it is not known whether these arrived/,
      ),
    );
  },
);

it('a list of invitations that contradicts itself is not used', async () => {
  const scene = await open();
  drop(scene.target, path, 'project_members');
  falsify(scene.target, path, invitations, largerTotal);
  const { missing, declared } = await migrate(scene);
  expect(missing).toEqual([]);
  expect(declared).toContainEqual(
    expect.stringMatching(/^The list of invitations on "target" contradicts itself/),
  );
});

it('a target without an archived invitation is not asked for invitations, and the source is', async () => {
  const scene = await open();
  await migrate(scene, []);
  const asked = ({ requests }: Sandbox): number =>
    requests.filter(({ path: at }) => new RegExp(invitations).test(at)).length;
  expect([asked(scene.source), asked(scene.target)]).toEqual([1, 0]);
});

it('an invitation that somebody withdraws after the comparison is no loss, and one that was lost stays a loss', async () => {
  const scene = await open();
  const other = { email: 'other@example.com', access_level: 30 };
  drop(scene.target, path, 'project_members');
  const first = await migrate(scene, [{ email, access_level: 30 }, other]);
  expect(first.missing).toMatchObject([{ title: `invitation of ${other.email}`, part: null }]);
  await scene.leaveUnverified('a record is deleted after its comparison');
  scene.target.state.edits(path).remove('project_members', -1);
  expect(await request(scene.target, 'GET')).toEqual([]);
  const later = await compareAgain(scene);
  expect(later.missing).toEqual(first.missing);
  expect(later.declared).toContainEqual(expect.stringMatching(`whether the import lost them: ${email}\\.$`));
});
