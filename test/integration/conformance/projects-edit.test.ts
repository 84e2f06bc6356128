import { beforeAll, describe, expect, test } from 'vitest';
import { acceptedAttributes, type Attribute } from '../../../src-main/sandbox/projects/attribute-table.ts';
import { at, Conformance, type Row } from '../../support/conformance.ts';

const bench = Conformance.ofFile({ tier: 'ultimate' });
const free = Conformance.ofFile({ tier: 'free', projectCount: 2 });
const old = Conformance.ofFile({ version: '16.5.0-ee', projectCount: 0 });

let id = 0;

beforeAll(async () => {
  id = (await bench.made({ name: 'Model', initialize_with_readme: true })).id;
});

const edit = (body: unknown) => bench.put('administrator', `/projects/${id}`, body);

/** A value that differs from what a new project has. */
function another(attribute: Attribute, initial: unknown): unknown {
  switch (attribute.type) {
    case 'boolean':
      return initial !== true;
    case 'integer':
      return 700;
    case 'choice':
      return attribute.values?.find((value) => value !== initial);
    case 'list':
      return ['one', 'two'];
    default:
      return `set ${attribute.name}`;
  }
}

/** Attributes with tests of their own below. */
const special = [
  'name',
  'path',
  'default_branch',
  'avatar',
  'import_url',
  'mr_default_target_self',
  'container_expiration_policy_attributes',
  // The record does not show these.
  'mirror_branch_regex',
  'fallback_approvals_required',
];
const plain = acceptedAttributes.filter(
  ({ name, uses, replacedBy }) =>
    uses.includes('edit') && replacedBy === undefined && !special.includes(name),
);

describe('edit-project attributes', () => {
  test.each(plain.map((attribute) => [attribute.name, attribute] as const))(
    'edit-project %s is stored and read back',
    async (name, attribute) => {
      const before = await bench.row('administrator', `/projects/${id}`);
      const value = another(attribute, before[name]);
      const answer = await edit({ [name]: value });

      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect((answer.body as Row)[name]).toEqual(value);
      expect((await bench.row('administrator', `/projects/${id}`))[name]).toEqual(value);
      await edit({ [name]: before[name] });
    },
  );

  test.each<[old: string, given: boolean, current: string, value: unknown]>([
    ['container_registry_enabled', false, 'container_registry_access_level', 'disabled'],
    ['issues_enabled', false, 'issues_access_level', 'disabled'],
    ['jobs_enabled', false, 'builds_access_level', 'disabled'],
    ['merge_requests_enabled', false, 'merge_requests_access_level', 'disabled'],
    ['snippets_enabled', false, 'snippets_access_level', 'disabled'],
    ['wiki_enabled', true, 'wiki_access_level', 'enabled'],
    ['emails_disabled', true, 'emails_enabled', false],
    ['public_builds', false, 'public_jobs', false],
  ])('edit-project %s=%s is deprecated and sets %s', async (name, given, current, value) => {
    const answer = await edit({ [name]: given });

    expect(answer.body).toMatchObject({ [current]: value });
    if (name !== 'public_builds') expect(answer.body).toMatchObject({ [name]: given });
    await edit({ [name]: !given });
    expect((await bench.row('administrator', `/projects/${id}`))[current]).not.toEqual(value);
  });

  test('edit-project the attribute that replaced a deprecated one wins over it', async () => {
    expect((await edit({ issues_enabled: true, issues_access_level: 'private' })).body).toMatchObject({
      issues_access_level: 'private',
    });
  });

  test('edit-project topics replaces all; tag_list does the same', async () => {
    await edit({ topics: 'red, green' });
    expect((await edit({ topics: ['blue'] })).body).toMatchObject({ topics: ['blue'], tag_list: ['blue'] });
    expect((await edit({ tag_list: ['grey'] })).body).toMatchObject({ topics: ['grey'], tag_list: ['grey'] });
    expect((await edit({ topics: [] })).body).toMatchObject({ topics: [] });
  });

  test('edit-project container_expiration_policy_attributes sets the parts given; name_regex is name_regex_delete', async () => {
    await edit({
      container_expiration_policy_attributes: { cadence: '7d', enabled: true, name_regex: 'old.*' },
    });
    const { body } = await edit({
      container_expiration_policy_attributes: { keep_n: 50, name_regex_keep: 'v.*', older_than: '14d' },
    });

    expect((body as Row)['container_expiration_policy']).toMatchObject({
      ...{ cadence: '7d', enabled: true, keep_n: 50, older_than: '14d' },
      ...{ name_regex: 'old.*', name_regex_delete: 'old.*', name_regex_keep: 'v.*' },
    });
  });

  test('edit-project import_url is where the repository was imported from, told without credentials', async () => {
    expect((await edit({ import_url: 'https://me:secret@origin.example/a.git' })).body).toMatchObject({
      import_url: 'https://origin.example/a.git',
    });
  });

  test('edit-project avatar: set with a multipart body, taken away with an empty text', async () => {
    const form = new FormData();
    form.set('avatar', new File(['image'], 'new.jpg'));

    expect(((await edit(form)).body as Row)['avatar_url']).toMatch(/new\.jpg$/);
    expect((await edit({ avatar: '' })).body).toMatchObject({ avatar_url: null });
  });

  test('edit-project mr_default_target_self is of forks alone', async () => {
    const fork = await bench.post('maintainer', `${at('borealis/lighthouse')}/fork`);
    const path = `/projects/${String((fork.body as Row)['id'])}`;

    expect((await bench.put('maintainer', path, { mr_default_target_self: true })).body).toMatchObject({
      mr_default_target_self: true,
    });
    expect(await bench.row('administrator', `/projects/${id}`)).not.toHaveProperty('mr_default_target_self');
  });

  test('edit-project default_branch: one that is there', async () => {
    const ferry = at('atlas/tools/ferry');
    const [branch] = (await bench.list('maintainer', `${ferry}/repository/branches`, 'name')).filter(
      (name) => name !== 'main',
    );

    expect((await bench.put('maintainer', ferry, { default_branch: branch })).body).toMatchObject({
      default_branch: branch,
    });
    expect(await bench.put('maintainer', ferry, { default_branch: 'nowhere' })).toMatchObject({
      status: 400,
      body: { message: { base: ['Could not set the default branch'] } },
    });
  });
});

