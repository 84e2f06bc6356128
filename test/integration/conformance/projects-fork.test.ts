import { beforeAll, describe, expect, test } from 'vitest';
import { SteppedClock } from '../../support/clocks/stepped-clock.ts';
import { at, Conformance, type Row, type Account } from '../../support/conformance.ts';

const harness = Conformance.ofFile();
const clock = new SteppedClock();
const stepped = Conformance.ofFile({ clock, speed: { forkScheduledMs: 10, forkStartedMs: 10 } });

const ferry = at('atlas/tools/ferry');
const lighthouse = at('borealis/lighthouse');

const fork = (who: Account, source: string, body: Row = {}) => harness.post(who, `${source}/fork`, body);

const finishedFork = async (who: Account, { body }: { body: unknown }): Promise<Row> => {
  const path = `/projects/${String((body as Row)['id'])}`;
  await expect
    .poll(async () => (await harness.row(who, path))['import_status'], { interval: 5 })
    .toBe('finished');
  return harness.row(who, path);
};

describe('fork-project', () => {
  test('fork-project returns 201 with the status scheduled at once, and copies the repository in the background', async () => {
    const answer = await fork('developer', ferry);

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      path_with_namespace: 'developer/ferry',
      name: 'Ferry',
      import_status: 'scheduled',
      empty_repo: true,
      forked_from_project: { path_with_namespace: 'atlas/tools/ferry', license: { key: 'gpl-3.0' } },
    });
    const row = await finishedFork('developer', answer);
    expect(row).toMatchObject({ empty_repo: false, default_branch: 'main' });
    const branches = `/projects/${String(row['id'])}/repository/branches`;
    expect(await harness.list('developer', branches, 'name')).toEqual(
      await harness.list('maintainer', `${ferry}/repository/branches`, 'name'),
    );
  });

  test('fork-project copies the repository without issues, and the source counts the fork', async () => {
    const row = await finishedFork('developer', await fork('developer', at('atlas/compass')));

    expect(await harness.rows('developer', `/projects/${String(row['id'])}/issues`)).toEqual([]);
    expect(await harness.row('maintainer', at('atlas/compass'))).toMatchObject({ forks_count: 1 });
    expect(await harness.list('developer', `${at('atlas/compass')}/forks`, 'path_with_namespace')).toEqual([
      'developer/compass',
    ]);
  });

  test('fork-project goes through the states scheduled, started and finished', async () => {
    const { body } = await stepped.post('developer', `${ferry}/fork`);
    const readState = async () =>
      (await stepped.row('developer', `/projects/${String((body as Row)['id'])}`))['import_status'];

    expect(await readState()).toBe('scheduled');
    await clock.advance(10);
    expect(await readState()).toBe('started');
    await clock.advance(10);
    await expect.poll(readState, { interval: 5 }).toBe('finished');
  });

  test('fork-project accepts name, path, description and visibility for the fork', async () => {
    const body = { name: 'Own light', path: 'own-light', description: 'mine', visibility: 'private' };

    expect((await fork('maintainer', lighthouse, body)).body).toMatchObject({
      ...body,
      path_with_namespace: 'maintainer/own-light',
    });
  });

  test('fork-project sets mr_default_target_self to false unless requested', async () => {
    expect((await fork('guest', lighthouse)).body).toMatchObject({ mr_default_target_self: false });
    const own = await fork('guest', lighthouse, { path: 'self', name: 'Self', mr_default_target_self: true });
    expect(own.body).toMatchObject({ mr_default_target_self: true });
  });

  test('fork-project with branches copies only that branch and no tags, and returns 404 for an unknown branch', async () => {
    const [branch = ''] = (await harness.list('maintainer', `${ferry}/repository/branches`, 'name')).filter(
      (name) => name !== 'main',
    ) as string[];
    const row = await finishedFork('maintainer', await fork('maintainer', ferry, { branches: branch }));

    expect(row).toMatchObject({ default_branch: branch });
    expect(
      await harness.list('maintainer', `/projects/${String(row['id'])}/repository/branches`, 'name'),
    ).toEqual([branch]);
    expect(
      await harness.list('maintainer', `/projects/${String(row['id'])}/repository/tags`, 'name'),
    ).toEqual([]);
    expect(await fork('maintainer', ferry, { branches: 'nowhere', path: 'x' })).toMatchObject({
      status: 404,
      body: { message: '404 Source Branch Not Found' },
    });
  });

  test.each([
    ['namespace_id', () => harness.groupId('borealis')],
    ['namespace_path', () => 'borealis'],
    ['namespace', () => 'borealis'],
    ['namespace', async () => String(await harness.groupId('borealis'))],
  ])('fork-project creates the fork in the namespace that %s gives', async (name, value) => {
    const path = `ferry-${String(await value())}-${name.length}`;
    const answer = await fork('maintainer', ferry, { [name]: await value(), path, name: path });

    expect(answer.body).toMatchObject({ path_with_namespace: `borealis/${path}` });
  });

  test('fork-project accepts a form body like JSON', async () => {
    const form = new URLSearchParams({ path: 'by-form', name: 'By form', mr_default_target_self: 'true' });

    expect((await harness.post('maintainer', `${ferry}/fork`, form)).body).toMatchObject({
      path: 'by-form',
      mr_default_target_self: true,
    });
  });
});

