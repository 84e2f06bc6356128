/** @file Shows a view as the window does: in an area of limited height that scrolls. */
import type { Component } from 'svelte';
import { render } from 'vitest-browser-svelte';
import { page } from 'vitest/browser';
import {
  router,
  type RouteParameters,
  type ViewName,
} from '../../../src-renderer/data/places/router.svelte.ts';

/** Shows the view at this address, in a window of this size. */
export async function showView(
  View: Component,
  view: ViewName,
  {
    parameters = {},
    width = 1280,
    height = 800,
  }: { parameters?: RouteParameters; width?: number; height?: number } = {},
): Promise<void> {
  await page.viewport(width, height);
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value] as [string, string]],
    ),
  );
  window.history.replaceState(null, '', `#/${view}?${query.toString()}`);
  // Reads the address, as the frame does.
  router.follow()();
  const main = document.createElement('main');
  Object.assign(main.style, {
    boxSizing: 'border-box',
    display: 'flex',
    flexDirection: 'column',
    height: '100vh',
    overflow: 'auto',
    padding: '20px 24px',
  });
  document.body.replaceChildren(main);
  document.body.style.margin = '0';
  await render(View, { target: main });
}
