import { describe, expect, test } from 'vitest';
import { at, Conformance, type Row } from '../../support/conformance.ts';

const harness = Conformance.ofFile();
const closed = Conformance.ofFile({ projectCount: 0, disabledFeatures: ['repository-import'] });

const limited = Conformance.ofFile({ projectCount: 0 });

const create = (body: Row, who: 'maintainer' | 'developer' | 'administrator' = 'maintainer') =>
  harness.post(who, '/projects', body);

const file = (name: string, size: number): File => new File([new Uint8Array(size)], name);

describe('create-project', () => {
  test('create-project returns 201 with the full record, and the caller is the owner', async () => {
    const row = await harness.createProject({ name: 'First Light', description: 'begun' });

    expect(row).toMatchObject({
      path: 'first-light',
      path_with_namespace: 'maintainer/first-light',
      visibility: 'private',
      empty_repo: true,
      default_branch: null,
      description: 'begun',
      owner: { username: 'maintainer' },
    });
    expect(await harness.row('maintainer', `/projects/${row.id}`)).toMatchObject({ name: 'First Light' });
  });

  test('create-project uses the path as the name if the name is omitted', async () => {
    expect(await harness.createProject({ path: 'only-path' })).toMatchObject({
      name: 'only-path',
      path: 'only-path',
    });
  });

  test('create-project derives an omitted path from the name, in lower case with dashes', async () => {
    expect(await harness.createProject({ name: 'Über — die Brücke' })).toMatchObject({
      path: 'uber-die-brucke',
    });
  });

  test('create-project returns 400 without a name and a path', async () => {
    expect(await create({ description: 'nameless' })).toMatchObject({
      status: 400,
      body: { error: 'name, path are missing, at least one parameter must be provided' },
    });
  });

  test.each(['-start', 'end-', 'two--dashes', 'a._b', 'x.git', 'with space', 'żółw'])(
    'create-project rejects the path %s for its special characters',
    async (path) => {
      const { status, body } = await create({ name: `p ${path.length}${path.at(-1)}`, path });

      expect(status).toBe(400);
      expect((body as { message: { path: string[] } }).message.path[0]).toMatch(
        /^can only include non-accented/,
      );
    },
  );

  test.each([
    ['a reserved path', { path: 'tree' }, { path: ['tree is a reserved name'] }],
    [
      'a name that begins with a dash',
      { name: '-minus', path: 'minus' },
      { name: [expect.stringMatching(/^can contain only letters/)] },
    ],
    [
      'a path of 256 characters',
      { name: 'long', path: 'a'.repeat(256) },
      { path: ['is too long (maximum is 255 characters)'] },
    ],
    [
      'a name of 256 characters',
      { name: 'a'.repeat(256), path: 'long-name' },
      { name: ['is too long (maximum is 255 characters)'] },
    ],
    [
      'a description of more than 2,000 characters',
      { name: 'wordy', description: 'x'.repeat(2001) },
      { description: ['is too long (maximum is 2000 characters)'] },
    ],
    ['an unknown namespace', { name: 'nowhere', namespace_id: 999_999 }, { namespace: ['is not valid'] }],
    [
      'an unknown template',
      { name: 'from-template', template_name: 'cobol' },
      { template_name: ["'cobol' is unknown or invalid"] },
    ],
  ])('create-project returns 400 for %s', async (_rule, body, message) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { message } });
  });

  test('create-project returns 400 for a name and path that are taken, regardless of case', async () => {
    await harness.createProject({ name: 'Twice', path: 'twice' });

    expect(await create({ name: 'TWICE', path: 'Twice' })).toMatchObject({
      status: 400,
      body: { message: { name: ['has already been taken'], path: ['has already been taken'] } },
    });
  });

  test('create-project accepts a group as namespace_id only if the caller may create projects in it', async () => {
    const namespace_id = await harness.groupId('atlas');

    expect(await harness.createProject({ name: 'In the group', namespace_id })).toMatchObject({
      path_with_namespace: 'atlas/in-the-group',
    });
    expect(await create({ name: 'Refused', namespace_id }, 'developer')).toMatchObject({
      status: 400,
      body: { message: { namespace: ['is not valid'] } },
    });
    const frozen = await harness.groupId('frozen');
    expect((await create({ name: 'Refused', namespace_id: frozen })).status).toBe(400);
  });

  test('create-project rejects a visibility above that of the namespace', async () => {
    const group = await harness.post('maintainer', '/groups', {
      name: 'Vault',
      path: 'vault',
      visibility: 'private',
    });
    const namespace_id = (group.body as Row)['id'];

    expect(await create({ name: 'Open', namespace_id, visibility: 'public' })).toMatchObject({
      status: 400,
      body: { message: { visibility_level: ['public is not allowed in a private group.'] } },
    });
  });

  test('create-project rejects a visibility that the instance restricts, except for administrators', async () => {
    limited.sandbox.state.limitVisibility({ restricted: 'internal' });
    const createHere = async (who: 'maintainer' | 'administrator', visibility: string) =>
      limited.post(who, '/projects', { name: `Open ${who}`, visibility });

    expect(await createHere('maintainer', 'internal')).toMatchObject({
      status: 400,
      body: { message: { visibility_level: ['internal has been restricted by your GitLab administrator'] } },
    });
    expect((await createHere('maintainer', 'public')).status).toBe(201);
    expect((await createHere('administrator', 'internal')).status).toBe(201);
  });

  test('create-project with initialize_with_readme creates a repository with one branch: default_branch, or main', async () => {
    const plain = await harness.createProject({ name: 'Readme main', initialize_with_readme: true });
    const named = await harness.createProject({
      name: 'Readme trunk',
      initialize_with_readme: true,
      default_branch: 'trunk',
    });

    expect(plain).toMatchObject({ default_branch: 'main', empty_repo: false });
    expect(await harness.list('maintainer', `/projects/${named.id}/repository/branches`, 'name')).toEqual([
      'trunk',
    ]);
  });

  test('create-project ignores default_branch without initialize_with_readme', async () => {
    expect(await harness.createProject({ name: 'No readme', default_branch: 'trunk' })).toMatchObject({
      default_branch: null,
    });
  });

  test('create-project imports from import_url in the background and returns that URL without credentials', async () => {
    const source = await harness.createProject({ name: 'Well', initialize_with_readme: true });
    const address = `${harness.sandbox.url}/maintainer/well.git`;
    const row = await harness.createProject({
      name: 'Bucket',
      import_url: address.replace('://', '://me:secret@'),
    });

    expect(row).toMatchObject({ import_status: 'scheduled', import_type: 'git', import_url: address });
    const read = () => harness.row('maintainer', `/projects/${row.id}`);
    await expect.poll(async () => (await read())['import_status'], { interval: 5 }).toBe('finished');
    expect(await read()).toMatchObject({ default_branch: source['default_branch'], empty_repo: false });
  });

  test('create-project returns 403 for an import_url if its import source is disabled', async () => {
    const body = { name: 'Closed', import_url: `${closed.sandbox.url}/maintainer/well.git` };

    expect(await closed.post('maintainer', '/projects', body)).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
    expect((await closed.post('maintainer', '/projects', { name: 'Closed' })).status).toBe(201);
  });

  test('create-project returns 422 for an import_url that cannot be reached', async () => {
    expect(await create({ name: 'Dry', import_url: 'https://nowhere.example/dry.git' })).toMatchObject({
      status: 422,
      body: { message: 'Unable to access repository with the URL and credentials provided' },
    });
  });

  test('create-project returns 400 (not a git repository) for initialize_with_readme together with import_url', async () => {
    const { status, body } = await create({
      name: 'Both',
      initialize_with_readme: true,
      import_url: 'https://x.example/y.git',
    });

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('not a git repository');
  });

  test('create-project applies template_name, use_custom_template, template_project_id, group_with_project_templates_id', async () => {
    expect(await harness.createProject({ name: 'From rails', template_name: 'rails' })).toMatchObject({
      empty_repo: false,
    });
    const template = await harness.row('maintainer', at('atlas/compass'));
    const customTemplate = { use_custom_template: true, template_project_id: template['id'] };
    const row = await harness.createProject({ name: 'From mine', ...customTemplate });
    await expect
      .poll(async () => (await harness.row('maintainer', `/projects/${row.id}`))['empty_repo'], {
        interval: 5,
      })
      .toBe(false);
    const outsideGroup = {
      ...customTemplate,
      group_with_project_templates_id: await harness.groupId('borealis'),
    };
    expect((await create({ name: 'From elsewhere', ...outsideGroup })).status).toBe(400);
  });

  test('create-project stores repository_object_format, which defaults to sha1', async () => {
    expect(await harness.createProject({ name: 'Old hash' })).toMatchObject({
      repository_object_format: 'sha1',
    });
    expect(
      await harness.createProject({ name: 'New hash', repository_object_format: 'sha256' }),
    ).toMatchObject({
      repository_object_format: 'sha256',
    });
  });

  test('create-project stores repository_storage for administrators only, and ignores it for others', async () => {
    const body = { repository_storage: 'cold' };
    const own = await harness.createProject({ name: 'Warm', ...body });
    const root = await harness.createProject({ name: 'Cold', ...body }, 'administrator');

    expect(await harness.row('administrator', `/projects/${own.id}`)).toMatchObject({
      repository_storage: 'default',
    });
    expect(await harness.row('administrator', `/projects/${root.id}`)).toMatchObject({
      repository_storage: 'cold',
    });
  });

  test('create-project accepts JSON, form and multipart bodies alike', async () => {
    const pairs: [string, string][] = [
      ['topics[]', 'sea'],
      ['topics[]', 'air'],
      ['container_expiration_policy_attributes[keep_n]', '5'],
      ['wiki_access_level', 'private'],
    ];
    const form = new FormData();
    form.set('name', 'By multipart');
    for (const [name, value] of pairs) form.append(name, value);
    const bodies = [
      {
        name: 'By JSON',
        topics: ['sea', 'air'],
        wiki_access_level: 'private',
        container_expiration_policy_attributes: { keep_n: 5 },
      },
      new URLSearchParams([['name', 'By form'], ...pairs]),
      form,
    ];
    for (const body of bodies) {
      const answer = await harness.post('maintainer', '/projects', body);
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        topics: ['air', 'sea'],
        tag_list: ['air', 'sea'],
        wiki_access_level: 'private',
        container_expiration_policy: { keep_n: 5, cadence: '1d' },
      });
    }
  });

  test('create-project accepts as avatar only an image of at most 200 KiB in a multipart body', async () => {
    const send = (name: string, image: File | string) => {
      const form = new FormData();
      form.set('name', name);
      form.set('avatar', image);
      return harness.post('maintainer', '/projects', form);
    };
    const created = await send('Portrait', file('face.png', 1000));
    expect((created.body as Row)['avatar_url']).toMatch(
      /\/uploads\/-\/system\/project\/avatar\/\d+\/face\.png$/,
    );
    const image = await harness.send('maintainer', `${at('maintainer/portrait')}/avatar`);
    expect(image).toMatchObject({ status: 200 });

    const avatarError = async (name: string, image: File) =>
      ((await send(name, image)).body as { message: { avatar: string[] } }).message.avatar[0];
    expect(await avatarError('Too large', file('face.png', 205_000))).toBe(
      'is too big (should be at most 200 KiB)',
    );
    expect(await avatarError('No image', file('face.pdf', 10))).toMatch(/^file format is not supported/);
    expect(await send('No file', 'text')).toMatchObject({
      status: 400,
      body: { error: 'avatar is invalid' },
    });
  });

  test('create-project returns 403 beyond the user’s project limit', async () => {
    const id = await harness.userId('developer');
    await harness.put('administrator', `/users/${id}`, { projects_limit: 1 });
    await harness.createProject({ name: 'The one' }, 'developer');
    const refused = (text: string) => ({ status: 403, body: { message: { error: [text] } } });

    expect(await create({ name: 'The other' }, 'developer')).toMatchObject(
      refused("You've reached your limit of 1 projects created. Contact your GitLab administrator."),
    );
    await harness.put('administrator', `/users/${id}`, { projects_limit: 0 });
    expect(await create({ name: 'None' }, 'developer')).toMatchObject(
      refused('You cannot create projects in your personal namespace. Contact your GitLab administrator.'),
    );
  });

  test('create-project returns 401 without a token, and 403 with a read-only token', async () => {
    expect((await harness.post('anonymous', '/projects', { name: 'x' })).status).toBe(401);
    expect(await harness.post('readOnly', '/projects', { name: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
  });
});
