/** @file Runs the operations on projects and uploads with an independent client, and reads its changes back without it. */
import { describe, expect } from 'vitest';
import { at } from '../../support/conformance.ts';
import { GitbeakerWalk, type Row } from '../../support/servers/gitbeaker.ts';

// More than two pages of the default length.
const walk = GitbeakerWalk.ofFile(() => ({ projectCount: 45 }));
const compass = 'atlas/compass';
const paths = (rows: Row[]): unknown[] => rows.map((row) => row['path_with_namespace']);
const usernames = (rows: Row[]): unknown[] => rows.map((row) => row['username']);

/** Returns the ID of a user by the username, which is also the name of a token. */
async function idOf(username: string): Promise<number> {
  const [user] = (await walk.read(`/users?username=${username}`)) as unknown as Row[];
  return Number(user?.['id']);
}

describe('reading projects', () => {
  walk.step('list-projects', 'Projects.all', async () => {
    const api = walk.as('maintainer');
    const all = paths(await api.Projects.all<false, 'offset'>());
    const keyset = { pagination: 'keyset', orderBy: 'id', sort: 'asc', perPage: 7 } as const;

    expect(all.toSorted()).toEqual(walk.sandbox.state.paths.toSorted());
    expect(paths(await api.Projects.all(keyset))).toEqual(walk.sandbox.state.paths);
    expect(paths(await api.Projects.all({ search: 'compass', orderBy: 'id', sort: 'asc' }))).toEqual(
      walk.sandbox.state.paths.filter((path) => path.includes('compass')),
    );
  });

  walk.step('get-project', 'Projects.show', async () => {
    const { id, name, description, visibility, archived } = await walk.sandbox.state.project(compass);
    const row = await walk.as('maintainer').Projects.show(compass, { license: true, statistics: true });

    expect(row).toMatchObject({ id, name, description, visibility, archived, path_with_namespace: compass });
    expect(row.statistics.repository_size).toBeGreaterThan(0);
    expect(await walk.as('maintainer').Projects.show(id)).toMatchObject({ path_with_namespace: compass });
  });

  walk.step('list-project-users', 'Projects.allUsers', async () => {
    const users = await walk.as('maintainer').Projects.allUsers(compass);

    expect(usernames(users).toSorted()).toEqual(['developer', 'guest', 'maintainer', 'root']);
  });

  walk.step('list-project-groups', 'Projects.allGroups', async () => {
    expect(await walk.as('maintainer').Projects.allGroups(compass)).toMatchObject([{ full_path: 'atlas' }]);
  });

  walk.step('list-share-locations', 'Projects.allSharableGroups', async () => {
    const groups = await walk.as('maintainer').Projects.allSharableGroups(compass, { search: 'borealis' });

    expect(groups).toMatchObject([{ full_path: 'borealis' }]);
  });

  walk.step('get-languages', 'Projects.showLanguages', async () => {
    const shares = Object.values(await walk.as('maintainer').Projects.showLanguages(compass));

    expect(shares.reduce((sum: number, share) => sum + share, 0)).toBeCloseTo(100, 0);
  });
});

describe('changing projects', () => {
  const own = 'maintainer/walked';

  walk.step('create-project', 'Projects.create', async () => {
    const row = await walk.as('maintainer').Projects.create({
      name: 'Walked',
      path: 'walked',
      description: 'made by another client',
      visibility: 'internal',
      topics: ['one', 'two'],
    });

    expect(row.path_with_namespace).toBe(own);
    expect(await walk.sandbox.state.project(own)).toMatchObject({
      id: row.id,
      name: 'Walked',
      description: 'made by another client',
      visibility: 'internal',
      creatorId: await idOf('maintainer'),
    });
    expect(await walk.read(at(own))).toMatchObject({ topics: ['one', 'two'] });
  });

  walk.step('create-project-for-user', 'Projects.create with userId', async () => {
    const userId = await idOf('developer');
    await walk.as('administrator').Projects.create({ userId, name: 'Given', path: 'given' });

    expect(await walk.sandbox.state.project('developer/given')).toMatchObject({ name: 'Given' });
    expect(await walk.read(at('developer/given'))).toMatchObject({ owner: { username: 'developer' } });
  });

  walk.step('list-user-projects', 'Users.allProjects', async () => {
    const api = walk.as('administrator');

    expect(paths(await api.Users.allProjects(await idOf('maintainer')))).toEqual([own]);
    expect(paths(await api.Projects.all({ userId: 'developer' }))).toEqual(['developer/given']);
  });

  walk.step('edit-project', 'Projects.edit', async () => {
    const api = walk.as('maintainer');
    await api.Projects.edit(own, { description: 'edited', issuesAccessLevel: 'private', topics: ['three'] });
    const avatar = { content: new Blob([pixel], { type: 'image/png' }), filename: 'pixel.png' };
    await api.Projects.edit(own, { avatar, name: 'Edited' });

    expect(await walk.sandbox.state.project(own)).toMatchObject({ description: 'edited', name: 'Edited' });
    expect(await walk.read(at(own))).toMatchObject({
      issues_access_level: 'private',
      topics: ['three'],
      avatar_url: expect.stringMatching(/\/pixel\.png$/) as unknown,
    });
  });

  walk.step('star-project', 'Projects.star', async () => {
    expect(await walk.as('developer').Projects.star(compass)).toMatchObject({ star_count: 1 });
    expect(await walk.read(at(compass))).toMatchObject({ star_count: 1 });
  });

  walk.step('list-starrers', 'Projects.allStarrers', async () => {
    const starrers = await walk.as('maintainer').Projects.allStarrers(compass);

    expect(usernames(starrers.map(({ user }) => user as Row))).toEqual(['developer']);
  });

  walk.step('list-starred-projects', 'Users.allStarredProjects', async () => {
    const api = walk.as('developer');

    expect(paths(await api.Users.allStarredProjects(await idOf('developer')))).toEqual([compass]);
  });

  walk.step('unstar-project', 'Projects.unstar', async () => {
    await walk.as('developer').Projects.unstar(compass);

    expect(await walk.read(at(compass))).toMatchObject({ star_count: 0 });
    expect(await walk.read(`${at(compass)}/starrers`)).toEqual([]);
  });

  walk.step('fork-project', 'Projects.fork', async () => {
    const api = walk.as('maintainer');
    const { id } = await api.Projects.fork(compass, { path: 'compass-fork', name: 'Compass fork' });
    const state = async () => (await api.Projects.show(id)).import_status;
    await expect.poll(state, { interval: 5 }).toBe('finished');
    const source = await walk.sandbox.state.project(compass);

    expect(await walk.sandbox.state.project('maintainer/compass-fork')).toMatchObject({
      id,
      name: 'Compass fork',
      branches: source.branches,
      tags: source.tags,
    });
  });

  walk.step('list-forks', 'Projects.allForks', async () => {
    const forks = await walk.as('maintainer').Projects.allForks(compass);

    expect(paths(forks)).toEqual(['maintainer/compass-fork']);
  });

  walk.step('archive-project', 'Projects.archive', async () => {
    await walk.as('maintainer').Projects.archive(own);

    expect(await walk.sandbox.state.project(own)).toMatchObject({ archived: true });
  });

  walk.step('unarchive-project', 'Projects.unarchive', async () => {
    await walk.as('maintainer').Projects.unarchive(own);

    expect(await walk.sandbox.state.project(own)).toMatchObject({ archived: false });
  });
});

