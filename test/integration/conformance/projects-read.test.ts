import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance } from '../../support/conformance.ts';

const harness = Conformance.ofFile({ externalUrl: 'https://gitlab.example' });

const compass = at('atlas/compass');
const museum = at('atlas/museum');
const own = at('maintainer/logbook');

beforeAll(async () => {
  await harness.createProject({ name: 'Logbook', visibility: 'public', initialize_with_readme: true });
});

describe('get-project', () => {
  test('get-project accepts a number or the encoded full path, in any case, as the ID', async () => {
    const { id } = await harness.row('maintainer', compass);

    expect(await harness.row('maintainer', `/projects/${String(id)}`)).toMatchObject({
      path_with_namespace: 'atlas/compass',
    });
    expect(await harness.row('maintainer', at('Atlas/COMPASS'))).toMatchObject({ id });
  });

  test('get-project returns 404 to any caller for a project that does not exist or that the caller cannot see', async () => {
    const missing = { status: 404, body: { message: '404 Project Not Found' } };

    expect(await harness.send('maintainer', at('atlas/nowhere'))).toMatchObject(missing);
    expect(await harness.send('maintainer', '/projects/compass')).toMatchObject(missing);
    expect(await harness.send('outsider', compass)).toMatchObject(missing);
    expect(await harness.send('anonymous', at('borealis/lighthouse'))).toMatchObject(missing);
  });

  test('get-project without a token returns a public project with simple fields', async () => {
    const row = await harness.row('anonymous', museum);

    expect(Object.keys(row).sort()).toEqual(
      [
        ...['id', 'description', 'name', 'name_with_namespace', 'path', 'path_with_namespace', 'created_at'],
        ...[
          'default_branch',
          'tag_list',
          'topics',
          'ssh_url_to_repo',
          'http_url_to_repo',
          'web_url',
          'readme_url',
        ],
        ...['forks_count', 'avatar_url', 'star_count', 'last_activity_at', 'visibility', 'namespace'],
      ].sort(),
    );
    expect(row['namespace']).toMatchObject({ kind: 'group', full_path: 'atlas', parent_id: null });
  });

  test('get-project returns every field of the specification that the caller may see', async () => {
    const row = await harness.row('maintainer', compass);
    const fields = [
      ...[
        'description_html',
        'updated_at',
        '_links',
        'permissions',
        'archived',
        'empty_repo',
        'container_expiration_policy',
      ],
      ...['issues_enabled', 'merge_requests_enabled', 'wiki_enabled', 'jobs_enabled', 'snippets_enabled'],
      ...[
        'container_registry_enabled',
        'can_create_merge_request_in',
        'service_desk_enabled',
        'service_desk_address',
      ],
      ...[
        'emails_disabled',
        'emails_enabled',
        'shared_runners_enabled',
        'group_runners_enabled',
        'lfs_enabled',
        'creator_id',
      ],
      ...['import_url', 'import_type', 'import_status', 'import_error', 'open_issues_count', 'runners_token'],
      ...[
        'ci_default_git_depth',
        'ci_job_token_scope_enabled',
        'public_jobs',
        'build_timeout',
        'ci_config_path',
      ],
      ...[
        'shared_with_groups',
        'merge_method',
        'squash_option',
        'requirements_enabled',
        'security_and_compliance_enabled',
      ],
      ...[
        'auto_devops_enabled',
        'runner_token_expiration_interval',
        'repository_object_format',
        'marked_for_deletion_on',
      ],
      ...[
        'approvals_before_merge',
        'mirror',
        'compliance_frameworks',
        'analytics_access_level',
        'requirements_access_level',
      ],
    ];

    expect(fields.filter((field) => !(field in row))).toEqual([]);
  });

  test('get-project returns owner only for a personal project', async () => {
    expect((await harness.row('developer', own))['owner']).toMatchObject({
      username: 'maintainer',
      name: 'Mara Maintainer',
    });
    expect(await harness.row('maintainer', compass)).not.toHaveProperty('owner');
  });

  test.each([
    'import_url',
    'import_type',
    'import_error',
    'ci_default_git_depth',
    'build_timeout',
    'runners_token',
    'auto_devops_enabled',
    'keep_latest_artifact',
    'group_runners_enabled',
  ])('get-project returns %s to maintainers only', async (field) => {
    expect(await harness.row('maintainer', compass)).toHaveProperty(field);
    expect(await harness.row('developer', compass)).not.toHaveProperty(field);
  });

  test('get-project returns import_status to every reader', async () => {
    expect(await harness.row('guest', compass)).toMatchObject({ import_status: 'none' });
  });

  test('get-project hides default_branch and ci_config_path from guests of a private project', async () => {
    expect(await harness.row('developer', compass)).toMatchObject({
      default_branch: 'main',
      ci_config_path: '',
    });
    expect(await harness.row('guest', compass)).not.toHaveProperty('default_branch');
    expect(await harness.row('guest', compass)).not.toHaveProperty('ci_config_path');
  });

  test('get-project returns as permissions the direct role and the role through the group, each with levels or null', async () => {
    expect((await harness.row('guest', compass))['permissions']).toEqual({
      project_access: null,
      group_access: { access_level: 10, notification_level: 3 },
    });
    // The owner of a personal namespace is a member of its projects.
    expect((await harness.row('maintainer', own))['permissions']).toEqual({
      project_access: { access_level: 50, notification_level: 3 },
      group_access: null,
    });
    expect((await harness.row('administrator', compass))['permissions']).toMatchObject({
      project_access: { access_level: 40 },
    });
  });

  test('get-project returns in _links only the features that the caller sees', async () => {
    await harness.put('maintainer', own, {
      issues_access_level: 'private',
      merge_requests_access_level: 'disabled',
    });
    const names = async (who: 'maintainer' | 'outsider') =>
      Object.keys((await harness.row(who, own))['_links'] as object);

    expect(await names('maintainer')).toContain('issues');
    expect(await names('maintainer')).not.toContain('merge_requests');
    expect(await names('outsider')).not.toContain('issues');
    expect(await names('outsider')).toEqual(
      expect.arrayContaining(['self', 'repo_branches', 'labels', 'events', 'members', 'cluster_agents']),
    );
    expect(await harness.row('outsider', own)).toMatchObject({
      issues_enabled: false,
      issues_access_level: 'private',
    });
    await harness.put('maintainer', own, {
      issues_access_level: 'enabled',
      merge_requests_access_level: 'enabled',
    });
  });

  test('get-project returns the license only if requested', async () => {
    const row = await harness.row('maintainer', `${compass}?license=true`);

    expect(row).toHaveProperty('license_url');
    expect(row).toHaveProperty('license');
    expect(await harness.row('maintainer', compass)).not.toHaveProperty('license');
  });

  test('get-project returns statistics only to Reporters and above', async () => {
    const guest = await harness.userId('outsider');
    await harness.post('administrator', `${compass}/members`, { user_id: guest, access_level: 20 });

    expect((await harness.row('outsider', `${compass}?statistics=true`))['statistics']).toMatchObject({
      commit_count: expect.any(Number) as number,
      storage_size: expect.any(Number) as number,
      pipeline_artifacts_size: 0,
    });
    expect(await harness.row('guest', `${compass}?statistics=true`)).not.toHaveProperty('statistics');
  });

  test('get-project applies with_custom_attributes and returns repository_storage for administrators only', async () => {
    const query = `${compass}?with_custom_attributes=true`;

    expect(await harness.row('administrator', query)).toMatchObject({
      custom_attributes: [],
      repository_storage: 'default',
    });
    const row = await harness.row('maintainer', query);
    expect(row).not.toHaveProperty('custom_attributes');
    expect(row).not.toHaveProperty('repository_storage');
  });

  test('get-project returns 401 for a revoked token and 403 for a blocked user, even for a public project', async () => {
    expect((await harness.send('revoked', museum)).status).toBe(401);
    expect((await harness.send('blocked', museum)).status).toBe(403);
  });
});
