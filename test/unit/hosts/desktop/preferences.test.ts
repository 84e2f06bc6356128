import { expect, test } from 'vitest';
import { PreferencesWatch } from '../../../../src-main/hosts/desktop/preferences.ts';
import { initialPreferences, type Preferences } from '../../../../src-contract/settings.ts';
import { openWorld } from '../../../support/world.ts';

test('the watched preferences follow changes of the settings by a call and by the watch itself', async () => {
  const { app, client } = await openWorld();
  const read: Preferences[] = [];
  const watch = new PreferencesWatch(client, (preferences) => read.push(preferences));
  expect(watch.current).toEqual(initialPreferences);
  app.subscribe((name) => {
    watch.handleEvent(name);
  });
  await client.call('settings.change', { preferences: { appearance: 'dark' } });
  await expect.poll(() => watch.current.appearance).toBe('dark');
  expect(read.at(-1)?.appearance).toBe('dark');
  await watch.change({ closeBehaviour: 'quit' });
  expect(watch.current).toEqual({ ...initialPreferences, appearance: 'dark', closeBehaviour: 'quit' });
});

test('a refresh reads preferences that another app on the same data folder changed', async () => {
  const { client, dataDir } = await openWorld();
  const watch = new PreferencesWatch(client, () => undefined);
  const other = await openWorld({ dataDir });
  await other.client.call('settings.change', { preferences: { appearance: 'dark' } });
  await watch.refresh();
  expect(watch.current).toEqual({ ...initialPreferences, appearance: 'dark' });
});

test('the watched preferences stay unchanged if the settings cannot be read or changed', async () => {
  const watch = new PreferencesWatch({ call: () => Promise.reject(new Error('gone')) }, () => {
    throw new Error('nothing was read');
  });
  await watch.refresh();
  await watch.change({ appearance: 'dark' });
  expect(watch.current).toEqual(initialPreferences);
});
