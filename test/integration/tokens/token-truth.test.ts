/** @file The messages about a token that an instance refuses, and about a token for a single command. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Overview } from '../../../src-contract/runs/overview-schema.ts';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { SettingsStore } from '../../../src-main/platform/settings.ts';
import { planDraft } from '../../support/jobs/plan-draft.ts';
import { ended, openTestSandbox, openWorld, register } from '../../support/world.ts';

const describeTokens = ({ attention }: Overview) => attention.filter(({ kind }) => kind.startsWith('token'));

test('a token that was revoked elsewhere is reported everywhere until the instance accepts another token', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const token = sandbox.tokens.maintainer;
  const revocation = await fetch(`${sandbox.url}/api/v4/personal_access_tokens/self`, {
    method: 'DELETE',
    headers: { 'private-token': token },
  });
  expect(revocation.status).toBe(204);
  const instanceChanged = new Promise<void>((resolve) => {
    world.app.subscribe((name) => {
      if (name === 'instance.changed') resolve();
    });
  });
  await expect(world.client.call('instance.check', { name: 'work' })).rejects.toMatchObject({
    code: 'token-revoked',
  });
  await instanceChanged;
  expect(describeTokens(await world.client.call('overview.show', {}))).toEqual([
    { kind: 'token-refused', instance: 'work', code: 'token-revoked' },
  ]);
  const { checks } = await world.client.call('doctor.run', {});
  expect(checks.find(({ name }) => name === 'tokens')).toMatchObject({
    ok: false,
    value: 'work: The token was revoked',
  });
  const good = sandbox.tokens.administrator;
  await world.client.call('instance.setToken', { name: 'work', token: good, keep: 'session' });
  expect(describeTokens(await world.client.call('overview.show', {}))).toEqual([]);
});

test('a token is reported as expired after its date of expiry, although nothing used it since', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const tokenCheck = async () => {
    const { checks } = await world.client.call('doctor.run', {});
    return checks.find(({ name }) => name === 'tokens');
  };
  expect(await tokenCheck()).toMatchObject({ ok: true });
  const settings = new SettingsStore(join(world.dataDir, 'settings.json'), systemClock);
  await settings.change((before) => ({
    ...before,
    instances: before.instances.map((instance) => ({ ...instance, tokenExpiresOn: '2026-01-01' })),
  }));
  expect(describeTokens(await world.client.call('overview.show', {}))).toEqual([
    { kind: 'token-refused', instance: 'work', code: 'token-expired' },
  ]);
  expect(await tokenCheck()).toMatchObject({ ok: false, value: 'work: The token has expired' });
});

test('the token of another user, given for one command, does not become the account of the instance', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox, sandbox.tokens.administrator);
  const account = async () => {
    const { instances } = await world.client.call('instance.list', {});
    return instances.map(({ username, administrator }) => ({ username, administrator }));
  };
  const before = await account();
  const token = sandbox.tokens.maintainer;
  await world.client.call('instance.setToken', { name: 'work', token, keep: 'command' });
  expect(await world.client.call('instance.check', { name: 'work' })).toMatchObject({
    username: 'maintainer',
  });
  expect(await account()).toEqual(before);
});

test('a run that a user starts is manual', async () => {
  const sandbox = await openTestSandbox({ projectCount: 1 });
  const world = await openWorld();
  await register(world, 'work', sandbox);
  const { plan } = await world.client.call('plan.save', planDraft());
  const { runId } = await world.client.call('plan.run', { id: plan.id });
  await ended(world, runId);
  const { runs } = await world.client.call('run.list', { limit: 1 });
  expect(runs).toMatchObject([{ id: runId, planId: plan.id, manual: true }]);
});
