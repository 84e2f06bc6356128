import { describe, expect, test } from 'vitest';
import { z } from '../../../src-contract/schema.ts';
import { countOf, keysetPages, offsetPages } from '../../../src-main/gitlab/http/pages.ts';
import { highestProjectId, listProjects } from '../../../src-main/gitlab/projects/projects.ts';
import { collect, failureOf, testClient } from '../../support/servers/instance-client.ts';
import { type Script, scriptedServer } from '../../support/servers/scripted-server.ts';

const record = z.object({ id: z.number() });
const records = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, extra: 'x' }));

const idsOf = async (pages: AsyncIterable<Array<{ id: number }>>) =>
  (await collect(pages)).flat().map(({ id }) => id);

/** Serves GitLab's offset pages over `total` records; `headers` may remove or change headers. */
const offsetServer =
  (total: number, headers: (page: number, last: number) => Record<string, string>): Script =>
  ({ query }, reply) => {
    const perPage = Number(query.get('per_page'));
    const page = Number(query.get('page') ?? 1);
    const from = (page - 1) * perPage;
    const last = Math.max(1, Math.ceil(total / perPage));
    reply.json(200, records(from, Math.max(0, Math.min(perPage, total - from))), headers(page, last));
  };

const nextPage = (page: number, last: number) => ({ 'x-next-page': page < last ? String(page + 1) : '' });

