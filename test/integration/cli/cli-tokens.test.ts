/** @file `packhorse token …`, and the requests that `job log` and `instance show` print. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src-main/services/sandbox/embedded-sandbox.ts';
import { hasKeychainLibrary } from '../../support/keychain/keychain-session.ts';
import { Cli, tokenOption } from '../../support/processes/cli.ts';
import { filesContaining, encodingsOf } from '../../support/secret-search.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
let sandbox: Sandbox;
let env: Record<string, string>;

beforeEach(async () => {
  cli = new Cli();
  sandbox = await openTestSandbox();
  await cli.add('source', sandbox);
  ({ env } = tokenOption('source', sandbox.tokens.maintainer));
});

const on = ['--instance', 'source'];
interface Listed {
  tokens: { id: number; name: string; slot: string | null }[];
  more: boolean;
}

test('tokens are listed by filters, and the token in use is marked', async () => {
  const all = await cli.run(['token', 'list', ...on], { env });
  expect(all.code).toBe(0);
  expect(all.stdout).toMatch(/maintainer +active +\d{4}-\d\d-\d\d .* in use/);
  const { document } = await cli.json(['token', 'list', ...on, '--state', 'active', '--search', 'spare'], {
    env,
  });
  expect((document as Listed).tokens.map(({ name }) => name)).toEqual(['spare']);
  const two = await cli.json(['token', 'list', ...on, '--limit', '2'], { env });
  expect(two.document as Listed).toMatchObject({ tokens: [{}, {}], more: true });
  const none = { code: 'invalid-input', exit: 2, todo: /./ };
  await cli.fails(['token', 'list', ...on, '--created-after', 'yesterday'], none, { env });
  expect(cli.output).not.toContain(sandbox.tokens.maintainer);
});

test('an administrator lists the tokens of a user by the username', async () => {
  const administrator = tokenOption('source', sandbox.tokens.administrator);
  const { document } = await cli.json(['token', 'list', ...on, '--user', 'developer'], administrator);
  const { tokens } = document as Listed;
  expect(tokens.length).toBeGreaterThan(0);
  expect(new Set(tokens.map(({ name }) => name))).not.toContain('maintainer');
});

test('a token is shown, and is revoked after a confirmation, and the job log contains the request', async () => {
  const shown = await cli.json(['token', 'list', ...on, '--search', 'self-rotate'], { env });
  const id = String((shown.document as Listed).tokens[0]?.id);
  expect((await cli.run(['token', 'show', id, ...on], { env })).stdout).toContain('self_rotate');
  expect((await cli.run(['token', 'show', ...on], { env })).stdout).toContain('(in use)');
  await cli.fails(['token', 'revoke', id, ...on], { code: 'invalid-input', exit: 2, todo: /./ }, { env });
  const revoked = await cli.json(['token', 'revoke', id, ...on, '--yes'], { env });
  expect(revoked).toMatchObject({ code: 0, document: { action: 'revoke', id: Number(id), slot: null } });
  const { job } = revoked.document as { job: string };
  const log = await cli.run(['job', 'log', job]);
  expect(log.stdout).toMatch(new RegExp(`DELETE +/personal_access_tokens/${id} +204`));
  expect((await cli.run(['instance', 'show', 'source'])).stdout).toContain(`/personal_access_tokens/${id}`);
});

test('a token from the environment is not rotated, and the reason is reported', async () => {
  const refused = { code: 'rotation-refused', exit: 1, todo: /./ };
  const { what } = await cli.fails(['token', 'rotate', ...on], refused, { env });
  expect(what).toContain('The token comes from an environment variable');
  expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a rotation with an expiry day that is not a date is wrong usage', async () => {
  const expired = ['token', 'rotate', ...on, '--expires-on', 'tomorrow'];
  const error = await cli.fails(expired, { code: 'invalid-input', exit: 2, todo: /./ }, { env });
  expect(error.what).toMatch(/--expires-on.*YYYY-MM-DD/);
});

test('a warning precedes the revocation of the token in use', async () => {
  const shown = await cli.json(['token', 'show', ...on], { env });
  const { id } = shown.document as { id: number };
  const { code, stderr } = await cli.run(['token', 'revoke', String(id), ...on], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('This is the token in use')]);
});

test('without an available token nothing is rotated or revoked, and no job remains', async () => {
  const code = hasKeychainLibrary() ? 'keychain-unreachable' : 'keychain-missing';
  const missing = { code, exit: 4, todo: /PACKHORSE_TOKEN_SOURCE/ };
  const { what } = await cli.fails(['token', 'rotate', ...on], missing);
  expect(what).toMatch(/^No token is available[^]* the variable PACKHORSE_TOKEN_SOURCE is not set, and /);
  await cli.fails(['token', 'revoke', '1', ...on, '--yes'], missing);
  expect(await cli.json(['job', 'list'])).toMatchObject({ document: { jobs: [] } });
});

test('a spare token is stored only in a keychain', async () => {
  const options = { env, stdin: `${sandbox.tokens.spare}\n` };
  const { code, stderr } = await cli.run(['token', 'spare', 'set', ...on, '--token-stdin'], options);
  expect([code, /keychain/i.test(stderr)]).toEqual([4, true]);
  await cli.fails(['token', 'spare', 'set', ...on], { code: 'invalid-input', exit: 2, todo: /./ }, { env });
});

test('an instance is added without an account, and changed', async () => {
  const added = await cli.run([
    ...['instance', 'add', 'public', sandbox.url, '--pace', 'sandbox', '--anonymous'],
  ]);
  expect([added.code, added.stdout.includes('account      none')]).toEqual([0, true]);
  const changed = await cli.json(['instance', 'change', 'source', '--read-only']);
  expect(changed).toMatchObject({ code: 0, document: { readOnly: true, rotateDaysBefore: null } });
  const automatic = ['instance', 'change', 'source', '--rotate-days-before', '14'];
  const error = await cli.fails(automatic, { code: 'rotation-refused', exit: 1, todo: /./ });
  expect(error.what).toContain('A new token could not be stored');
  const back = ['instance', 'change', 'source', '--no-read-only', '--no-rotate-days-before'];
  expect(await cli.json(back)).toMatchObject({ document: { readOnly: false, rotateDaysBefore: null } });
});

describe('a token outside of the keychain', () => {
  const idOf = async (name: string): Promise<number> => {
    const { document } = await cli.json(['token', 'list', ...on, '--state', 'active', '--search', name], {
      env,
    });
    return (document as Listed).tokens[0]?.id ?? 0;
  };

  test('is rotated by its id into a new file that only its owner can read', async () => {
    const id = await idOf('spare');
    const rotated = await cli.json(['token', 'rotate', `${id}`, ...on, '--to-file', 'new-token', '--yes'], {
      env,
    });
    expect(rotated).toMatchObject({ code: 0, document: { action: 'hand-over', oldId: id } });
    const path = join(cli.folder, 'new-token');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { newId } = rotated.document as { newId: number };
    const shown = await cli.json(['token', 'show', ...on, '--token-file', 'new-token']);
    expect(shown).toMatchObject({ code: 0, document: { id: newId } });
    expect(cli.output).not.toContain(readFileSync(path, 'utf8').trim());
    expect(filesContaining(cli.folder, encodingsOf(readFileSync(path, 'utf8').trim()))).toEqual([path]);
  });

  test('can be the token in use from the environment, and its rotation revokes the old token at once', async () => {
    const rotated = await cli.run(['token', 'rotate', ...on, '--to-file', 'mine', '--yes'], { env });
    expect(rotated, rotated.stderr).toMatchObject({ code: 0 });
    await cli.fails(['token', 'show', ...on], { code: 'token-revoked', exit: 4, todo: /./ }, { env });
    expect((await cli.run(['token', 'show', ...on, '--token-file', 'mine'])).code).toBe(0);
  });

  test('is not rotated without a place for the new token, without a confirmation, or if the file exists', async () => {
    const id = `${await idOf('self-rotate')}`;
    const refused = { code: 'invalid-input', exit: 2, todo: /./ };
    await cli.fails(['token', 'rotate', id, ...on], refused, { env });
    await cli.fails(['token', 'rotate', id, ...on, '--show', '--yes'], refused, { env });
    await cli.fails(['token', 'rotate', id, ...on, '--to-file', 'unasked'], refused, { env });
    writeFileSync(join(cli.folder, 'there'), 'mine');
    await cli.fails(['token', 'rotate', id, ...on, '--to-file', 'there', '--yes'], refused, { env });
    expect(readFileSync(join(cli.folder, 'there'), 'utf8')).toBe('mine');
    expect(existsSync(join(cli.folder, 'unasked'))).toBe(false);
    expect(sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('is rotated only once if the reply is lost, and the new token is named by its id', async () => {
    const id = await idOf('spare');
    sandbox.faults.add({
      match: { method: 'POST', path: `/${id}/rotate` },
      action: { kind: 'lose-reply' },
    });
    const command = ['token', 'rotate', `${id}`, ...on, '--to-file', 'lost', '--yes'];
    const { what, todo } = await cli.fails(
      command,
      { code: 'rotation-lost', exit: 1, todo: /Rotate the new one/ },
      { env },
    );
    expect(what).toContain(`replaced the token ${id}`);
    const newId = await idOf('spare');
    expect(todo).toContain(`(id ${newId})`);
    expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(existsSync(join(cli.folder, 'lost'))).toBe(false);
  });
});
