import { beforeAll, describe, expect, test } from 'vitest';
import { operations as all, type SpecifiedOperation } from '../../support/operations/operations.ts';
import { at, Conformance, type Reply, type Account } from '../../support/conformance.ts';

const harness = Conformance.ofFile();

const operations = all.filter(({ document }) => document === 1);
const named = (list: readonly SpecifiedOperation[]) =>
  list.map((operation) => [operation.id, operation] as const);
const ofProject = operations.filter(({ path }) => path.startsWith('/projects/:id'));
const moved = at('maintainer/before');
let id = 0;

beforeAll(async () => {
  id = (await harness.createProject({ name: 'Before', visibility: 'public' })).id;
  await harness.put('maintainer', `/projects/${id}`, { path: 'after' });
});

const send = (
  who: Account,
  { method, path }: SpecifiedOperation,
  project = at('atlas/compass'),
  headers: Record<string, string> = {},
): Promise<Reply> => {
  const filled = path.replace('/projects/:id', project).replace(':user_id', '1').replace(/:\w+/g, '1');
  return harness.send(who, filled, {
    method,
    headers,
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: { name: 'x' } }),
  });
};

describe('errors of every operation on projects', () => {
  test.each(named(operations))(
    '%s returns 401 for a revoked, expired or unknown token',
    async (_id, operation) => {
      expect((await send('revoked', operation)).body).toMatchObject({ error: 'invalid_token' });
      expect((await send('revoked', operation)).status).toBe(401);
      expect((await send('expired', operation)).status).toBe(401);
      const unknown = { 'PRIVATE-TOKEN': 'glpat-unknown' };
      expect((await send('anonymous', operation, at('atlas/museum'), unknown)).status).toBe(401);
    },
  );

  test.each(named(operations.filter(({ method }) => method !== 'GET')))(
    '%s returns 403 for a token with a read-only scope, and 401 without a token',
    async (_id, operation) => {
      expect(await send('readOnly', operation)).toMatchObject({
        status: 403,
        body: { error: 'insufficient_scope' },
      });
      expect((await send('anonymous', operation, at('atlas/museum'))).status).toBe(401);
    },
  );

  test.each(named(ofProject))(
    '%s returns 404 for a project that does not exist or that the caller cannot see',
    async (_id, operation) => {
      const missing = { status: 404, body: { message: '404 Project Not Found' } };

      expect(await send('maintainer', operation, at('atlas/nowhere'))).toMatchObject(missing);
      expect(await send('outsider', operation)).toMatchObject(missing);
    },
  );

  test.each(named(ofProject.filter(({ method }) => method === 'GET')))(
    '%s returns 301 for a project that was moved',
    async (_id, operation) => {
      const { status, headers } = await send('maintainer', operation, moved);

      expect(status).toBe(301);
      expect(headers.get('location')).toMatch(new RegExp(`/api/v4/projects/${id}(?:/|$)`));
    },
  );

  test.each(named(ofProject.filter(({ method }) => method !== 'GET')))(
    '%s returns 405 for a project that was moved',
    async (_id, operation) => {
      expect((await send('maintainer', operation, moved)).status).toBe(405);
    },
  );

  test.each(named(operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'per_page'))))(
    '%s returns 400 for page or per_page below 1',
    async (_id, operation) => {
      for (const page of ['page=0', 'per_page=-1']) {
        expect((await send('maintainer', { ...operation, path: `${operation.path}?${page}` })).status).toBe(
          400,
        );
      }
    },
  );
});
