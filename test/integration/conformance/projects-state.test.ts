import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance, type Row } from '../../support/conformance.ts';

const harness = Conformance.ofFile();
const instant = Conformance.ofFile({ tier: 'free', version: '17.11.0-ee', projectCount: 0 });
const undelayed = Conformance.ofFile({ deletion: { delayed: false }, projectCount: 0 });
const strict = Conformance.ofFile({ deletion: { immediateAllowed: false }, projectCount: 0 });
const newest = Conformance.ofFile({ version: '18.9.0-ee', projectCount: 0 });

const museum = at('atlas/museum');

describe('star-project', () => {
  test('star-project returns 201 with the full record, and 304 without a body if the project is already starred', async () => {
    const { status, body } = await harness.post('guest', `${museum}/star`);

    expect(status).toBe(201);
    expect(body).toMatchObject({ star_count: 1, path: 'museum', _links: {} });
    expect(await harness.post('guest', `${museum}/star`)).toMatchObject({ status: 304, body: null });
  });

  test('unstar-project returns 201 with the full record, and 304 without a body if the project is not starred', async () => {
    await harness.post('guest', `${museum}/star`);

    expect(await harness.post('guest', `${museum}/unstar`)).toMatchObject({
      status: 201,
      body: { star_count: 0 },
    });
    expect(await harness.post('guest', `${museum}/unstar`)).toMatchObject({ status: 304, body: null });
  });

  test('star-project and unstar-project return 401 without a token, and 404 if the caller cannot see the project', async () => {
    for (const verb of ['star', 'unstar']) {
      expect((await harness.post('anonymous', `${museum}/${verb}`)).status).toBe(401);
      expect((await harness.post('outsider', `${at('atlas/compass')}/${verb}`)).status).toBe(404);
    }
  });

  test('list-starrers returns each user with the time of the star, and searches by name or username', async () => {
    for (const who of ['developer', 'maintainer'] as const) await harness.post(who, `${museum}/star`);

    expect(await harness.rows('maintainer', `${museum}/starrers`)).toMatchObject([
      {
        starred_since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        user: { username: 'developer', state: 'active' },
      },
      { user: { username: 'maintainer' } },
    ]);
    await harness.post('administrator', `${museum}/star`);
    for (const [search, username] of [
      ['dora', 'developer'],
      ['root', 'root'],
    ] as const) {
      expect(await harness.rows('maintainer', `${museum}/starrers?search=${search}`)).toMatchObject([
        { user: { username } },
      ]);
    }
    expect((await harness.send('anonymous', `${at('atlas/compass')}/starrers`)).status).toBe(404);
  });
});

describe('archive-project', () => {
  test('archive-project returns 201 with archived=true, and changes nothing the second time', async () => {
    await harness.createProject({ name: 'Attic' });
    const path = at('maintainer/attic');
    const first = await harness.post('maintainer', `${path}/archive`);
    const again = await harness.post('administrator', `${path}/archive`);

    expect(first).toMatchObject({ status: 201, body: { archived: true } });
    expect(again.status).toBe(201);
    expect((again.body as Row)['updated_at']).toBe((first.body as Row)['updated_at']);
  });

  test('unarchive-project returns 201 with archived=false, and changes nothing the second time', async () => {
    const path = at('maintainer/attic');

    const first = await harness.post('maintainer', `${path}/unarchive`);
    const again = await harness.post('administrator', `${path}/unarchive`);

    expect(first).toMatchObject({ status: 201, body: { archived: false } });
    expect(again.status).toBe(201);
    expect((again.body as Row)['updated_at']).toBe((first.body as Row)['updated_at']);
  });

  test('archive-project and unarchive-project return 403 below Owner', async () => {
    for (const verb of ['archive', 'unarchive']) {
      expect((await harness.post('maintainer', `${museum}/${verb}`)).status).toBe(403);
    }
  });

  test('archive-project returns 400 for an archived project from GitLab 18.9 on', async () => {
    const { id } = await newest.createProject({ name: 'Attic' });
    await newest.post('maintainer', `/projects/${id}/archive`);

    expect(await newest.post('maintainer', `/projects/${id}/archive`)).toMatchObject({
      status: 400,
      body: { message: 'Project is already archived.' },
    });
  });
});

