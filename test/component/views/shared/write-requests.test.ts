import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { WriteRequest } from '../../../../src-contract/instances/write-request-schema.ts';
import WriteRequests from '../../../../src-renderer/views/shared/WriteRequests.svelte';
import { expectAccessible, fails, pending, scriptWindow } from '../../support/window.ts';

function request(id: number, change: Partial<WriteRequest> = {}): WriteRequest {
  return {
    id,
    instance: 'work',
    job: '12',
    at: Date.UTC(2026, 10, 20, 8),
    method: 'POST',
    path: `/projects/${id}/export`,
    status: 202,
    ...change,
  };
}
const ofInstance = { instance: 'work', job: null };

test('write requests are listed with their time, request, response and job', async () => {
  const bridge = scriptWindow({
    'request.list': {
      requests: [
        request(3, { method: 'DELETE', path: '/personal_access_tokens/9', status: null, job: null }),
        request(2, { at: Date.now() - 3 * 3_600_000 - 60_000 }),
        request(1, { status: 403 }),
      ],
      next: null,
    },
  });
  await render(WriteRequests, ofInstance);
  await expect.element(page.getByText('/projects/2/export')).toBeVisible();
  await expect.element(page.getByText('3 hours ago')).toBeVisible();
  await expect.element(page.getByText('DELETE')).toBeVisible();
  await expect.element(page.getByText('No reply')).toBeVisible();
  await expect.element(page.getByText('403')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Show' }).first())
    .toHaveAttribute('href', '#/activity?job=12');
  expect(bridge.asked('request.list')).toEqual([{ instance: 'work', job: null, before: null, limit: 20 }]);
  await expectAccessible();
});

test('the requests of one job do not link to it, and more of them are fetched on request', async () => {
  const bridge = scriptWindow({
    'request.list': ({ limit }) => ({
      requests: Array.from({ length: Math.min(limit, 30) }, (_, at) => request(30 - at)),
      next: limit < 30 ? 11 : null,
    }),
  });
  await render(WriteRequests, { instance: null, job: '12' });
  await expect.element(page.getByText('/projects/30/export')).toBeVisible();
  expect(page.getByRole('link').elements()).toEqual([]);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.element(page.getByText('/projects/1/export')).toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  expect(bridge.asked('request.list').map(({ limit }) => limit)).toEqual([20, 120]);
});

test('the list shows that it is loading, and later that no request was sent', async () => {
  const bridge = scriptWindow({ 'request.list': pending });
  await render(WriteRequests, ofInstance);
  await expect.element(page.getByText('Loading…')).toBeVisible();
  bridge.answer('request.list', { requests: [], next: null });
  await render(WriteRequests, ofInstance);
  await expect.element(page.getByText('None has been sent.')).toBeVisible();
});

test('a list that fails to load can be loaded again', async () => {
  const bridge = scriptWindow({ 'request.list': fails('catalogue-busy') });
  await render(WriteRequests, ofInstance);
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible();
  bridge.answer('request.list', { requests: [request(1)], next: null });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('/projects/1/export')).toBeVisible();
});
