import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance, type Row } from '../../support/conformance.ts';

const bench = Conformance.ofFile();
const instant = Conformance.ofFile({ tier: 'free', version: '17.11.0-ee', projectCount: 0 });
const strict = Conformance.ofFile({ deletion: { immediateAllowed: false }, projectCount: 0 });
const newest = Conformance.ofFile({ version: '18.9.0-ee', projectCount: 0 });

const museum = at('atlas/museum');

describe('star-project', () => {
  test('star-project 201 with the full record, 304 without a body when it is starred already', async () => {
    const { status, body } = await bench.post('guest', `${museum}/star`);

    expect(status).toBe(201);
    expect(body).toMatchObject({ star_count: 1, path: 'museum', _links: {} });
    expect(await bench.post('guest', `${museum}/star`)).toMatchObject({ status: 304, body: null });
  });

  test('unstar-project 201 with the full record, 304 without a body when it is not starred', async () => {
    await bench.post('guest', `${museum}/star`);

    expect(await bench.post('guest', `${museum}/unstar`)).toMatchObject({
      status: 201,
      body: { star_count: 0 },
    });
    expect(await bench.post('guest', `${museum}/unstar`)).toMatchObject({ status: 304, body: null });
  });

  test('star-project, unstar-project 401 without a token, 404 without sight of the project', async () => {
    for (const verb of ['star', 'unstar']) {
      expect((await bench.post('anonymous', `${museum}/${verb}`)).status).toBe(401);
      expect((await bench.post('outsider', `${at('atlas/compass')}/${verb}`)).status).toBe(404);
    }
  });

  test('list-starrers since when and who; search by name or username', async () => {
    for (const who of ['developer', 'maintainer'] as const) await bench.post(who, `${museum}/star`);

    expect(await bench.rows('maintainer', `${museum}/starrers`)).toMatchObject([
      {
        starred_since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        user: { username: 'developer', state: 'active' },
      },
      { user: { username: 'maintainer' } },
    ]);
    expect(await bench.rows('maintainer', `${museum}/starrers?search=dora`)).toHaveLength(1);
    expect((await bench.send('anonymous', `${at('atlas/compass')}/starrers`)).status).toBe(404);
  });
});

describe('archive-project', () => {
  test('archive-project 201 with archived=true; again it changes nothing', async () => {
    await bench.made({ name: 'Attic' });
    const path = at('maintainer/attic');
    const first = await bench.post('maintainer', `${path}/archive`);
    const again = await bench.post('administrator', `${path}/archive`);

    expect(first).toMatchObject({ status: 201, body: { archived: true } });
    expect(again.status).toBe(201);
    expect((again.body as Row)['updated_at']).toBe((first.body as Row)['updated_at']);
  });

  test('unarchive-project 201 with archived=false; again it changes nothing', async () => {
    const path = at('maintainer/attic');

    for (let time = 0; time < 2; time += 1) {
      expect(await bench.post('maintainer', `${path}/unarchive`)).toMatchObject({
        status: 201,
        body: { archived: false },
      });
    }
  });

  test('archive-project, unarchive-project 403 below Owner', async () => {
    for (const verb of ['archive', 'unarchive']) {
      expect((await bench.post('maintainer', `${museum}/${verb}`)).status).toBe(403);
    }
  });

  test('archive-project 400 from 18.9 for what is archived already', async () => {
    const { id } = await newest.made({ name: 'Attic' });
    await newest.post('maintainer', `/projects/${id}/archive`);

    expect(await newest.post('maintainer', `/projects/${id}/archive`)).toMatchObject({
      status: 400,
      body: { message: 'Project is already archived.' },
    });
  });
});

