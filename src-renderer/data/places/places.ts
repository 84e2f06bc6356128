/** @file The view, with its parameters, that shows the subject of a notification or a message. */
import type { HostPlace } from '../../../src-contract/host.ts';
import { router, type RouteParameters, type ViewName } from './router.svelte.ts';

const routes: Record<HostPlace['what'], (id: string) => [ViewName, RouteParameters]> = {
  run: (id) => ['activity', { part: 'history', run: id }],
  plan: (id) => ['plans', { plan: id }],
  archive: (id) => ['archives', { archive: id }],
};

export function goTo({ what, id }: HostPlace): void {
  router.go(...routes[what](id));
}
