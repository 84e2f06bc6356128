import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance, type Row, type Account } from '../../support/conformance.ts';

const harness = Conformance.ofFile({ tier: 'premium' });

/** The maintainer's own public project, with topics. Only the project Anchor is created after it. */
let own: Row & { id: number };
let first: Row;

beforeAll(async () => {
  own = await harness.createProject({
    name: 'Sextant',
    visibility: 'public',
    topics: ['sea', 'stars'],
    initialize_with_readme: true,
  });
  await harness.createProject({
    name: 'Anchor',
    topics: ['sea'],
    issues_access_level: 'disabled',
    merge_requests_enabled: false,
  });
  first = await harness.row('maintainer', at('atlas/compass'));
  await harness.post('maintainer', `/projects/${own.id}/star`);
  await harness.send('administrator', `${at('atlas/almanac')}/custom_attributes/team`, {
    method: 'PUT',
    body: { value: 'north' },
  });
  const { state } = harness.sandbox;
  state.change('atlas/almanac', { repositoryChecksumFailed: true });
  state.change('atlas/compass', { wikiChecksumFailed: true });
  state.change('borealis/zolw', { hidden: true });
  state.change('borealis/blank-slate', { pendingDelete: true });
  state.change('atlas/museum', { lastActivityAt: Date.UTC(2020, 0, 1), updatedAt: Date.UTC(2020, 0, 1) });
  await harness.delete('administrator', at('atlas/tools/ferry'));
});

const list = (query: string, who: Account = 'maintainer') => harness.list(who, `/projects?sort=asc&${query}`);

