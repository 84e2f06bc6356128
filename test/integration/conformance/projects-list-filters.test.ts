import { beforeAll, describe, expect, test } from 'vitest';
import { at, Conformance, type Row, type Who } from '../../support/conformance.ts';

const bench = Conformance.ofFile({ tier: 'premium' });

/** A public project of the maintainer's own with topics, made last of all. */
let own: Row & { id: number };
let first: Row;

beforeAll(async () => {
  own = await bench.made({
    name: 'Sextant',
    visibility: 'public',
    topics: ['sea', 'stars'],
    initialize_with_readme: true,
  });
  await bench.made({
    name: 'Anchor',
    topics: ['sea'],
    issues_access_level: 'disabled',
    merge_requests_enabled: false,
  });
  first = await bench.row('maintainer', at('atlas/compass'));
  await bench.post('maintainer', `/projects/${own.id}/star`);
  await bench.send('administrator', `${at('atlas/almanac')}/custom_attributes/team`, {
    method: 'PUT',
    body: { value: 'north' },
  });
  const { state } = bench.sandbox;
  state.change('atlas/almanac', { repositoryChecksumFailed: true });
  state.change('atlas/compass', { wikiChecksumFailed: true });
  state.change('borealis/zolw', { hidden: true });
  state.change('borealis/blank-slate', { pendingDelete: true });
  state.change('atlas/museum', { lastActivityAt: Date.UTC(2020, 0, 1), updatedAt: Date.UTC(2020, 0, 1) });
  await bench.delete('administrator', at('atlas/tools/ferry'));
});

const list = (query: string, who: Who = 'maintainer') => bench.list(who, `/projects?sort=asc&${query}`);

describe('list-projects filters', () => {
  test.each<[rule: string, query: string, who: Who, paths: string[]]>([
    ['archived=true: archived ones', 'archived=true&visibility=public', 'maintainer', ['museum']],
    ['archived=false: none of the archived', 'archived=false&visibility=public', 'maintainer', ['sextant']],
    ['imported: from elsewhere by the caller', 'imported=true', 'administrator', ['caravan']],
    ['imported: not by others', 'imported=true', 'maintainer', []],
    ['membership: as a member', 'membership=true', 'outsider', []],
    ['owned: explicitly owned', 'owned=true', 'maintainer', ['sextant', 'anchor']],
    ['min_access_level: minimal role', 'min_access_level=50', 'maintainer', ['sextant', 'anchor']],
    ['starred: by the caller', 'starred=true', 'maintainer', ['sextant']],
    ['starred: not by others', 'starred=true', 'developer', []],
    ['search: in the name', 'search=sext', 'maintainer', ['sextant']],
    ['search: in the description', 'search=large+files', 'maintainer', ['almanac']],
    ['search: every word', 'search=large+nowhere', 'maintainer', []],
    ['search: below three characters only whole', 'search=se', 'maintainer', []],
    ['search: not in namespaces', 'search=atlas', 'maintainer', []],
    [
      'search_namespaces: in namespaces, too',
      'search=tools&search_namespaces=true&archived=false',
      'maintainer',
      ['caravan'],
    ],
    ['topic: all of the names', 'topic=sea,stars', 'maintainer', ['sextant']],
    ['topic: one name', 'topic=Sea', 'maintainer', ['sextant', 'anchor']],
    ['visibility=internal', 'visibility=internal', 'maintainer', ['lighthouse', 'caravan']],
    ['visibility=private: what the caller may read', 'visibility=private', 'outsider', []],
    ['last_activity_before', 'last_activity_before=2021-01-01T00:00:00Z', 'maintainer', ['museum']],
    [
      'last_activity_after',
      'last_activity_after=2026-01-01T00:00:00Z&visibility=public',
      'maintainer',
      ['sextant'],
    ],
    [
      'updated_before with order_by=updated_at',
      'updated_before=2021-01-01T00:00:00Z&order_by=updated_at',
      'maintainer',
      ['museum'],
    ],
    [
      'updated_after with order_by=updated_at',
      'updated_after=2026-01-01T00:00:00Z&order_by=updated_at&visibility=public',
      'maintainer',
      ['sextant'],
    ],
    ['repository_checksum_failed', 'repository_checksum_failed=true', 'maintainer', ['almanac']],
    ['wiki_checksum_failed', 'wiki_checksum_failed=true', 'maintainer', ['compass']],
    [
      'custom_attributes[key]: by administrators',
      'custom_attributes[team]=north',
      'administrator',
      ['almanac'],
    ],
    ['repository_storage: by administrators', 'repository_storage=elsewhere', 'administrator', []],
  ])('list-projects %s', async (_rule, query, who, paths) => {
    expect(await list(query, who)).toEqual(paths);
  });

  test('list-projects id_after and id_before: IDs greater and less than', async () => {
    expect(await list(`id_after=${own.id}`)).toEqual(['anchor']);
    expect(await list(`id_before=${Number(first['id']) + 1}`)).toEqual(['compass']);
  });

  test('list-projects topic_id: the topic with this id', async () => {
    const [topic] = await bench.rows('maintainer', '/topics?search=stars');

    expect(await list(`topic_id=${String(topic?.['id'])}`)).toEqual(['sextant']);
    expect(await list('topic_id=999999')).toEqual([]);
  });

  test('list-projects with_issues_enabled, with_merge_requests_enabled: only where the caller sees them', async () => {
    expect(await list('owned=true&with_issues_enabled=true')).toEqual(['sextant']);
    expect(await list('owned=true&with_merge_requests_enabled=true')).toEqual(['sextant']);
  });

  test('list-projects with_programming_language: projects that use it', async () => {
    const languages = (await bench.row('maintainer', `${at('maintainer/sextant')}/languages`)) as Record<
      string,
      number
    >;
    const [language = ''] = Object.keys(languages);

    expect(await list(`with_programming_language=${language.toLowerCase()}`)).toContain('sextant');
    expect(await list('with_programming_language=Cobol')).toEqual([]);
  });

  test('list-projects marked_for_deletion_on: the day of the mark; marked ones are listed like others', async () => {
    const today = new Date().toISOString().slice(0, 10);

    expect((await list(`marked_for_deletion_on=${today}`))[0]).toMatch(/^ferry-deletion_scheduled-\d+$/);
    expect(await list('marked_for_deletion_on=2020-01-01')).toEqual([]);
    expect((await list('')).some((path) => String(path).startsWith('ferry-deletion_scheduled'))).toBe(true);
  });

  test('list-projects include_hidden: administrators only', async () => {
    expect(await list('')).not.toContain('zolw');
    expect(await list('include_hidden=true')).not.toContain('zolw');
    expect(await list('include_hidden=true', 'administrator')).toContain('zolw');
  });

  test('list-projects include_pending_delete: administrators only', async () => {
    expect(await list('', 'administrator')).not.toContain('blank-slate');
    expect(await list('include_pending_delete=true')).not.toContain('blank-slate');
    expect(await list('include_pending_delete=true', 'administrator')).toContain('blank-slate');
  });

  test('list-projects repository_storage, custom_attributes: without effect for anybody but administrators', async () => {
    const all = await list('');

    expect(await list('repository_storage=elsewhere')).toEqual(all);
    expect(await list('custom_attributes[team]=south')).toEqual(all);
  });
});