describe('uploads', () => {
  const upload = async (filename: string, content: Blob) =>
    walk.as('developer').ProjectMarkdownUploads.create(compass, { content, filename });
  const stored = async (): Promise<string[]> => (await walk.sandbox.state.project(compass)).otherFiles;

  walk.step('upload-file', 'ProjectMarkdownUploads.create', async () => {
    const before = await stored();
    const row = await upload('every byte.bin', new Blob([everyByte]));

    expect(row.markdown).toBe(`[every_byte.bin](${row.url})`);
    expect((await stored()).filter((member) => !before.includes(member))).toEqual([row.url.slice(1)]);
  });

  walk.step('list-uploads', 'ProjectMarkdownUploads.all', async () => {
    const [newest] = await walk.as('maintainer').ProjectMarkdownUploads.all(compass);

    expect(newest).toMatchObject({
      filename: 'every_byte.bin',
      size: everyByte.length,
      uploaded_by: { username: 'developer' },
    });
  });

  // The client decodes by Content-Type: text/* becomes a string, JSON an object. The server sends neither type for any
  // upload, whatever its name, so each arrives as a Blob with its bytes.
  walk.step('download-upload', 'ProjectMarkdownUploads.download', async () => {
    const { ProjectMarkdownUploads } = walk.as('maintainer');
    for (const filename of ['again.bin', 'notes.txt', 'rows.json']) {
      const { id } = await upload(filename, new Blob([everyByte]));
      const blob = await ProjectMarkdownUploads.download(compass, id);
      expect(new Uint8Array(await blob.arrayBuffer()), filename).toEqual(everyByte);
    }
  });

  walk.step('list-contributed-projects', 'Users.allContributedProjects', async () => {
    const api = walk.as('administrator');

    expect(paths(await api.Users.allContributedProjects(await idOf('developer'))).toSorted()).toEqual([
      compass,
      'developer/given',
    ]);
  });
});

describe('deleting projects', () => {
  const path = 'maintainer/compass-fork';
  let id = 0;

  walk.step('delete-project', 'Projects.remove', async () => {
    id = (await walk.sandbox.state.project(path)).id;
    await walk.as('maintainer').Projects.remove(path);

    expect(walk.sandbox.state.paths).toContain(`${path}-deletion_scheduled-${id}`);
    expect(await walk.read(`/projects/${id}`)).toMatchObject({
      marked_for_deletion_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
    });
  });

  walk.step('restore-project', 'Projects.restore', async () => {
    const { Projects } = walk.as('maintainer');
    await Projects.restore(id);
    expect(await walk.sandbox.state.project(path)).toMatchObject({ id, archived: false });

    await Projects.remove(id);
    const marked = `${path}-deletion_scheduled-${id}`;
    await Projects.remove(id, { permanentlyRemove: true, fullPath: marked });
    await expect.poll(() => walk.sandbox.state.paths, { interval: 5 }).not.toContain(marked);
    expect(await walk.read(`/projects/${id}`)).toEqual({ message: '404 Project Not Found' });
  });
});

walk.expectAllOperationsOf(1);

const everyByte = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 256);
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