describe('list-projects filters', () => {
  test.each<[rule: string, query: string, who: Account, paths: string[]]>([
    [
      'archived=true returns only archived projects',
      'archived=true&visibility=public',
      'maintainer',
      ['museum'],
    ],
    [
      'archived=false returns no archived projects',
      'archived=false&visibility=public',
      'maintainer',
      ['sextant'],
    ],
    [
      'imported returns projects that the caller imported from elsewhere',
      'imported=true',
      'administrator',
      ['caravan'],
    ],
    ['imported omits projects that others imported', 'imported=true', 'maintainer', []],
    ['membership returns only projects that the caller is a member of', 'membership=true', 'outsider', []],
    [
      'owned returns projects that the caller owns explicitly',
      'owned=true',
      'maintainer',
      ['sextant', 'anchor'],
    ],
    [
      'min_access_level returns projects in which the caller has at least that role',
      'min_access_level=50',
      'maintainer',
      ['sextant', 'anchor'],
    ],
    ['starred returns projects that the caller starred', 'starred=true', 'maintainer', ['sextant']],
    ['starred omits projects that others starred', 'starred=true', 'developer', []],
    ['search matches the name', 'search=sext', 'maintainer', ['sextant']],
    ['search matches the description', 'search=large+files', 'maintainer', ['almanac']],
    ['search requires every word to match', 'search=large+nowhere', 'maintainer', []],
    ['search matches fewer than three characters only as a whole', 'search=se', 'maintainer', []],
    ['search does not match namespaces', 'search=atlas', 'maintainer', []],
    [
      'search_namespaces also matches namespaces',
      'search=tools&search_namespaces=true&archived=false',
      'maintainer',
      ['caravan'],
    ],
    ['topic requires all given topics', 'topic=sea,stars', 'maintainer', ['sextant']],
    ['topic matches one topic in any case', 'topic=Sea', 'maintainer', ['sextant', 'anchor']],
    [
      'visibility=internal returns internal projects',
      'visibility=internal',
      'maintainer',
      ['lighthouse', 'caravan'],
    ],
    [
      'visibility=private returns private projects that the caller can read',
      'visibility=private',
      'outsider',
      [],
    ],
    [
      'last_activity_before returns projects without later activity',
      'last_activity_before=2021-01-01T00:00:00Z',
      'maintainer',
      ['museum'],
    ],
    [
      'last_activity_after returns projects with later activity',
      'last_activity_after=2026-01-01T00:00:00Z&visibility=public',
      'maintainer',
      ['sextant'],
    ],
    [
      'updated_before and order_by=updated_at returns projects last updated before that time',
      'updated_before=2021-01-01T00:00:00Z&order_by=updated_at',
      'maintainer',
      ['museum'],
    ],
    [
      'updated_after and order_by=updated_at returns projects updated after that time',
      'updated_after=2026-01-01T00:00:00Z&order_by=updated_at&visibility=public',
      'maintainer',
      ['sextant'],
    ],
    [
      'repository_checksum_failed returns projects with that failure',
      'repository_checksum_failed=true',
      'maintainer',
      ['almanac'],
    ],
    [
      'wiki_checksum_failed returns projects with that failure',
      'wiki_checksum_failed=true',
      'maintainer',
      ['compass'],
    ],
    [
      'custom_attributes[key] filters for administrators',
      'custom_attributes[team]=north',
      'administrator',
      ['almanac'],
    ],
    ['repository_storage filters for administrators', 'repository_storage=elsewhere', 'administrator', []],
  ])('list-projects with %s', async (_rule, query, who, paths) => {
    expect(await list(query, who)).toEqual(paths);
  });

  test('list-projects with id_after returns greater IDs, and with id_before lesser ones', async () => {
    expect(await list(`id_after=${own.id}`)).toEqual(['anchor']);
    expect(await list(`id_before=${Number(first['id']) + 1}`)).toEqual(['compass']);
  });

  test('list-projects with topic_id returns projects of the topic with that ID', async () => {
    const [topic] = await harness.rows('maintainer', '/topics?search=stars');

    expect(await list(`topic_id=${String(topic?.['id'])}`)).toEqual(['sextant']);
    expect(await list('topic_id=999999')).toEqual([]);
  });

  test('list-projects filters by with_issues_enabled and with_merge_requests_enabled as the caller sees them', async () => {
    expect(await list('owned=true&with_issues_enabled=true')).toEqual(['sextant']);
    expect(await list('owned=true&with_merge_requests_enabled=true')).toEqual(['sextant']);
  });

  test('list-projects filters by with_programming_language to projects that use that language', async () => {
    const languages = (await harness.row('maintainer', `${at('maintainer/sextant')}/languages`)) as Record<
      string,
      number
    >;
    const [language = ''] = Object.keys(languages);

    expect(await list(`with_programming_language=${language.toLowerCase()}`)).toContain('sextant');
    expect(await list('with_programming_language=Cobol')).toEqual([]);
  });

  test('list-projects filters by the day in marked_for_deletion_on; otherwise it lists marked projects like others', async () => {
    const today = new Date().toISOString().slice(0, 10);

    expect((await list(`marked_for_deletion_on=${today}`))[0]).toMatch(/^ferry-deletion_scheduled-\d+$/);
    expect(await list('marked_for_deletion_on=2020-01-01')).toEqual([]);
    expect((await list('')).some((path) => String(path).startsWith('ferry-deletion_scheduled'))).toBe(true);
  });

  test('list-projects returns hidden projects only to administrators who pass include_hidden', async () => {
    expect(await list('')).not.toContain('zolw');
    expect(await list('include_hidden=true')).not.toContain('zolw');
    expect(await list('include_hidden=true', 'administrator')).toContain('zolw');
  });

  test('list-projects returns projects pending deletion only to administrators who pass include_pending_delete', async () => {
    expect(await list('', 'administrator')).not.toContain('blank-slate');
    expect(await list('include_pending_delete=true')).not.toContain('blank-slate');
    expect(await list('include_pending_delete=true', 'administrator')).toContain('blank-slate');
  });

  test('list-projects ignores repository_storage and custom_attributes unless the caller is an administrator', async () => {
    const all = await list('');

    expect(await list('repository_storage=elsewhere')).toEqual(all);
    expect(await list('custom_attributes[team]=south')).toEqual(all);
  });
});