describe('edit-project', () => {
  test('edit-project updated_at changes with the record', async () => {
    const before = await bench.row('maintainer', at('atlas/almanac'));
    const after = (await bench.put('maintainer', at('atlas/almanac'), { description: 'new' })).body as Row;

    expect(Date.parse(String(after['updated_at']))).toBeGreaterThan(Date.parse(String(before['updated_at'])));
  });

  test('edit-project 403 below Maintainer, 404 without sight, 401 without a token', async () => {
    const path = at('atlas/compass');

    expect((await bench.put('maintainer', path, { description: 'x' })).status).toBe(200);
    for (const [who, status] of [
      ['developer', 403],
      ['guest', 403],
      ['readOnly', 403],
      ['outsider', 404],
      ['anonymous', 401],
    ] as const) {
      expect((await bench.put(who, path, { description: 'x' })).status, who).toBe(status);
    }
  });

  test.each([
    ['visibility=loud', { visibility: 'loud' }, 'visibility does not have a valid value'],
    ['merge_method=squash', { merge_method: 'squash' }, 'merge_method does not have a valid value'],
    ['a text for a boolean', { lfs_enabled: 'perhaps' }, 'lfs_enabled is invalid'],
    ['a text for a number', { build_timeout: 'long' }, 'build_timeout is invalid'],
    [
      'several at once',
      { lfs_enabled: 'x', public_jobs: 'z' },
      'lfs_enabled is invalid, public_jobs is invalid',
    ],
  ])('edit-project 400 for %s', async (_rule, body, error) => {
    expect(await edit(body)).toMatchObject({ status: 400, body: { error } });
  });

  test('edit-project 400 for a build_timeout or ci_default_git_depth beyond its bounds', async () => {
    expect(await edit({ build_timeout: 10 })).toMatchObject({
      status: 400,
      body: { message: { build_timeout: ['needs to be between 10 minutes and 1 month'] } },
    });
    expect((await edit({ ci_default_git_depth: 1001 })).status).toBe(400);
  });

  test.each([
    ['nothing', {}],
    ['only what it does not know', { colour: 'red', visiblity: 'public' }],
    ['only what creating knows', { namespace_id: 1 }],
  ])('edit-project 400 with %s to change', async (_what, nothing) => {
    const { status, body } = await edit(nothing);

    expect(status).toBe(400);
    expect((body as { error: string }).error).toMatch(/at least one parameter must be provided$/);
  });

  test.each(['mirror_branch_regex', 'fallback_approvals_required'])(
    'edit-project %s is stored, though the record does not show it',
    async (name) => {
      const value = name === 'mirror_branch_regex' ? 'main|release' : 2;
      const { body } = await edit({ [name]: value });
      const { attributes } = await bench.sandbox.state.project(String((body as Row)['path_with_namespace']));

      expect(attributes).toMatchObject({ [name]: value });
    },
  );

  test('edit-project service_desk_enabled gives the project an address', async () => {
    expect((await edit({ service_desk_enabled: true })).body).toMatchObject({
      service_desk_address: expect.stringMatching(/^incoming\+maintainer-.*-issue-@127\.0\.0\.1$/) as unknown,
    });
    expect((await edit({ service_desk_enabled: false })).body).toMatchObject({ service_desk_address: null });
  });

  test('edit-project pages may be open to everybody, other features only to those with access', async () => {
    expect(
      (await edit({ pages_access_level: 'public', package_registry_access_level: 'public' })).body,
    ).toMatchObject({
      pages_access_level: 'public',
      package_registry_access_level: 'public',
    });
    expect(await edit({ wiki_access_level: 'public' })).toMatchObject({
      status: 400,
      body: { error: 'wiki_access_level does not have a valid value' },
    });
  });

  test('edit-project last_activity_at stays as it is: an edit changes the record, an upload is activity', async () => {
    const path = at('atlas/tools/caravan');
    const activity = async () =>
      Date.parse(String((await bench.row('administrator', path))['last_activity_at']));
    const before = await activity();
    await bench.put('administrator', path, { description: 'moved' });
    expect(await activity()).toBe(before);
    const form = new FormData();
    form.set('file', new File(['text'], 'a.txt'));
    await bench.post('administrator', `${path}/uploads`, form);
    expect(await activity()).toBeGreaterThan(before);
  });

  test('edit-project name and path; taken ones are refused', async () => {
    await bench.made({ name: 'Other' });
    expect(await edit({ name: 'Other' })).toMatchObject({
      status: 400,
      body: { message: { name: ['has already been taken'] } },
    });
    expect(await edit({ name: 'Renamed', path: 'renamed' })).toMatchObject({
      status: 200,
      body: { path_with_namespace: 'maintainer/renamed' },
    });
  });

  test('edit-project 301 for reading by the old path of a moved project, 405 for anything else', async () => {
    const { id: moved } = await bench.made({ name: 'Before' });
    await bench.put('maintainer', `/projects/${moved}`, { path: 'after' });
    const target = `${bench.sandbox.url}/api/v4/projects/${moved}`;
    const reply = await bench.send('maintainer', `${at('maintainer/before')}?license=true`);

    expect(reply).toMatchObject({
      status: 301,
      body: `This resource has been moved permanently to ${target}?license=true`,
    });
    expect(reply.headers.get('location')).toBe(`${target}?license=true`);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await bench.put('maintainer', at('maintainer/before'), { description: 'x' })).toMatchObject({
      status: 405,
      body: { message: 'Non GET methods are not allowed for moved projects' },
    });
    expect((await bench.send('outsider', at('maintainer/before'))).status).toBe(404);
    await bench.made({ name: 'Newcomer', path: 'before' });
    expect((await bench.send('maintainer', at('maintainer/before'))).status).toBe(200);
  });

  test('edit-project attributes of a tier that is not there are accepted and ignored', async () => {
    const row = await free.made({ name: 'Free' });
    const { status, body } = await free.put('maintainer', `/projects/${row.id}`, {
      mirror: true,
      approvals_before_merge: 3,
      issues_template: 'x',
    });

    expect(status).toBe(200);
    for (const field of ['mirror', 'approvals_before_merge', 'issues_template'])
      expect(body).not.toHaveProperty(field);
  });

  test('edit-project attributes of a later release are unknown to an earlier one', async () => {
    const row = await old.made({ name: 'Old' });
    const level = { model_registry_access_level: 'disabled' };

    expect((await old.put('maintainer', `/projects/${row.id}`, level)).body).toMatchObject({
      model_registry_access_level: 'enabled',
    });
  });

  test('edit-project mirror_user_id: administrators only', async () => {
    expect((await bench.put('maintainer', `/projects/${id}`, { mirror_user_id: 5 })).body).not.toMatchObject({
      mirror_user_id: 5,
    });
  });
});
