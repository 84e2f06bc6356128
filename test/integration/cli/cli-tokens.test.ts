/** @file `packhorse token …`, and what `job log` and `instance show` tell of requests. */
import { beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../../../src-main/app/practice/embedded-sandbox.ts';
import { Cli, tokenOf } from '../../support/processes/cli.ts';
import { openTestSandbox } from '../../support/world.ts';

let cli: Cli;
let sandbox: Sandbox;
let env: Record<string, string>;

beforeEach(async () => {
  cli = new Cli();
  sandbox = await openTestSandbox();
  await cli.add('source', sandbox);
  ({ env } = tokenOf('source', sandbox.tokens.maintainer));
});

const on = ['--instance', 'source'];
interface Listed {
  tokens: { id: number; name: string; slot: string | null }[];
  more: boolean;
}

test('tokens are listed by their filters, and the one in use is named', async () => {
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

test('a token is shown, and revoked once that was confirmed; the request is kept with the job', async () => {
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

test('a token from the environment is not rotated, and it is said why', async () => {
  await cli.fails(['token', 'rotate', ...on], { code: 'rotation-refused', exit: 1, todo: /./ }, { env });
  const expired = ['token', 'rotate', ...on, '--expires-on', 'tomorrow'];
  const error = await cli.fails(expired, { code: 'invalid-input', exit: 2, todo: /./ }, { env });
  expect(error.what).toMatch(/--expires-on.*YYYY-MM-DD/);
});

test('before the token in use is revoked it is said what that means', async () => {
  const shown = await cli.json(['token', 'show', ...on], { env });
  const { id } = shown.document as { id: number };
  const { code, stderr } = await cli.run(['token', 'revoke', String(id), ...on], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('This is the token in use')]);
});

test('without a token at hand nothing is replaced or revoked, and no job stays behind', async () => {
  const missing = { code: 'keychain-unreachable', exit: 4, todo: /PACKHORSE_TOKEN_SOURCE/ };
  await cli.fails(['token', 'rotate', ...on], missing);
  await cli.fails(['token', 'revoke', '1', ...on, '--yes'], missing);
  expect(await cli.json(['job', 'list'])).toMatchObject({ document: { jobs: [] } });
});

test('a spare is only kept where there is a keychain', async () => {
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
  expect(error.what).toContain('A new token could not be kept');
  const back = ['instance', 'change', 'source', '--no-read-only', '--no-rotate-days-before'];
  expect(await cli.json(back)).toMatchObject({ document: { readOnly: false, rotateDaysBefore: null } });
});
