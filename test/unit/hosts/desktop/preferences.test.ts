import { expect, test } from 'vitest';
import { PreferencesWatch } from '../../../../src-main/hosts/desktop/preferences.ts';
import { initialPreferences, type Preferences } from '../../../../src-contract/settings.ts';
import { openWorld } from '../../../support/world.ts';

test('the watched preferences follow changes of the settings by a call and by the watch itself', async () => {
  const { app, client } = await openWorld();
  const read: Preferences[] = [];
  const watch = new PreferencesWatch(client, (preferences) => read.push(preferences));
  expect(watch.current).toEqual(initialPreferences);
  const changed = new Promise((resolve) => {
    app.subscribe((name) => {
      watch.handleEvent(name);
      if (name === 'settings.changed') resolve(name);
    });
  });
  await client.call('settings.change', { preferences: { appearance: 'dark' } });
  await changed;
  await watch.refresh();
  expect(watch.current.appearance).toBe('dark');
  expect(read.at(-1)?.appearance).toBe('dark');
  await watch.change({ closeBehaviour: 'quit' });
  expect(watch.current).toEqual({ ...initialPreferences, appearance: 'dark', closeBehaviour: 'quit' });
});

test('the watched preferences stay unchanged if the settings cannot be read or changed', async () => {
  const watch = new PreferencesWatch({ call: () => Promise.reject(new Error('gone')) }, () => {
    throw new Error('nothing was read');
  });
  await watch.refresh();
  await watch.change({ appearance: 'dark' });
  expect(watch.current).toEqual(initialPreferences);
});
