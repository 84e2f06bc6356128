import { beforeAll, describe, expect, test } from 'vitest';
import { acceptedAttributes, type Attribute } from '../../../src-main/sandbox/projects/attribute-table.ts';
import { at, Conformance, type Row } from '../../support/conformance.ts';

const harness = Conformance.ofFile({ tier: 'ultimate' });
const free = Conformance.ofFile({ tier: 'free', projectCount: 2 });
const old = Conformance.ofFile({ version: '16.5.0-ee', projectCount: 0 });

let id = 0;

beforeAll(async () => {
  id = (await harness.createProject({ name: 'Model', initialize_with_readme: true })).id;
});

const edit = (body: unknown) => harness.put('administrator', `/projects/${id}`, body);

/** Returns a valid value that differs from the initial one. */
function otherValue(attribute: Attribute, initial: unknown): unknown {
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

/** Attributes that have their own tests below. */
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
    'edit-project stores %s and returns it, as do later reads',
    async (name, attribute) => {
      const before = await harness.row('administrator', `/projects/${id}`);
      const value = otherValue(attribute, before[name]);
      const answer = await edit({ [name]: value });

      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect((answer.body as Row)[name]).toEqual(value);
      expect((await harness.row('administrator', `/projects/${id}`))[name]).toEqual(value);
      await edit({ [name]: before[name] });
    },
  );

  test.each<[old: string, oldValue: boolean, current: string, value: unknown]>([
    ['container_registry_enabled', false, 'container_registry_access_level', 'disabled'],
    ['issues_enabled', false, 'issues_access_level', 'disabled'],
    ['jobs_enabled', false, 'builds_access_level', 'disabled'],
    ['merge_requests_enabled', false, 'merge_requests_access_level', 'disabled'],
    ['snippets_enabled', false, 'snippets_access_level', 'disabled'],
    ['wiki_enabled', true, 'wiki_access_level', 'enabled'],
    ['emails_disabled', true, 'emails_enabled', false],
    ['public_builds', false, 'public_jobs', false],
  ])('edit-project maps the deprecated %s=%s to %s', async (name, oldValue, current, value) => {
    const answer = await edit({ [name]: oldValue });

    expect(answer.body).toMatchObject({ [current]: value });
    if (name !== 'public_builds') expect(answer.body).toMatchObject({ [name]: oldValue });
    await edit({ [name]: !oldValue });
    expect((await harness.row('administrator', `/projects/${id}`))[current]).not.toEqual(value);
  });

  test('edit-project prefers an attribute to the deprecated one that it replaced', async () => {
    expect((await edit({ issues_enabled: true, issues_access_level: 'private' })).body).toMatchObject({
      issues_access_level: 'private',
    });
  });

  test('edit-project replaces all topics, whether given as topics or as tag_list', async () => {
    await edit({ topics: 'red, green' });
    expect((await edit({ topics: ['blue'] })).body).toMatchObject({ topics: ['blue'], tag_list: ['blue'] });
    expect((await edit({ tag_list: ['grey'] })).body).toMatchObject({ topics: ['grey'], tag_list: ['grey'] });
    expect((await edit({ topics: [] })).body).toMatchObject({ topics: [] });
  });

  test('edit-project changes only the given container_expiration_policy_attributes; name_regex sets name_regex_delete', async () => {
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

  test('edit-project stores import_url as the source of the repository and returns it without credentials', async () => {
    expect((await edit({ import_url: 'https://me:secret@origin.example/a.git' })).body).toMatchObject({
      import_url: 'https://origin.example/a.git',
    });
  });

  test('edit-project sets the avatar from a multipart body and removes it for an empty string', async () => {
    const form = new FormData();
    form.set('avatar', new File(['image'], 'new.jpg'));

    expect(((await edit(form)).body as Row)['avatar_url']).toMatch(/new\.jpg$/);
    expect((await edit({ avatar: '' })).body).toMatchObject({ avatar_url: null });
  });

  test('edit-project sets mr_default_target_self on a fork; other projects do not have it', async () => {
    const fork = await harness.post('maintainer', `${at('borealis/lighthouse')}/fork`);
    const path = `/projects/${String((fork.body as Row)['id'])}`;

    expect((await harness.put('maintainer', path, { mr_default_target_self: true })).body).toMatchObject({
      mr_default_target_self: true,
    });
    expect(await harness.row('administrator', `/projects/${id}`)).not.toHaveProperty(
      'mr_default_target_self',
    );
  });

  test('edit-project accepts only an existing branch as default_branch', async () => {
    const ferry = at('atlas/tools/ferry');
    const [branch] = (await harness.list('maintainer', `${ferry}/repository/branches`, 'name')).filter(
      (name) => name !== 'main',
    );

    expect((await harness.put('maintainer', ferry, { default_branch: branch })).body).toMatchObject({
      default_branch: branch,
    });
    expect(await harness.put('maintainer', ferry, { default_branch: 'nowhere' })).toMatchObject({
      status: 400,
      body: { message: { base: ['Could not set the default branch'] } },
    });
  });
});