describe('pages by number', () => {
  test.each([
    ['X-Next-Page', nextPage],
    [
      'a Link that names another host',
      (page: number, last: number): Record<string, string> =>
        page < last
          ? {
              link:
                `<http://127.0.0.1:1/wrong?page=1>; rel="first", ` +
                `<http://127.0.0.1:1/wrong/base/x?per_page=100&page=${page + 1}>; rel="next"`,
            }
          : { link: '<http://127.0.0.1:1/wrong?page=1>; rel="first"' },
    ],
    ['full pages if no header exists', () => ({})],
  ])("are followed by %s, on the instance's own address", async (_, headers) => {
    for (const total of [0, 1, 99, 100, 101, 250]) {
      const server = await scriptedServer(offsetServer(total, headers));

      const ids = await idsOf(offsetPages(testClient(server.url), 'things', record));

      expect(ids).toEqual(records(0, total).map(({ id }) => id));
      expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/api/v4/things']));
    }
  });

  test.each([
    ['the same page', () => ({ 'x-next-page': '1' })],
    ['an earlier page', (page: number) => ({ 'x-next-page': String(page === 2 ? 1 : 2) })],
  ])('that lead to %s again are an error, not an endless list', async (_, headers) => {
    const server = await scriptedServer(offsetServer(1000, headers));

    const failure = await failureOf(idsOf(offsetPages(testClient(server.url), 'things', record)));

    expect(failure.code).toBe('unexpected-response');
    expect(server.requests.length).toBeLessThan(4);
  });

  test('that repeat the same records are an error, even if each names a next page', async () => {
    const server = await scriptedServer(({ query }, reply) => {
      const page = Number(query.get('page'));
      reply.json(200, records(0, 100), { 'x-next-page': String(page + 1) });
    });

    const failure = await failureOf(idsOf(offsetPages(testClient(server.url), 'things', record)));

    expect(failure.code).toBe('unexpected-response');
    expect(server.requests).toHaveLength(2);
  });

  test('that continue far beyond the reported total are an error', async () => {
    const server = await scriptedServer(({ query }, reply) => {
      const page = Number(query.get('page'));
      reply.json(200, records(100 * page, 100), { 'x-next-page': String(page + 1), 'x-total': '150' });
    });

    const failure = await failureOf(idsOf(offsetPages(testClient(server.url), 'things', record)));

    expect(failure.code).toBe('unexpected-response');
    expect(failure.message).toMatch(/has no end after 1400 records/);
  });

  test('of records without IDs may be equal and still count separately', async () => {
    const server = await scriptedServer(({ query }, reply) => {
      const page = Number(query.get('page'));
      reply.json(200, Array(100).fill({ name: 'x' }), { 'x-next-page': page < 3 ? String(page + 1) : '' });
    });
    expect(await countOf(testClient(server.url), 'things')).toBe(300);
  });

  test('end at an empty page whatever the headers say', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, [], { 'x-next-page': '2' });
    });

    expect(await idsOf(offsetPages(testClient(server.url), 'things', record))).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('pages by ID', () => {
  /** Serves pages like GitLab: the last page with records links to an empty one without a link. */
  const keysetServer =
    (ids: number[]): Script =>
    ({ query }, reply) => {
      const after = Number(query.get('id_after') ?? 0);
      const page = ids.filter((id) => id > after).slice(0, Number(query.get('per_page')));
      const next = new URLSearchParams(query);
      next.set('id_after', String(page.at(-1)));
      reply.json(
        200,
        page.map((id) => ({ id })),
        page.length === 0
          ? {}
          : { link: `<https://elsewhere.example/api/v4/things?${next.toString()}>; rel="next"` },
      );
    };

  test('keep every filter and end at the empty page', async () => {
    const ids = Array.from({ length: 230 }, (_, index) => index * 3 + 1);
    const server = await scriptedServer(keysetServer(ids));
    const pages = keysetPages(testClient(server.url), 'things', record, { query: { membership: true } });

    expect(await idsOf(pages)).toEqual(ids);
    expect(server.requests).toHaveLength(4);
    for (const { query } of server.requests) {
      expect(Object.fromEntries(query)).toMatchObject({
        pagination: 'keyset',
        order_by: 'id',
        membership: 'true',
      });
    }
  });

  test('end at an empty page, even if it has a next link', async () => {
    const server = await scriptedServer(({ query }, reply) => {
      const after = Number(query.get('id_after') ?? 0);
      reply.json(200, [], { link: `<http://x/?id_after=${after + 1}>; rel="next"` });
    });

    expect(await idsOf(keysetPages(testClient(server.url), 'things', record))).toEqual([]);
    // The client requests the page after the empty one before it knows that one to be empty.
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  test('the next page is requested while the current one is still arriving', async () => {
    const secondRequested = Promise.withResolvers<undefined>();
    const server = await scriptedServer(async ({ query }, { response, json }) => {
      if (query.get('id_after') !== null) {
        secondRequested.resolve(undefined);
        json(200, []);
        return;
      }
      response.writeHead(200, {
        'content-type': 'application/json',
        link: '<http://x/?id_after=1>; rel="next"',
      });
      response.write('[{"id":');
      await secondRequested.promise;
      response.end('1}]');
    });

    expect(await idsOf(keysetPages(testClient(server.url), 'things', record))).toEqual([1]);
  });

  test('no page is requested before the caller used the page two before it', async () => {
    const order: string[] = [];
    const respond = keysetServer(records(1, 500).map(({ id }) => id));
    const server = await scriptedServer((request, reply) => {
      order.push(`asked ${Number(request.query.get('id_after') ?? 0) + 1}`);
      return respond(request, reply);
    });

    for await (const page of keysetPages(testClient(server.url), 'things', record)) {
      await expect.poll(() => order).toContain(`asked ${(page.at(-1)?.id ?? 0) + 1}`);
      order.push(`used ${String(page[0]?.id)}`);
    }

    expect(order).toEqual(
      [1, 101, 201, 301, 401].reduce(
        (expected, from) => [...expected, `asked ${from + 100}`, `used ${from}`],
        ['asked 1'],
      ),
    );
  });

  test('stopping early cancels the pending request', async () => {
    const cancelled = Promise.withResolvers<undefined>();
    const server = await scriptedServer(({ query, stream }, reply) => {
      if (query.get('id_after') === null) {
        reply.json(200, [{ id: 1 }], { link: '<http://x/?id_after=1>; rel="next"' });
      } else {
        stream.once('close', () => {
          cancelled.resolve(undefined);
        });
      }
    });

    for await (const page of keysetPages(testClient(server.url), 'things', record)) {
      expect(page).toEqual([{ id: 1 }]);
      await expect.poll(() => server.requests.length).toBe(2);
      break;
    }

    await cancelled.promise;
    expect(server.requests).toHaveLength(2);
  });

  test('a page that fails throws in its turn, after the pages before it', async () => {
    const server = await scriptedServer(({ query }, reply) => {
      if (query.get('id_after') === null) {
        reply.json(200, [{ id: 1 }], { link: '<http://x/?id_after=1>; rel="next"' });
      } else reply.json(500, {});
    });
    const seen: number[] = [];

    const failure = await failureOf(
      (async () => {
        for await (const page of keysetPages(testClient(server.url), 'things', record)) {
          await expect.poll(() => server.requests.length).toBe(2);
          seen.push(...page.map(({ id }) => id));
        }
      })(),
    );

    expect(seen).toEqual([1]);
    expect(failure.code).toBe('server-error');
  });

  test('that lead to the same place again are an error', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, [{ id: 1 }], { link: '<http://x/?id_after=1>; rel="next"' });
    });

    expect((await failureOf(idsOf(keysetPages(testClient(server.url), 'things', record)))).code).toBe(
      'unexpected-response',
    );
  });

  test('no project is lost or listed twice while others are added and removed', async () => {
    const present = Array.from({ length: 500 }, (_, index) => index * 2 + 1);
    const stay = present.filter((id) => id % 3 === 0);
    const ids = [...present];
    let next = 2000;
    const pages = keysetServer(ids);
    const server = await scriptedServer((request, reply) => {
      void pages(request, reply);
      if (server.requests.length > 4) return;
      // In each turn some records are removed and some added.
      for (let turn = 0; turn < 20; turn += 1) {
        ids.splice(
          ids.findIndex((id) => id % 3 !== 0),
          1,
        );
        ids.push((next += 1));
      }
    });

    const seen = await idsOf(keysetPages(testClient(server.url), 'things', record));

    expect(seen).toEqual(expect.arrayContaining(stay));
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('a count', () => {
  test('is read from X-Total, with one small request', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, [{ id: 1 }], { 'x-total': '4711' });
    });

    expect(await countOf(testClient(server.url), 'things')).toBe(4711);
    expect(server.requests[0]?.query.get('per_page')).toBe('1');
    expect(server.requests).toHaveLength(1);
  });

  test('is found by paging if X-Total is absent', async () => {
    for (const total of [0, 1, 100, 230]) {
      const server = await scriptedServer(offsetServer(total, nextPage));

      expect(await countOf(testClient(server.url), 'things')).toBe(total);
    }
  });
});

