/** @file Words of the frame: navigation, command palette, banners. */
import { common } from '../kit/common.text.ts';

export const frameText = {
  skip: 'Skip to the content',
  navigation: 'Views',
  openJobs: (count: number) => common.jobs(count),
  attention: (count: number) => (count === 1 ? '1 thing needs attention' : `${count} things need attention`),
  goTo: (view: string) => `Go to ${view}`,
  palette: 'Commands',
  palettePlaceholder: 'Find a command, a view or a project…',
  paletteOpen: 'Open the commands',
  paletteNothing: 'Nothing is called like that.',
  shortcuts: 'Keyboard shortcuts',
  shortcutsEverywhere: 'Everywhere',
  shortcutsTables: 'In a table',
  noSuchPage: 'There is no such page',
  noSuchPageText: (name: string) => `The address names “${name}”, and no view is called so.`,
  connectionLost: 'The connection to Packhorse is lost',
  connectionLostText:
    'What is shown may be old. It is tried again by itself. If Packhorse was stopped, start it again as before, and open the new link that it prints.',
  brokenAction:
    'Something in the window broke. What was stored or started is not affected; reload the window if it does not react.',
  brokenTitle: 'This part of the window broke',
  brokenText: 'Nothing that was stored or started is affected. Reload the window to go on.',
} as const;

export const tableKeys = [
  { title: 'Next and previous row', keys: '↓+↑' },
  { title: 'A page on and back', keys: 'Page Down+Page Up' },
  { title: 'First and last row', keys: 'Home+End' },
  { title: 'Choose the row', keys: 'Space' },
  { title: 'Choose more rows', keys: 'shift+↓' },
  { title: 'Choose all rows', keys: 'mod+a' },
  { title: 'Open the row', keys: 'enter' },
  { title: 'Menu of the row', keys: 'shift+F10' },
  { title: 'Choose none', keys: 'escape' },
  { title: 'In the head: sort', keys: 'enter' },
  { title: 'In the head: wider, narrower', keys: 'shift+→' },
] as const;