describe('delete-project', () => {
  test('delete-project 202: marked for deletion, archived, renamed; the path is free', async () => {
    const { id } = await bench.made({ name: 'Raft' });
    const today = new Date().toISOString().slice(0, 10);

    expect(await bench.delete('maintainer', at('maintainer/raft'))).toMatchObject({
      status: 202,
      body: { message: '202 Accepted' },
    });
    expect(await bench.row('maintainer', `/projects/${id}`)).toMatchObject({
      path: `raft-deletion_scheduled-${id}`,
      name: `Raft-deletion_scheduled-${id}`,
      archived: true,
      marked_for_deletion_on: today,
      marked_for_deletion_at: today,
    });
    expect((await bench.send('maintainer', at('maintainer/raft'))).status).toBe(404);
    await bench.made({ name: 'Raft' });
  });

  test('delete-project permanently_remove and full_path: at once, only what is marked, by its whole path', async () => {
    const { id } = await bench.made({ name: 'Wreck' });
    const path = `/projects/${id}`;
    const remove = (full_path: string) =>
      bench.delete('maintainer', path, { permanently_remove: true, full_path });
    const refused = (message: string) => ({ status: 400, body: { message } });

    expect(await remove('maintainer/wreck')).toMatchObject(
      refused('Project must be marked for deletion first.'),
    );
    await bench.delete('maintainer', path);
    expect(await bench.delete('maintainer', path)).toMatchObject(
      refused('Project has already been marked for deletion'),
    );
    expect(await remove('maintainer/wreck')).toMatchObject(
      refused('`full_path` is incorrect. You must enter the complete path for the project.'),
    );
    const whole = encodeURIComponent(`maintainer/wreck-deletion_scheduled-${id}`);
    expect(
      (await bench.delete('maintainer', `${path}?permanently_remove=true&full_path=${whole}`)).status,
    ).toBe(202);
    expect((await bench.send('maintainer', path)).status).toBe(404);
    await expect.poll(() => bench.sandbox.state.paths.join(' '), { interval: 5 }).not.toContain('wreck');
  });

  test('delete-project 400 where the instance does not permit permanently_remove', async () => {
    const { id } = await strict.made({ name: 'Kept' });
    await strict.delete('maintainer', `/projects/${id}`);
    const body = { permanently_remove: 'true', full_path: `maintainer/kept-deletion_scheduled-${id}` };

    expect(await strict.delete('maintainer', `/projects/${id}`, body)).toMatchObject({
      status: 400,
      body: { message: '`permanently_remove` option is not permitted on this instance.' },
    });
  });

  test('delete-project a lower tier before 18.0, or without delay: deleted with all it has', async () => {
    const { id } = await instant.made({ name: 'Gone' });

    expect((await instant.delete('maintainer', `/projects/${id}`)).status).toBe(202);
    expect((await instant.send('maintainer', `/projects/${id}`)).status).toBe(404);
    await instant.made({ name: 'Stays' });
    expect((await instant.post('maintainer', `${at('maintainer/stays')}/restore`)).status).toBe(404);
    await expect.poll(() => instant.sandbox.state.paths, { interval: 5 }).toEqual(['maintainer/stays']);
  });

  test('delete-project 403 below Owner, 401 without a token, 404 without sight', async () => {
    expect((await bench.delete('maintainer', at('atlas/compass'))).status).toBe(403);
    expect((await bench.delete('anonymous', museum)).status).toBe(401);
    expect((await bench.delete('outsider', at('atlas/compass'))).status).toBe(404);
  });

  test('delete-project 412 when it changed since the time of If-Unmodified-Since', async () => {
    const { id } = await bench.made({ name: 'Fresh' });
    const headers = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };

    expect(await bench.send('maintainer', `/projects/${id}`, { method: 'DELETE', headers })).toMatchObject({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect(await bench.row('maintainer', `/projects/${id}`)).toMatchObject({ marked_for_deletion_on: null });
  });
});

describe('restore-project', () => {
  let id = 0;

  beforeAll(async () => {
    id = (await bench.made({ name: 'Phoenix' })).id;
  });

  test('restore-project 201: active again under its name', async () => {
    await bench.delete('maintainer', `/projects/${id}`);

    expect(await bench.post('maintainer', `/projects/${id}/restore`)).toMatchObject({
      status: 201,
      body: {
        path_with_namespace: 'maintainer/phoenix',
        name: 'Phoenix',
        archived: false,
        marked_for_deletion_on: null,
      },
    });
  });

  test('restore-project 400 for what is not marked', async () => {
    expect(await bench.post('maintainer', `/projects/${id}/restore`)).toMatchObject({
      status: 400,
      body: { message: 'Project has not been marked for deletion' },
    });
  });

  test('restore-project under another name when somebody has its path by now', async () => {
    await bench.delete('maintainer', `/projects/${id}`);
    await bench.made({ name: 'Phoenix' });

    expect((await bench.post('maintainer', `/projects/${id}/restore`)).body).toMatchObject({
      path: expect.stringMatching(/^phoenix-[0-9a-f]{5}$/) as string,
    });
  });

  test('restore-project 403 below Owner', async () => {
    await bench.delete('administrator', at('atlas/almanac'));
    const [path] = await bench.list('maintainer', '/projects?search=almanac-deletion', 'path_with_namespace');

    expect((await bench.post('maintainer', `${at(String(path))}/restore`)).status).toBe(403);
  });
});
