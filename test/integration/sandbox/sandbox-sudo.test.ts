import { describe, expect, test } from 'vitest';
import { Conformance, type Row, type RequestOptions } from '../../support/conformance.ts';

const conformance = Conformance.ofFile();
const withoutExpiry = Conformance.ofFile({ projectCount: 0, tokensMustExpire: false });

const whoIs = async (path: string, sent: RequestOptions = {}): Promise<unknown> => {
  const { status, body } = await conformance.send('administrator', path, sent);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as Row)['username'];
};

describe('an administrator acts as another user', () => {
  test('by header or query, with a username in any case or an id', async () => {
    const id = await conformance.userId('guest');

    expect(await whoIs('/user')).toBe('root');
    for (const sudo of ['guest', 'GUEST', String(id)]) {
      expect(await whoIs(`/user?sudo=${sudo}`)).toBe('guest');
      expect(await whoIs('/user', { headers: { Sudo: sudo } })).toBe('guest');
    }
  });

  test('with exactly the permissions of that user', async () => {
    const hidden = await conformance.send('administrator', '/projects/atlas%2Fcompass?sudo=outsider');
    const edit = await conformance.put('administrator', '/projects/atlas%2Fcompass?sudo=developer', {
      name: 'x',
    });

    expect(hidden).toMatchObject({ status: 404, body: { message: '404 Project Not Found' } });
    expect(edit.status).toBe(403);
    expect(await conformance.list('administrator', '/projects?membership=true&sudo=outsider')).toEqual([]);
  });

  test.each([
    ['in a JSON body', (sudo: string) => ({ name: `By ${sudo} JSON`, sudo })],
    ['in a form', (sudo: string) => new URLSearchParams({ name: `By ${sudo} form`, sudo })],
  ])('to create a project that this user owns, with sudo %s', async (_where, body) => {
    expect(await conformance.post('administrator', '/projects', body('outsider'))).toMatchObject({
      status: 201,
      body: { owner: { username: 'outsider' } },
    });
  });

  test('to import, export and upload in the name of that user', async () => {
    const path = '/projects/atlas%2Fcompass';
    const form = new FormData();
    form.set('file', new File(['text'], 'a.txt'));
    expect((await conformance.post('administrator', `${path}/uploads?sudo=developer`, form)).status).toBe(
      201,
    );
    const [upload] = await conformance.rows('administrator', `${path}/uploads`);
    expect(upload).toMatchObject({ uploaded_by: { username: 'developer' } });

    await conformance.send('administrator', `${path}/export`, {
      method: 'POST',
      headers: { Sudo: 'maintainer' },
    });
    const state = async () => (await conformance.row('maintainer', `${path}/export`))['export_status'];
    await expect.poll(state, { interval: 5 }).toBe('finished');
    expect((await conformance.row('administrator', `${path}/export`))['export_status']).toBe('none');

    const archive = new FormData();
    archive.set('path', 'imported');
    archive.set('file', new File(['no archive'], 'a.tar.gz'));
    expect(await conformance.post('administrator', '/projects/import?sudo=developer', archive)).toMatchObject(
      {
        status: 201,
        body: { path_with_namespace: 'developer/imported' },
      },
    );
    const { creatorId } = await conformance.sandbox.state.project('developer/imported');
    expect(creatorId).toBe(await conformance.userId('developer'));
  });

  test('while the token remains the administrator’s own', async () => {
    expect(await conformance.row('administrator', '/personal_access_tokens/self?sudo=guest')).toMatchObject({
      name: 'administrator',
    });
    expect(await conformance.list('administrator', '/personal_access_tokens?sudo=guest', 'name')).toEqual([
      'guest',
    ]);
  });

  test('but not without administrator rights, not without the scope sudo, and not as an unknown or blocked user', async () => {
    const refused = async (user: 'maintainer' | 'anonymous' | 'administrator', sudo: string) => {
      const { status, body } = await conformance.send(user, `/user?sudo=${sudo}`);
      return [status, (body as { message: string }).message];
    };
    const { body } = await conformance.post('administrator', '/users/1/personal_access_tokens', {
      name: 'api alone',
      scopes: ['api'],
    });
    const headers = { 'PRIVATE-TOKEN': String((body as Row)['token']), Sudo: 'guest' };

    expect(await refused('maintainer', 'guest')).toEqual([403, '403 Forbidden - Must be admin to use sudo']);
    expect(await refused('anonymous', 'guest')).toEqual([401, '401 Unauthorized']);
    expect(await refused('administrator', 'nobody')).toEqual([
      404,
      "404 User with ID or username 'nobody' Not Found",
    ]);
    expect(await refused('administrator', 'blocked')).toEqual([
      403,
      '403 Forbidden - Your account has been blocked.',
    ]);
    expect(await conformance.send('anonymous', '/user', { headers })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'sudo' },
    });
  });
});

test('a token without an expiry date is valid, is listed, and matches no filter by expiry date', async () => {
  const { status, body } = await withoutExpiry.post('administrator', '/users/1/personal_access_tokens', {
    name: 'for ever',
    scopes: ['api'],
  });
  const { token, ...record } = body as Row;
  const headers = { 'PRIVATE-TOKEN': String(token) };

  expect([status, record['expires_at'], record['active']]).toEqual([201, null, true]);
  expect(await withoutExpiry.send('anonymous', '/user', { headers })).toMatchObject({ status: 200 });
  expect(
    await withoutExpiry.list('administrator', '/personal_access_tokens?sort=expires_desc', 'name'),
  ).toContain('for ever');
  expect(
    await withoutExpiry.list('administrator', '/personal_access_tokens?expires_before=2999-01-01', 'name'),
  ).not.toContain('for ever');
  const used = await withoutExpiry.row('administrator', `/personal_access_tokens/${String(record['id'])}`);
  expect(used['last_used_ips']).toEqual(['127.0.0.1']);
});
