/** @file Tokens as an instance lists them, and the view of them on a scripted window. */
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import type { ListedToken } from '../../../../src-contract/tokens/token.ts';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import { router, type RouteParameters } from '../../../../src-renderer/data/places/router.svelte.ts';
import TokensView from '../../../../src-renderer/views/tokens/TokensView.svelte';
import { exampleCapabilities, exampleInstance, examplePlan } from '../../support/overview-examples.ts';
import { fails, scriptWindow, type Script, type ScriptedWindow } from '../../support/window.ts';
import { showView } from '../show-view.ts';

const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export function exampleToken(change: Partial<ListedToken> = {}): ListedToken {
  return {
    id: 11,
    name: 'packhorse',
    description: null,
    scopes: ['api'],
    userId: 7,
    active: true,
    revoked: false,
    createdAt: '2026-01-05T09:00:00.000Z',
    lastUsedAt: new Date(Date.now() - 125_000).toISOString(),
    expiresOn: dayFromNow(200),
    slot: null,
    ...change,
  };
}

export const mainToken = exampleToken({ slot: 'main', expiresOn: dayFromNow(9) });
export const spareToken = exampleToken({ id: 12, name: 'packhorse spare', slot: 'spare' });
const others = [
  exampleToken({ id: 21, name: 'laptop', scopes: ['read_api', 'read_repository'], lastUsedAt: null }),
  exampleToken({ id: 22, name: 'build server', active: false, revoked: true, scopes: ['write_registry'] }),
  exampleToken({ id: 23, name: 'last year', active: false, expiresOn: '2026-01-01', scopes: ['odd_scope'] }),
];

export const filled = {
  'instance.list': { instances: [exampleInstance(), exampleInstance({ name: 'lab' })] },
  'token.list': { tokens: [mainToken, spareToken, ...others], next: null },
  'token.show': ({ id }) =>
    [mainToken, spareToken, ...others].find((token) => token.id === (id ?? mainToken.id)) ??
    fails('not-found'),
  'plan.list': { plans: [examplePlan()] },
} satisfies Script;

export async function openTokens(
  script: Script = filled,
  { parameters = {}, width, height }: { parameters?: RouteParameters; width?: number; height?: number } = {},
): Promise<ScriptedWindow> {
  const bridge = scriptWindow({ 'host.capabilities': exampleCapabilities(), ...filled, ...script });
  await host.load();
  await showView(TokensView, 'tokens', {
    parameters,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
  });
  onTestFinished(router.follow());
  onTestFinished(async () => {
    await page.viewport(1280, 800);
  });
  return bridge;
}
