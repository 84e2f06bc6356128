import { expect, onTestFinished, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { host } from '../../../../src-renderer/data/host.svelte.ts';
import { router } from '../../../../src-renderer/data/places/router.svelte.ts';
import FirstStart from '../../../../src-renderer/views/first-start/FirstStart.svelte';
import { exampleCapabilities, exampleInstance } from '../../support/overview-examples.ts';
import { fails, scriptWindow, type Script } from '../../support/window.ts';

async function open(script: Script, can = exampleCapabilities()) {
  const bridge = scriptWindow({ 'host.capabilities': can, ...script });
  onTestFinished(router.follow());
  await host.load();
  return { bridge, screen: await render(FirstStart) };
}

test('one click opens the sandbox, fetches its project lists and shows the projects', async () => {
  const instances = [exampleInstance({ name: 'practice' }), exampleInstance({ name: 'practice-target' })];
  const { bridge, screen } = await open({
    'sandbox.open': { instances },
    'instance.refresh': { projects: 12, refreshedAt: '2026-11-20T08:00:00.000Z' },
  });
  await screen.getByRole('button', { name: 'Open the sandbox' }).click();
  await expect.poll(() => window.location.hash).toBe('#/projects');
  expect(bridge.asked('instance.refresh')).toEqual([
    { name: 'practice', visible: false },
    { name: 'practice-target', visible: false },
  ]);
});

test('a sandbox that fails to start shows the reason, and can be opened again', async () => {
  const { bridge, screen } = await open({ 'sandbox.open': fails('disk-full') });
  await screen.getByRole('button', { name: 'Open the sandbox' }).click();
  await expect.element(screen.getByText(/^There is not enough space on the disk/)).toBeVisible();
  bridge.answer('sandbox.open', { instances: [] });
  await screen.getByRole('button', { name: 'Open the sandbox' }).click();
  await expect.poll(() => bridge.asked('sandbox.open')).toHaveLength(2);
  await expect.poll(() => window.location.hash).toBe('#/projects');
});

test('a dropped archive is opened even if there is no instance', async () => {
  const { screen } = await open({});
  const zone = screen.getByRole('group', { name: 'Drop an export file here' }).element();
  const dropped = new DataTransfer();
  dropped.items.add(new File(['x'], 'somebody_export.tar.gz'));
  zone.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true }));
  await expect
    .poll(() => decodeURIComponent(window.location.hash))
    .toBe('#/archives?file=/dropped/somebody_export.tar.gz');
});

test('an archive is chosen in the file dialog of the system if there is one', async () => {
  const { screen } = await open({ 'host.choosePath': { path: '/home/ada/app_export.tar.gz' } });
  await screen.getByRole('button', { name: 'Choose a file…' }).click();
  await expect
    .poll(() => decodeURIComponent(window.location.hash))
    .toBe('#/archives?file=/home/ada/app_export.tar.gz');
});