describe('list-projects rows', () => {
  const sextantRow = async (query: string, who: Account = 'maintainer') =>
    (await harness.rows(who, `/projects?search=sextant&${query}`))[0] ?? {};

  test('list-projects without a token returns public projects with simple fields, and no rows for filters by the caller', async () => {
    const rows = await harness.rows('anonymous', '/projects');

    expect(rows.map((row) => row['path'])).toEqual(['sextant', 'museum']);
    expect(rows.some((row) => 'permissions' in row || '_links' in row || 'creator_id' in row)).toBe(false);
    for (const filter of ['membership', 'owned', 'starred', 'imported']) {
      expect(await harness.rows('anonymous', `/projects?${filter}=true`)).toEqual([]);
    }
    expect(await harness.rows('anonymous', '/projects?min_access_level=10')).toEqual([]);
  });

  test('list-projects with simple returns limited fields; without a token it makes no difference', async () => {
    expect(await sextantRow('simple=true')).not.toHaveProperty('_links');
    expect(await sextantRow('simple=false')).toHaveProperty('_links');
    expect(await sextantRow('simple=false', 'anonymous')).not.toHaveProperty('_links');
  });

  test('list-projects with statistics returns them only to Reporters and above', async () => {
    expect(await sextantRow('')).not.toHaveProperty('statistics');
    expect((await sextantRow('statistics=true'))['statistics']).toMatchObject({
      storage_size: expect.any(Number) as number,
    });
    for (const [username, level] of [
      ['developer', 20],
      ['guest', 10],
    ] as const) {
      const body = { user_id: await harness.userId(username), access_level: level };
      await harness.post('maintainer', `/projects/${own.id}/members`, body);
    }
    expect(await sextantRow('statistics=true', 'developer')).toHaveProperty('statistics');
    for (const who of ['guest', 'outsider'] as const) {
      expect(await sextantRow('statistics=true', who)).not.toHaveProperty('statistics');
    }
  });

  test('list-projects applies with_custom_attributes for administrators only', async () => {
    const [row] = await harness.rows('administrator', '/projects?search=almanac&with_custom_attributes=true');

    expect(row?.['custom_attributes']).toEqual([{ key: 'team', value: 'north' }]);
    expect(await sextantRow('with_custom_attributes=true')).not.toHaveProperty('custom_attributes');
  });
});

describe('list-projects errors', () => {
  test.each([
    ['archived=maybe', 'archived is invalid'],
    ['id_after=one', 'id_after is invalid'],
    ['last_activity_after=yesterday', 'last_activity_after is invalid'],
    ['marked_for_deletion_on=soon', 'marked_for_deletion_on is invalid'],
    ['visibility=secret', 'visibility does not have a valid value'],
    ['min_access_level=7', 'min_access_level does not have a valid value'],
    ['order_by=colour', 'order_by does not have a valid value'],
    ['sort=sideways', 'sort does not have a valid value'],
  ])('list-projects returns 400 for ?%s', async (query, error) => {
    expect(await harness.send('maintainer', `/projects?${query}`)).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  test('list-projects applies updated_after and updated_before only with order_by=updated_at', async () => {
    const all = await harness.list('maintainer', '/projects');
    for (const query of ['updated_after=2999-01-01', 'updated_before=1999-01-01']) {
      expect(await harness.list('maintainer', `/projects?${query}`)).toEqual(all);
      expect(await harness.list('maintainer', `/projects?${query}&order_by=updated_at`)).toEqual([]);
    }
    expect(await harness.send('maintainer', '/projects?updated_after=yesterday')).toMatchObject({
      status: 400,
      body: { error: 'updated_after is invalid' },
    });
  });

  test('list-projects with active=true omits archived and marked projects; active=false returns the rest', async () => {
    const { id } = await harness.createProject({ name: 'Given up' });
    await harness.delete('maintainer', `/projects/${id}`);
    const ids = (query: string) => harness.list('maintainer', `/projects?${query}`, 'id');
    const [active, inactive] = [await ids('active=true'), await ids('active=false')];

    expect(inactive).toContain(id);
    expect(inactive).toEqual(expect.arrayContaining(await ids('archived=true')));
    expect(active).not.toContain(id);
    expect([...active, ...inactive].toSorted()).toEqual((await ids('')).toSorted());
  });

  test('list-projects returns 401 for an expired or revoked token', async () => {
    expect((await harness.send('expired', '/projects')).status).toBe(401);
    expect((await harness.send('revoked', '/projects')).status).toBe(401);
  });
});
