import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InstanceClient } from '../../../src-main/gitlab/http/client.ts';
import {
  archiveProject,
  deleteProject,
  restoreProject,
  unarchiveProject,
} from '../../../src-main/gitlab/projects/deletion.ts';
import { forkProject, forksPage } from '../../../src-main/gitlab/projects/forks.ts';
import {
  projectGroupsPage,
  projectUsersPage,
  shareLocationsPage,
} from '../../../src-main/gitlab/projects/users-and-groups.ts';
import { projectDetails, projectLanguages } from '../../../src-main/gitlab/projects/project-details.ts';
import {
  createProject,
  createProjectForUser,
  editProject,
} from '../../../src-main/gitlab/projects/project-edit.ts';
import {
  contributedProjectsPage,
  groupProjectsPage,
  projectsPage,
  starredProjectsPage,
  userProjectsPage,
} from '../../../src-main/gitlab/projects/lists-of-projects.ts';
import { getProject, projectsAfter } from '../../../src-main/gitlab/projects/projects.ts';
import { currentUser } from '../../../src-main/gitlab/instances/server.ts';
import { starProject, starrersPage, unstarProject } from '../../../src-main/gitlab/projects/stars.ts';
import { downloadUpload, uploadFile, uploadsPage } from '../../../src-main/gitlab/transfers/uploads.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { Token } from '../../../src-main/platform/token.ts';
import { type Sandbox, startSandbox } from '../../../src-main/sandbox/sandbox.ts';
import { allRecords, collect, failureOf, testClient } from '../../support/servers/instance-client.ts';
import { scriptedServer } from '../../support/servers/scripted-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: systemClock, projectCount: 25, tier: 'free' });
});
afterAll(() => sandbox.close());

const as = (who: keyof Sandbox['tokens'] | 'nobody'): InstanceClient =>
  testClient(sandbox.url, {
    token: who === 'nobody' ? null : () => Promise.resolve(new Token(sandbox.tokens[who])),
  });

let createdCount = 0;
async function newProject(client: InstanceClient, attributes: Record<string, unknown> = {}) {
  createdCount += 1;
  return (await createProject(client, { path: `made-${createdCount}`, ...attributes })).project;
}

describe('lists of projects', () => {
  test.each(['id', 'name'] as const)(
    'contain every project exactly once across their pages, ordered by %s',
    async (order) => {
      const client = as('maintainer');
      const query = { membership: true, order_by: order, sort: 'asc' } as const;
      const paged = await allRecords((page) => projectsPage(client, query, { ...page, limit: 7 }));
      const atOnce = await projectsPage(client, query, { limit: 100 });

      expect(paged.length).toBeGreaterThan(7);
      expect(new Set(paged.map(({ id }) => id)).size).toBe(paged.length);
      expect(atOnce.records).toEqual(paged);
    },
  );

  test('are requested by keyset, and by page number only for another order', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, []);
    });
    const client = testClient(server.url);
    await collect(projectsAfter(client, 0, { search: null }));
    await projectsPage(client, { order_by: 'name' });
    await projectsPage(client, { order_by: 'id', sort: 'desc' });
    await projectsPage(client, {});

    const sentParameters = server.requests.map(({ query }) => [
      query.get('pagination'),
      query.get('order_by'),
    ]);
    expect(sentParameters).toEqual([
      ['keyset', 'id'],
      [null, 'name'],
      ['keyset', 'id'],
      [null, null],
    ]);
  });

  test("return a user's own, starred and contributed projects, and those of a group", async () => {
    const client = as('maintainer');
    const project = await newProject(client);
    await starProject(client, project.id);

    expect((await userProjectsPage(client, 'maintainer', { search: project.name })).records).toHaveLength(1);
    const starred = await starredProjectsPage(client, 'maintainer', {});
    expect(starred.records.map(({ id }) => id)).toContain(project.id);
    const contributed = await contributedProjectsPage(client, 'maintainer', {});
    expect(contributed.records.map(({ id }) => id)).toContain(project.id);
    const firstProject = (await projectsPage(client, { membership: true, sort: 'asc' })).records[0];
    const group = firstProject?.fullPath.split('/')[0] ?? '';
    const inGroup = await groupProjectsPage(client, group, {});
    expect(inGroup.records.map(({ fullPath }) => fullPath)).toContain(firstProject?.fullPath);
    for (const { fullPath } of inGroup.records) expect(fullPath.startsWith(`${group}/`)).toBe(true);
  });

  test('contain only public projects without an account', async () => {
    const listed = await allRecords((page) => projectsPage(as('nobody'), {}, page));

    const open = await newProject(as('maintainer'), { visibility: 'public' });
    const after = await allRecords((page) => projectsPage(as('nobody'), {}, page));

    expect(after).toHaveLength(listed.length + 1);
    expect(after.map(({ id }) => id)).toContain(open.id);
    expect((await projectDetails(as('nobody'), open.id)).project.fullPath).toBe(open.fullPath);
  });
});