describe('lists of projects', () => {
  const project = (id: number) => ({
    id,
    name: `n${id}`,
    path_with_namespace: `g/n${id}`,
    web_url: `http://x/g/n${id}`,
  });

  test("contain the caller's memberships by default, and tolerate unknown and missing fields", async () => {
    const server = await scriptedServer(({ query }, reply) => {
      if (query.has('id_after')) reply.json(200, []);
      else {
        reply.json(
          200,
          [
            project(1),
            {
              ...project(2),
              new_field: { deep: [1] },
              permissions: {
                project_access: { access_level: 30 },
                group_access: { access_level: 40, notification_level: 3 },
              },
              description: 'd',
              archived: true,
              empty_repo: true,
              creator_id: 9,
              import_status: 'finished',
            },
          ],
          { link: '<x?id_after=2>; rel="next"' },
        );
      }
    });

    const found = await collect(listProjects(testClient(server.url)));

    expect(found[0]).toMatchObject({ id: 1, fullPath: 'g/n1', accessLevel: null, archived: false });
    expect(found[1]).toMatchObject({ accessLevel: 40, archived: true, emptyRepository: true, creatorId: 9 });
    expect(server.requests[0]?.query.get('membership')).toBe('true');
  });

  test('pass the filters on', async () => {
    const server = await scriptedServer((_, reply) => {
      reply.json(200, []);
    });
    const filter = { membership: false, search: 'a&b', minAccessLevel: 40, archived: false };

    await collect(listProjects(testClient(server.url), filter));

    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toMatchObject({
      membership: 'false',
      search: 'a&b',
      min_access_level: '40',
      archived: 'false',
    });
  });

  test('have the newest ID as the watermark, or 0 without a project', async () => {
    const ids = [42];
    const server = await scriptedServer((_, reply) => {
      reply.json(200, ids.map(project));
    });
    const client = testClient(server.url);

    expect(await highestProjectId(client)).toBe(42);
    ids.pop();
    expect(await highestProjectId(client)).toBe(0);
    expect(server.requests[0]?.query.toString()).toBe('order_by=id&sort=desc&per_page=1');
  });
});
