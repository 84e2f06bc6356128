/** @file Opens the view that shows the subject of a notification or a message. */
import type { NotificationTarget } from '../../../src-contract/host.ts';
import { router, type RouteParameters, type ViewName } from './router.svelte.ts';

const routes: Record<NotificationTarget['what'], (id: string) => [ViewName, RouteParameters]> = {
  run: (id) => ['activity', { part: 'history', run: id }],
  plan: (id) => ['plans', { plan: id }],
  archive: (id) => ['archives', { archive: id }],
};

export function goTo({ what, id }: NotificationTarget): void {
  router.go(...routes[what](id));
}
