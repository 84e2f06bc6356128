import { describe, expect, test } from 'vitest';
import { at, Conformance, type Account } from '../../support/conformance.ts';

const harness = Conformance.ofFile({ projectCount: 10_001, externalUrl: 'https://gitlab.example:8443/base' });

const values = async (query: string, field: string, who: Account = 'maintainer') =>
  harness.list(who, `/projects?search=ferry&${query}`, field);

describe('list-projects order_by', () => {
  test.each(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at'])(
    'list-projects sorts by order_by=%s in both directions',
    async (order) => {
      const ascending = (await values(`order_by=${order}&sort=asc`, order)) as (string | number)[];
      const descending = (await values(`order_by=${order}&sort=desc`, order)) as (string | number)[];
      const key = (value: string | number) => (typeof value === 'string' ? value.toLowerCase() : value);
      const isRising = (rows: (string | number)[]) =>
        rows.every((value, index) => index === 0 || key(rows[index - 1] ?? '') <= key(value));

      expect(ascending).toHaveLength(100);
      expect(isRising(ascending)).toBe(true);
      expect(isRising([...descending].reverse())).toBe(true);
      expect(descending[0]).not.toBe(ascending[0]);
    },
  );

  test('list-projects sorts by created_at, newest first, by default', async () => {
    expect(await values('', 'id')).toEqual(await values('order_by=created_at&sort=desc', 'id'));
  });

  test('list-projects with search and order_by=similarity returns the best match of the caller’s memberships first', async () => {
    const rows = await harness.list('maintainer', '/projects?search=lighthouse&order_by=similarity');

    expect(rows[0]).toBe('lighthouse');
    expect(await harness.list('outsider', '/projects?search=lighthouse&order_by=similarity')).toEqual([]);
    expect(await harness.list('outsider', '/projects?search=lighthouse')).not.toEqual([]);
  });

  test.each(['repository_size', 'storage_size', 'packages_size', 'wiki_size'])(
    'list-projects sorts by order_by=%s for administrators only, and in the default order for others',
    async (order) => {
      const search = 'search=almanac-12';
      const administrators = await harness.list(
        'administrator',
        `/projects?${search}&order_by=${order}&sort=desc&statistics=true`,
        'statistics',
      );
      const sizes = (administrators as Record<string, number>[]).map((row) => row[order] ?? NaN);
      const defaultOrder = await harness.list('maintainer', `/projects?${search}`);

      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      expect(await harness.list('maintainer', `/projects?${search}&order_by=${order}`)).toEqual(defaultOrder);
    },
  );
});

describe('list-projects pages', () => {
  test('list-projects returns 20 rows per page by default, and at most 100', async () => {
    expect(await harness.rows('maintainer', '/projects?simple=true')).toHaveLength(20);
    expect(await harness.rows('maintainer', '/projects?simple=true&per_page=1000')).toHaveLength(100);
  });

  test('list-projects returns all headers of a page, with links on the configured host', async () => {
    const { headers } = await harness.send(
      'maintainer',
      '/projects?search=ferry&per_page=10&page=2&simple=true',
    );
    const expected = {
      'x-page': '2',
      'x-per-page': '10',
      'x-next-page': '3',
      'x-prev-page': '1',
      'x-total': '1250',
      'x-total-pages': '125',
    };

    for (const [name, value] of Object.entries(expected)) expect(headers.get(name), name).toBe(value);
    expect(headers.get('link')).toContain(
      '<https://gitlab.example:8443/base/api/v4/projects?search=ferry&per_page=10&page=3&simple=true>; rel="next"',
    );
  });

  test('list-projects omits the total above 10,000 rows', async () => {
    const { headers } = await harness.send('maintainer', '/projects?simple=true&per_page=1');

    expect(headers.has('x-total')).toBe(false);
    expect(headers.get('link')).not.toContain('rel="last"');
    expect(headers.get('x-next-page')).toBe('2');
  });

  test('list-projects returns 405 beyond 50,000 records by page number, and 200 exactly at that limit', async () => {
    const { status, body } = await harness.send('maintainer', '/projects?per_page=100&page=501');

    expect(status).toBe(405);
    expect((body as { error: string }).error).toMatch(
      /^Offset pagination has a maximum allowed offset of 50000/,
    );
    expect((await harness.send('maintainer', '/projects?per_page=100&page=500')).status).toBe(200);
  });

  test('list-projects supports keyset pagination only with order_by=id, in both directions, with only a next link', async () => {
    for (const [sort, key] of [
      ['asc', 'id_after'],
      ['desc', 'id_before'],
    ] as const) {
      const reply = await harness.send(
        'maintainer',
        `/projects?pagination=keyset&order_by=id&sort=${sort}&per_page=2&simple=true`,
      );
      const ids = (reply.body as { id: number }[]).map((row) => row.id);
      expect(reply.headers.has('x-page')).toBe(false);
      expect(reply.headers.get('link')).toMatch(new RegExp(`${key}=${ids[1]}\\b.*>; rel="next"$`));
    }
    expect(await harness.send('maintainer', '/projects?pagination=keyset')).toMatchObject({
      status: 405,
      body: { error: 'Keyset pagination is not yet available for this type of request' },
    });
  });

  test.each(['page=0', 'per_page=0', 'page=-1'])('list-projects returns 400 for ?%s', async (query) => {
    expect((await harness.send('maintainer', `/projects?${query}`)).status).toBe(400);
  });

  test('get-project returns links and addresses on the configured host', async () => {
    const row = await harness.row('maintainer', at('atlas/compass'));

    expect(row['web_url']).toBe('https://gitlab.example:8443/base/atlas/compass');
    expect((row['_links'] as { self: string }).self).toBe(
      `https://gitlab.example:8443/base/api/v4/projects/${String(row['id'])}`,
    );
    expect(row['ssh_url_to_repo']).toBe('git@gitlab.example:atlas/compass.git');
  });
});