describe('list-projects what a row holds', () => {
  const one = async (query: string, who: Who = 'maintainer') =>
    (await bench.rows(who, `/projects?search=sextant&${query}`))[0] ?? {};

  test('list-projects without a token: public ones with simple fields, and no list of one’s own', async () => {
    const rows = await bench.rows('anonymous', '/projects');

    expect(rows.map((row) => row['path'])).toEqual(['sextant', 'museum']);
    expect(rows.some((row) => 'permissions' in row || '_links' in row || 'creator_id' in row)).toBe(false);
    for (const filter of ['membership', 'owned', 'starred', 'imported']) {
      expect(await bench.rows('anonymous', `/projects?${filter}=true`)).toEqual([]);
    }
    expect(await bench.rows('anonymous', '/projects?min_access_level=10')).toEqual([]);
  });

  test('list-projects simple: limited fields; a no-op without a token', async () => {
    expect(await one('simple=true')).not.toHaveProperty('_links');
    expect(await one('simple=false')).toHaveProperty('_links');
    expect(await one('simple=false', 'anonymous')).not.toHaveProperty('_links');
  });

  test('list-projects statistics: at least reporters', async () => {
    expect(await one('')).not.toHaveProperty('statistics');
    expect((await one('statistics=true'))['statistics']).toMatchObject({
      storage_size: expect.any(Number) as number,
    });
    expect(await one('statistics=true', 'outsider')).not.toHaveProperty('statistics');
  });

  test('list-projects with_custom_attributes: administrators only', async () => {
    const [row] = await bench.rows('administrator', '/projects?search=almanac&with_custom_attributes=true');

    expect(row?.['custom_attributes']).toEqual([{ key: 'team', value: 'north' }]);
    expect(await one('with_custom_attributes=true')).not.toHaveProperty('custom_attributes');
  });
});

describe('list-projects refusals', () => {
  test.each([
    ['archived=maybe', 'archived is invalid'],
    ['id_after=one', 'id_after is invalid'],
    ['last_activity_after=yesterday', 'last_activity_after is invalid'],
    ['marked_for_deletion_on=soon', 'marked_for_deletion_on is invalid'],
    ['visibility=secret', 'visibility does not have a valid value'],
    ['min_access_level=7', 'min_access_level does not have a valid value'],
    ['order_by=colour', 'order_by does not have a valid value'],
    ['sort=sideways', 'sort does not have a valid value'],
  ])('list-projects 400 for ?%s', async (query, error) => {
    expect(await bench.send('maintainer', `/projects?${query}`)).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  test('list-projects updated_after and updated_before are effective in the order of updated_at only', async () => {
    const all = await bench.list('maintainer', '/projects');
    for (const query of ['updated_after=2999-01-01', 'updated_before=1999-01-01']) {
      expect(await bench.list('maintainer', `/projects?${query}`)).toEqual(all);
      expect(await bench.list('maintainer', `/projects?${query}&order_by=updated_at`)).toEqual([]);
    }
    expect(await bench.send('maintainer', '/projects?updated_after=yesterday')).toMatchObject({
      status: 400,
      body: { error: 'updated_after is invalid' },
    });
  });

  test('list-projects active: neither archived nor marked for deletion; its contrary is the rest', async () => {
    const { id } = await bench.made({ name: 'Given up' });
    await bench.delete('maintainer', `/projects/${id}`);
    const ids = (query: string) => bench.list('maintainer', `/projects?${query}`, 'id');
    const [active, inactive] = [await ids('active=true'), await ids('active=false')];

    expect(inactive).toContain(id);
    expect(inactive).toEqual(expect.arrayContaining(await ids('archived=true')));
    expect(active).not.toContain(id);
    expect([...active, ...inactive].toSorted()).toEqual((await ids('')).toSorted());
  });

  test('list-projects 401 for a token that is no longer good', async () => {
    expect((await bench.send('expired', '/projects')).status).toBe(401);
    expect((await bench.send('revoked', '/projects')).status).toBe(401);
  });
});
