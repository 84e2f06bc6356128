/** @file Users of records: how imports of an administrator and of a Maintainer map them, and which of them are losses. */
import { expect, it, onTestFinished } from 'vitest';
import { roles } from '../../../src-main/sandbox/sandbox-database.ts';
import type { Reconciliation } from '../../../src-contract/transfers/import.ts';
import { openMigrationScene, storedReconciliations } from '../../support/migrations/migration-scene.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Scenario {
  importer: 'administrator' | 'maintainer';
  /** True to make `developer`, who wrote some records, a member of the source's project. */
  hasMember?: boolean;
  /** The username whom the import makes the author of the last issue; none without a fault. */
  lastAuthor?: string;
}

/** Migrates a project, and returns what the product and the independent verifier found. */
async function migrate({ importer, hasMember = false, lastAuthor }: Scenario): Promise<Reconciliation> {
  const scene = await openMigrationScene(temporaryFolder(), { source: { projectCount: 2 }, importer });
  onTestFinished(() => scene.close());
  const { source, target } = scene;
  const [, project = ''] = source.state.paths;
  const idOf = async (username: string): Promise<number> => {
    const headers = { 'PRIVATE-TOKEN': source.tokens.administrator };
    const reply = await fetch(`${source.url}/api/v4/users?username=${username}`, { headers });
    const [user] = (await reply.json()) as { id: number }[];
    return user?.id ?? 0;
  };
  if (hasMember) {
    const reply = await fetch(`${source.url}/api/v4/projects/${encodeURIComponent(project)}/members`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': source.tokens.administrator, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: await idOf('developer'), access_level: roles.developer }),
    });
    expect(reply.status).toBe(201);
  }
  if (lastAuthor !== undefined)
    target.faults.add({
      match: { method: 'POST', path: '/projects/import$', project },
      action: {
        ...{ kind: 'change-records', relation: 'issues', count: 1 },
        values: { author_id: await idOf(lastAuthor) },
      },
    });
  const { id } = await scene.migration([project]);
  await scene.start(id);
  await scene.until(id, ({ status }) => status === 'ended');
  const stored = storedReconciliations(scene.dataDir).get(project);
  if (stored === undefined) throw new Error('The project was not compared.');
  return stored;
}

it('an administrator’s import keeps the users who are members, and a record without its author is a loss', async () => {
  const kept = await migrate({ importer: 'administrator', hasMember: true });
  expect(kept.missing).toEqual([]);
  expect(kept.declared.join()).not.toContain('in place of users');
  // The last issue is written by `developer`.
  const lost = await migrate({ importer: 'administrator', hasMember: true, lastAuthor: 'root' });
  expect(lost.missing).toMatchObject([
    {
      ...{ relation: 'issues', lost: 'on-import', iid: 4 },
      part: { name: 'author', values: { expected: 'developer', found: 'root' } },
    },
  ]);
});

it('an administrator’s import replaces users who are no members by its account, which is declared with their number of records', async () => {
  const { missing, declared } = await migrate({ importer: 'administrator' });
  expect(missing).toEqual([]);
  expect(declared.join()).toMatch(
    /The import used its own account, root, in place of .*: developer \(\d+\)\./,
  );
});

it('a Maintainer’s import replaces all users by its account, and a record of somebody else is a loss', async () => {
  const replaced = await migrate({ importer: 'maintainer', hasMember: true });
  expect(replaced.missing).toEqual([]);
  expect(replaced.declared.join()).toMatch(
    /The import used its own account, maintainer, in place of .*: (root \(\d+\), developer|developer \(\d+\), root) \(\d+\)\./,
  );
  const { missing } = await migrate({ importer: 'maintainer', lastAuthor: 'guest' });
  expect(missing).toMatchObject([
    {
      ...{ relation: 'issues', lost: 'on-import', iid: 4 },
      part: { name: 'author', values: { expected: 'maintainer', found: 'guest' } },
    },
  ]);
});