describe('delete-project', () => {
  test('delete-project returns 202, marks the project for deletion, archives and renames it, and frees its path', async () => {
    const { id } = await harness.createProject({ name: 'Raft' });
    const today = new Date().toISOString().slice(0, 10);

    expect(await harness.delete('maintainer', at('maintainer/raft'))).toMatchObject({
      status: 202,
      body: { message: '202 Accepted' },
    });
    expect(await harness.row('maintainer', `/projects/${id}`)).toMatchObject({
      path: `raft-deletion_scheduled-${id}`,
      name: `Raft-deletion_scheduled-${id}`,
      archived: true,
      marked_for_deletion_on: today,
      marked_for_deletion_at: today,
    });
    expect((await harness.send('maintainer', at('maintainer/raft'))).status).toBe(404);
    await harness.createProject({ name: 'Raft' });
  });

  test('delete-project with permanently_remove deletes a marked project at once, given its complete full_path', async () => {
    const { id } = await harness.createProject({ name: 'Wreck' });
    const path = `/projects/${id}`;
    const remove = (full_path: string) =>
      harness.delete('maintainer', path, { permanently_remove: true, full_path });
    const refused = (message: string) => ({ status: 400, body: { message } });

    expect(await remove('maintainer/wreck')).toMatchObject(
      refused('Project must be marked for deletion first.'),
    );
    await harness.delete('maintainer', path);
    expect(await harness.delete('maintainer', path)).toMatchObject(
      refused('Project has already been marked for deletion'),
    );
    expect(await remove('maintainer/wreck')).toMatchObject(
      refused('`full_path` is incorrect. You must enter the complete path for the project.'),
    );
    const encodedPath = encodeURIComponent(`maintainer/wreck-deletion_scheduled-${id}`);
    expect(
      (await harness.delete('maintainer', `${path}?permanently_remove=true&full_path=${encodedPath}`)).status,
    ).toBe(202);
    expect((await harness.send('maintainer', path)).status).toBe(404);
    await expect.poll(() => harness.sandbox.state.paths.join(' '), { interval: 5 }).not.toContain('wreck');
  });

  test('delete-project returns 400 if the instance does not permit permanently_remove', async () => {
    const { id } = await strict.createProject({ name: 'Kept' });
    await strict.delete('maintainer', `/projects/${id}`);
    const body = { permanently_remove: 'true', full_path: `maintainer/kept-deletion_scheduled-${id}` };

    expect(await strict.delete('maintainer', `/projects/${id}`, body)).toMatchObject({
      status: 400,
      body: { message: '`permanently_remove` option is not permitted on this instance.' },
    });
  });

  test.each([
    ['on a lower tier before 18.0', instant],
    ['without a delay', undelayed],
  ])('delete-project deletes a project at once %s', async (_when, server) => {
    const { id } = await server.createProject({ name: 'Gone' });

    expect((await server.delete('maintainer', `/projects/${id}`)).status).toBe(202);
    expect((await server.send('maintainer', `/projects/${id}`)).status).toBe(404);
    await server.createProject({ name: 'Stays' });
    expect((await server.post('maintainer', `${at('maintainer/stays')}/restore`)).status).toBe(404);
    await expect.poll(() => server.sandbox.state.paths, { interval: 5 }).toEqual(['maintainer/stays']);
  });

  test('delete-project returns 403 below Owner, 401 without a token, and 404 if the caller cannot see the project', async () => {
    expect((await harness.delete('maintainer', at('atlas/compass'))).status).toBe(403);
    expect((await harness.delete('anonymous', museum)).status).toBe(401);
    expect((await harness.delete('outsider', at('atlas/compass'))).status).toBe(404);
  });

  test('delete-project returns 412 if the project changed after If-Unmodified-Since', async () => {
    const { id } = await harness.createProject({ name: 'Fresh' });
    const headers = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };

    expect(await harness.send('maintainer', `/projects/${id}`, { method: 'DELETE', headers })).toMatchObject({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect(await harness.row('maintainer', `/projects/${id}`)).toMatchObject({
      marked_for_deletion_on: null,
    });
  });
});

describe('restore-project', () => {
  let id = 0;

  beforeAll(async () => {
    id = (await harness.createProject({ name: 'Phoenix' })).id;
  });

  test('restore-project returns 201, and the project is active again under its name', async () => {
    await harness.delete('maintainer', `/projects/${id}`);

    expect(await harness.post('maintainer', `/projects/${id}/restore`)).toMatchObject({
      status: 201,
      body: {
        path_with_namespace: 'maintainer/phoenix',
        name: 'Phoenix',
        archived: false,
        marked_for_deletion_on: null,
      },
    });
  });

  test('restore-project returns 400 for a project that is not marked for deletion', async () => {
    expect(await harness.post('maintainer', `/projects/${id}/restore`)).toMatchObject({
      status: 400,
      body: { message: 'Project has not been marked for deletion' },
    });
  });

  test('restore-project chooses another path if another project has taken the old one', async () => {
    await harness.delete('maintainer', `/projects/${id}`);
    await harness.createProject({ name: 'Phoenix' });

    expect((await harness.post('maintainer', `/projects/${id}/restore`)).body).toMatchObject({
      path: expect.stringMatching(/^phoenix-[0-9a-f]{5}$/) as string,
    });
  });

  test('restore-project returns 403 below Owner', async () => {
    await harness.delete('administrator', at('atlas/almanac'));
    const [path] = await harness.list(
      'maintainer',
      '/projects?search=almanac-deletion',
      'path_with_namespace',
    );

    expect((await harness.post('maintainer', `${at(String(path))}/restore`)).status).toBe(403);
  });
});
