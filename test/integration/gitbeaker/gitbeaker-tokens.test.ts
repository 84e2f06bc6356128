/** @file Runs the operations on tokens with an independent client, and checks their effects in the sandbox's own records. */
import { expect } from 'vitest';
import { GitbeakerWalk, type Row } from '../../support/servers/gitbeaker.ts';

const walk = GitbeakerWalk.ofFile(() => ({}));

async function tokenRecords(name: string): Promise<Row[]> {
  return (await walk.sandboxRows('tokens')).filter((row) => row['name'] === name);
}

walk.step('list-tokens', 'PersonalAccessTokens.all', async () => {
  const names = async (who: 'administrator' | 'maintainer', state?: 'active' | 'inactive') => {
    const rows = await walk.as(who).PersonalAccessTokens.all(state === undefined ? {} : { state });
    return rows.map(({ name }) => name).toSorted();
  };

  expect(await names('maintainer')).toEqual([
    'expired',
    'maintainer',
    'read-only',
    'revoked',
    'self-rotate',
    'spare',
  ]);
  expect(await names('maintainer', 'inactive')).toEqual(['expired', 'revoked']);
  expect(await names('administrator')).toContain('outsider');
});

walk.step('get-token', 'PersonalAccessTokens.show', async () => {
  const [spare] = await tokenRecords('spare');
  const tokenId = Number(spare?.['id']);
  const row = await walk.as('maintainer').PersonalAccessTokens.show({ tokenId });

  expect(row).toMatchObject({ id: tokenId, name: 'spare', active: true, scopes: spare?.['scopes'] });
  expect(row).not.toHaveProperty('token');
});

walk.step('get-own-token', 'PersonalAccessTokens.show without an id', async () => {
  expect(await walk.as('readOnly').PersonalAccessTokens.show()).toMatchObject({
    name: 'read-only',
    scopes: ['read_api'],
  });
});

walk.step('rotate-token', 'PersonalAccessTokens.rotate', async () => {
  const [old] = await tokenRecords('spare');
  const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const row = await walk.as('maintainer').PersonalAccessTokens.rotate(Number(old?.['id']), { expiresAt });

  expect(row.expires_at).toBe(expiresAt);
  expect(await tokenRecords('spare')).toMatchObject([
    { id: old?.['id'], revoked: true, active: false },
    { id: row.id, revoked: false, active: true, family: old?.['family'], expires_at: expiresAt },
  ]);
  expect(await walk.with(row.token).PersonalAccessTokens.show()).toMatchObject({ id: row.id });
});

walk.step('rotate-own-token', "PersonalAccessTokens.rotate('self')", async () => {
  const row = await walk.as('selfRotate').PersonalAccessTokens.rotate('self');

  expect(await tokenRecords('self-rotate')).toMatchObject([
    { revoked: true, active: false },
    { id: row.id, revoked: false, active: true },
  ]);
  expect(row.token).not.toBe(walk.sandbox.tokens.selfRotate);
});

walk.step('revoke-token', 'PersonalAccessTokens.remove', async () => {
  const [token] = await tokenRecords('read-only');
  await walk.as('maintainer').PersonalAccessTokens.remove({ tokenId: Number(token?.['id']) });

  expect(await tokenRecords('read-only')).toMatchObject([{ revoked: true, active: false }]);
});

walk.step('revoke-own-token', 'PersonalAccessTokens.remove without an id', async () => {
  const client = walk.as('guest').PersonalAccessTokens;
  await client.remove();

  expect(await tokenRecords('guest')).toMatchObject([{ revoked: true, active: false }]);
  await expect(client.show()).rejects.toThrow('invalid_token');
});

walk.expectAllOperationsOf(3);