describe('fork-project errors', () => {
  beforeAll(async () => {
    await harness.createProject({
      name: 'Closed',
      visibility: 'public',
      forking_access_level: 'disabled',
      initialize_with_readme: true,
    });
    await fork('outsider', lighthouse);
  });

  test('fork-project returns 400 for more than one namespace parameter', async () => {
    expect(await fork('maintainer', ferry, { namespace_id: 1, namespace_path: 'atlas' })).toMatchObject({
      status: 400,
      body: { error: 'namespace_id, namespace_path are mutually exclusive' },
    });
  });

  test.each([
    [{ visibility: 'loud' }, 'visibility does not have a valid value'],
    [{ namespace_id: 'atlas' }, 'namespace_id is invalid'],
    [{ mr_default_target_self: 'perhaps' }, 'mr_default_target_self is invalid'],
  ])('fork-project returns 400 for %j', async (body, error) => {
    expect(await fork('maintainer', ferry, body)).toMatchObject({ status: 400, body: { error } });
  });

  test('fork-project returns 404 if forking is disabled or the caller cannot read the repository', async () => {
    const refused = { status: 404, body: { message: '404 Not Found' } };

    expect(await fork('outsider', at('maintainer/closed'))).toMatchObject(refused);
    expect(await fork('guest', ferry)).toMatchObject(refused);
  });

  test('fork-project returns 404 for an unknown namespace, or one in which the caller may not create projects', async () => {
    expect(await fork('maintainer', ferry, { namespace_path: 'nowhere' })).toMatchObject({
      status: 404,
      body: { message: '404 Namespace Not Found' },
    });
    expect(await fork('developer', ferry, { namespace_path: 'borealis' })).toMatchObject({
      status: 404,
      body: { message: '404 Target Namespace Not Found' },
    });
  });

  test('fork-project returns 404 for an unseen source, 401 without a token, and 403 with a read-only token', async () => {
    expect((await fork('outsider', ferry)).status).toBe(404);
    expect((await fork('anonymous', at('maintainer/closed'))).status).toBe(401);
    expect((await fork('readOnly', ferry)).status).toBe(403);
  });

  test('fork-project returns 409 with a list of messages for a name and path that are taken', async () => {
    expect(await fork('outsider', lighthouse)).toMatchObject({
      status: 409,
      body: {
        message: [
          'Project namespace name has already been taken',
          'Name has already been taken',
          'Path has already been taken',
        ],
      },
    });
  });

  test('fork-project returns 409 for a visibility above that of the source', async () => {
    const { status, body } = await fork('maintainer', ferry, { visibility: 'public', path: 'open' });

    expect(status).toBe(409);
    expect(JSON.stringify(body)).toContain('fork source project has lower visibility');
  });

  test('fork-project returns 409 beyond the user’s project limit', async () => {
    await harness.put('administrator', `/users/${await harness.userId('outsider')}`, { projects_limit: 0 });
    const { status, body } = await fork('outsider', lighthouse, { path: 'second', name: 'Second' });

    expect(status).toBe(409);
    expect(JSON.stringify(body)).toContain('You cannot create projects in your personal namespace');
  });
});

test('get-project returns forked_from_project only to callers who can read the source', async () => {
  await harness.createProject({
    name: 'Secret source',
    initialize_with_readme: true,
    visibility: 'internal',
  });
  const source = at('maintainer/secret-source');
  const { body } = await fork('developer', source);
  await harness.put('developer', `/projects/${String((body as Row)['id'])}`, { visibility: 'internal' });
  await harness.put('maintainer', source, { visibility: 'private' });
  const path = `/projects/${String((body as Row)['id'])}`;

  expect(await harness.row('maintainer', path)).toHaveProperty('forked_from_project');
  expect(await harness.row('outsider', path)).not.toHaveProperty('forked_from_project');
});
