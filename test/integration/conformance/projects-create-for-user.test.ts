import { describe, expect, test } from 'vitest';
import { Conformance } from '../../support/conformance.ts';

const harness = Conformance.ofFile();

describe('create-project-for-user', () => {
  test('create-project-for-user returns 201 and makes the given user the owner and creator', async () => {
    const id = await harness.userId('outsider');
    const { status, body } = await harness.post('administrator', `/projects/user/${id}`, {
      name: 'A gift',
      merge_commit_template: 'given',
      enforce_auth_checks_on_uploads: false,
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      path_with_namespace: 'outsider/a-gift',
      owner: { username: 'outsider' },
      creator_id: id,
      merge_commit_template: 'given',
      enforce_auth_checks_on_uploads: false,
    });
  });

  test('create-project-for-user requires a name; a path is not enough', async () => {
    expect(
      await harness.post('administrator', `/projects/user/${await harness.userId('guest')}`, { path: 'x' }),
    ).toMatchObject({
      status: 400,
      body: { error: 'name is missing' },
    });
  });

  test('create-project-for-user ignores attributes that only other operations accept', async () => {
    const id = await harness.userId('outsider');
    const body = {
      name: 'Less',
      merge_trains_enabled: true,
      container_expiration_policy_attributes: { keep_n: 1 },
    };

    expect((await harness.post('administrator', `/projects/user/${id}`, body)).body).toMatchObject({
      merge_trains_enabled: false,
      container_expiration_policy: { keep_n: 10 },
    });
  });

  test('create-project-for-user returns 403 unless the caller is an administrator, and 404 for an unknown user', async () => {
    expect((await harness.post('maintainer', '/projects/user/1', { name: 'x' })).status).toBe(403);
    expect(await harness.post('administrator', '/projects/user/999999', { name: 'x' })).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  });
});