describe('edit-project', () => {
  test('edit-project advances updated_at when it changes the record', async () => {
    const before = await harness.row('maintainer', at('atlas/almanac'));
    const after = (await harness.put('maintainer', at('atlas/almanac'), { description: 'new' })).body as Row;

    expect(Date.parse(String(after['updated_at']))).toBeGreaterThan(Date.parse(String(before['updated_at'])));
  });

  test('edit-project returns 403 below Maintainer, 404 if the caller cannot see the project, and 401 without a token', async () => {
    const path = at('atlas/compass');

    expect((await harness.put('maintainer', path, { description: 'x' })).status).toBe(200);
    for (const [who, status] of [
      ['developer', 403],
      ['guest', 403],
      ['readOnly', 403],
      ['outsider', 404],
      ['anonymous', 401],
    ] as const) {
      expect((await harness.put(who, path, { description: 'x' })).status, who).toBe(status);
    }
  });

  test.each([
    ['visibility=loud', { visibility: 'loud' }, 'visibility does not have a valid value'],
    ['merge_method=squash', { merge_method: 'squash' }, 'merge_method does not have a valid value'],
    ['text for a boolean', { lfs_enabled: 'perhaps' }, 'lfs_enabled is invalid'],
    ['text for a number', { build_timeout: 'long' }, 'build_timeout is invalid'],
    [
      'several invalid values at once',
      { lfs_enabled: 'x', public_jobs: 'z' },
      'lfs_enabled is invalid, public_jobs is invalid',
    ],
  ])('edit-project returns 400 for %s', async (_rule, body, error) => {
    expect(await edit(body)).toMatchObject({ status: 400, body: { error } });
  });

  test('edit-project returns 400 for a build_timeout or ci_default_git_depth out of range', async () => {
    expect(await edit({ build_timeout: 10 })).toMatchObject({
      status: 400,
      body: { message: { build_timeout: ['needs to be between 10 minutes and 1 month'] } },
    });
    expect((await edit({ ci_default_git_depth: 1001 })).status).toBe(400);
  });

  test.each([
    ['no attributes', {}],
    ['only unknown attributes', { colour: 'red', visiblity: 'public' }],
    ['only attributes that create-project accepts', { namespace_id: 1 }],
  ])('edit-project returns 400 for %s', async (_what, attributes) => {
    const { status, body } = await edit(attributes);

    expect(status).toBe(400);
    expect((body as { error: string }).error).toMatch(/at least one parameter must be provided$/);
  });

  test.each(['mirror_branch_regex', 'fallback_approvals_required'])(
    'edit-project stores %s, although the record does not show it',
    async (name) => {
      const value = name === 'mirror_branch_regex' ? 'main|release' : 2;
      const { body } = await edit({ [name]: value });
      const { attributes } = await harness.sandbox.state.project(
        String((body as Row)['path_with_namespace']),
      );

      expect(attributes).toMatchObject({ [name]: value });
      expect(body).not.toHaveProperty(name);
    },
  );

  test('edit-project gives the project a Service Desk address while service_desk_enabled is true', async () => {
    expect((await edit({ service_desk_enabled: true })).body).toMatchObject({
      service_desk_address: expect.stringMatching(/^incoming\+maintainer-.*-issue-@127\.0\.0\.1$/) as unknown,
    });
    expect((await edit({ service_desk_enabled: false })).body).toMatchObject({ service_desk_address: null });
  });

  test('edit-project accepts the access level public for Pages and the package registry, but not for the wiki', async () => {
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

  test('edit-project leaves last_activity_at unchanged, because only activity such as an upload advances it', async () => {
    const path = at('atlas/tools/caravan');
    const activity = async () =>
      Date.parse(String((await harness.row('administrator', path))['last_activity_at']));
    const before = await activity();
    await harness.put('administrator', path, { description: 'moved' });
    expect(await activity()).toBe(before);
    const form = new FormData();
    form.set('file', new File(['text'], 'a.txt'));
    await harness.post('administrator', `${path}/uploads`, form);
    expect(await activity()).toBeGreaterThan(before);
  });

  test('edit-project changes name and path, and rejects taken ones', async () => {
    await harness.createProject({ name: 'Other' });
    expect(await edit({ name: 'Other' })).toMatchObject({
      status: 400,
      body: { message: { name: ['has already been taken'] } },
    });
    expect(await edit({ path: 'other' })).toMatchObject({
      status: 400,
      body: { message: { path: ['has already been taken'] } },
    });
    expect(await edit({ name: 'Renamed', path: 'renamed' })).toMatchObject({
      status: 200,
      body: { name: 'Renamed', path_with_namespace: 'maintainer/renamed' },
    });
  });

  test('edit-project makes the old path of a moved project return 301 to reads and 405 to other requests', async () => {
    const { id: moved } = await harness.createProject({ name: 'Before' });
    await harness.put('maintainer', `/projects/${moved}`, { path: 'after' });
    const target = `${harness.sandbox.url}/api/v4/projects/${moved}`;
    const reply = await harness.send('maintainer', `${at('maintainer/before')}?license=true`);

    expect(reply).toMatchObject({
      status: 301,
      body: `This resource has been moved permanently to ${target}?license=true`,
    });
    expect(reply.headers.get('location')).toBe(`${target}?license=true`);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await harness.put('maintainer', at('maintainer/before'), { description: 'x' })).toMatchObject({
      status: 405,
      body: { message: 'Non GET methods are not allowed for moved projects' },
    });
    expect((await harness.send('outsider', at('maintainer/before'))).status).toBe(404);
    await harness.createProject({ name: 'Newcomer', path: 'before' });
    expect((await harness.send('maintainer', at('maintainer/before'))).status).toBe(200);
  });

  test('edit-project accepts and ignores attributes of a tier that the instance does not have', async () => {
    const row = await free.createProject({ name: 'Free' });
    const { status, body } = await free.put('maintainer', `/projects/${row.id}`, {
      mirror: true,
      approvals_before_merge: 3,
      issues_template: 'x',
    });

    expect(status).toBe(200);
    for (const field of ['mirror', 'approvals_before_merge', 'issues_template'])
      expect(body).not.toHaveProperty(field);
  });

  test('edit-project ignores attributes of a later release on an earlier one', async () => {
    const row = await old.createProject({ name: 'Old' });
    const level = { model_registry_access_level: 'disabled' };

    expect((await old.put('maintainer', `/projects/${row.id}`, level)).body).toMatchObject({
      model_registry_access_level: 'enabled',
    });
  });

  test('edit-project accepts mirror_user_id from administrators only', async () => {
    expect(
      (await harness.put('maintainer', `/projects/${id}`, { mirror_user_id: 5 })).body,
    ).not.toMatchObject({
      mirror_user_id: 5,
    });
  });
});