describe('a project', () => {
  test('is created by a user, and by an administrator for another user', async () => {
    const own = await newProject(as('developer'), { description: 'äöü', topics: ['a', 'b'] });
    const admin = as('administrator');
    const { id } = await currentUser(as('developer'));
    const forDeveloper = (await createProjectForUser(admin, id, { name: 'Given', visibility: 'private' }))
      .project;

    expect(own.fullPath).toMatch(/^developer\//);
    expect(forDeveloper.fullPath).toBe('developer/given');
    expect(await projectDetails(as('developer'), own.id)).toMatchObject({
      topics: ['a', 'b'],
      attributes: { description: 'äöü' },
    });
    expect(
      await failureOf(createProject(as('developer'), { path: own.fullPath.split('/')[1] ?? '' })),
    ).toMatchObject({
      code: 'path-taken',
    });
  });

  test('is edited, and attributes that the tier does not accept are reported', async () => {
    const client = as('maintainer');
    const project = await newProject(client);

    const edited = await editProject(client, project.id, {
      description: 'new',
      merge_method: 'ff',
      topics: ['x'],
      mirror_trigger_builds: true,
    });

    expect(edited.project.description).toBe('new');
    expect(edited.notTaken.map(({ attribute }) => attribute)).toEqual(['mirror_trigger_builds']);
    expect((await projectDetails(client, project.id)).attributes).toMatchObject({ merge_method: 'ff' });
  });

  test('gets an avatar together with other attributes', async () => {
    const client = as('maintainer');
    const project = await newProject(client);
    const avatar = join(temporaryFolder(), 'face.png');
    writeFileSync(avatar, Buffer.from('89504e470d0a1a0a', 'hex'));

    const { project: edited } = await editProject(client, project.id, {
      avatar,
      description: 'with a face',
      topics: ['t', 'u'],
    });

    expect(edited.description).toBe('with a face');
    expect((await projectDetails(client, project.id)).topics).toEqual(['t', 'u']);
    expect(await failureOf(editProject(client, project.id, { avatar: `${avatar}.none` }))).toMatchObject({
      code: 'invalid-input',
    });
  });

  test('lists its users, groups and languages', async () => {
    const client = as('maintainer');
    const [project] = (await projectsPage(client, { membership: true, order_by: 'id', sort: 'asc' })).records;
    const id = project?.id ?? 0;
    const users = (await projectUsersPage(client, id, {})).records;
    const without = await projectUsersPage(client, id, { skipUsers: [users[0]?.id ?? 0] });

    expect(users.length).toBeGreaterThan(0);
    expect(without.records).toHaveLength(users.length - 1);
    expect((await projectGroupsPage(client, id, {})).records.length).toBeGreaterThan(0);
    expect((await shareLocationsPage(client, id, {})).records.map(({ fullPath }) => fullPath)).toEqual([
      'atlas/tools',
      'borealis',
      'archives',
      'frozen',
    ]);
    const shares = Object.values(await projectLanguages(client, id));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100);
  });

  test('is starred and unstarred, and reports when that changed nothing', async () => {
    const client = as('maintainer');
    const { id } = await newProject(client);

    expect(await starProject(client, id)).toMatchObject({ changed: true, project: { id } });
    expect(await starProject(client, id)).toEqual({ changed: false, project: null });
    expect((await starrersPage(client, id, {})).records.map(({ user }) => user.username)).toEqual([
      'maintainer',
    ]);
    expect(await unstarProject(client, id)).toMatchObject({ changed: true });
    expect(await unstarProject(client, id)).toMatchObject({ changed: false });
    expect((await starrersPage(client, id, {})).records).toEqual([]);
  });

  test('is forked once per namespace, and the fork is listed', async () => {
    const client = as('maintainer');
    const project = await newProject(client, { visibility: 'public', initialize_with_readme: true });

    const fork = await forkProject(as('developer'), project.id, { path: 'forked', mergeIntoItself: true });

    expect(fork).toMatchObject({ fullPath: 'developer/forked' });
    for (const reader of [client, as('administrator')]) {
      const forks = await forksPage(reader, project.id, {});
      expect(forks.records.map(({ id }) => id)).toEqual([fork.id]);
    }
    expect(await failureOf(forkProject(as('developer'), project.id, { path: 'forked' }))).toMatchObject({
      code: 'path-taken',
    });
    expect(await failureOf(forkProject(as('developer'), project.id, { namespace: 'no/such' }))).toMatchObject(
      {
        code: 'namespace-missing',
      },
    );
  });

  test('is archived and unarchived', async () => {
    const client = as('maintainer');
    const { id } = await newProject(client);

    expect((await archiveProject(client, id)).archived).toBe(true);
    expect((await unarchiveProject(client, id)).archived).toBe(false);
    expect((await failureOf(archiveProject(as('outsider'), id))).code).toBe('project-missing');
  });

  test('is deleted, restored, and deleted permanently by its path at that time', async () => {
    const client = as('maintainer');
    const { id } = await newProject(client);

    await deleteProject(client, id);
    const marked = await projectDetails(client, id);
    expect(marked.markedForDeletionOn).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect((await failureOf(deleteProject(client, id))).code).toBe('request-refused');
    expect(await restoreProject(client, id)).toMatchObject({ id, archived: false });
    expect((await failureOf(restoreProject(client, id))).code).toBe('request-refused');

    await deleteProject(client, id);
    const { fullPath } = (await projectDetails(client, id)).project;
    expect((await failureOf(deleteProject(client, id, { permanently: { fullPath: 'x/y' } }))).code).toBe(
      'request-refused',
    );
    await deleteProject(client, id, { permanently: { fullPath } });
    await expect
      .poll(() => getProject(client, id).catch((error: unknown) => (error as { code: string }).code))
      .toBe('project-missing');
  });

  test('stores uploads, lists them and returns them unchanged', async () => {
    const client = as('maintainer');
    const { id } = await newProject(client);
    const path = join(temporaryFolder(), 'größe "1".txt');
    const content = 'content '.repeat(100_000);
    writeFileSync(path, content);

    const upload = await uploadFile(client, id, { path, sizeBytes: content.length });
    const [listed] = (await uploadsPage(client, id)).records;
    const chunks: Uint8Array[] = [];
    const onChunk = (chunk: Uint8Array) => Promise.resolve(void chunks.push(Buffer.from(chunk)));
    await downloadUpload(client, id, listed?.id ?? 0, { onChunk });

    expect(listed).toMatchObject({ id: upload.id, sizeBytes: content.length, uploadedBy: 'maintainer' });
    expect(Buffer.concat(chunks).toString()).toBe(content);
    expect((await failureOf(uploadsPage(as('guest'), id))).code).toMatch(/forbidden|project-missing/);
    expect((await failureOf(uploadFile(client, id, { path, sizeBytes: 5 }))).code).toBe('invalid-input');
    expect((await uploadsPage(client, id)).records).toHaveLength(1);
  });
});
