/** @file Texts of the frame: navigation, command palette, banners. */
import { common } from '../kit/common.text.ts';

export const frameText = {
  skip: 'Skip to the content',
  navigation: 'Views',
  liveJobs: (count: number) => common.jobs(count),
  attention: (count: number) => (count === 1 ? '1 thing needs attention' : `${count} things need attention`),
  goTo: (view: string) => `Go to ${view}`,
  palette: 'Commands',
  palettePlaceholder: 'Find a command, a view or a project…',
  paletteOpen: 'Open the commands',
  paletteNothing: 'Nothing found.',
  shortcuts: 'Keyboard shortcuts',
  shortcutsEverywhere: 'Everywhere',
  shortcutsTables: 'In a table',
  noSuchPage: 'Page not found',
  noSuchPageText: (name: string) => `There is no view named “${name}”.`,
  connectionLost: 'The connection to Packhorse is lost',
  connectionLostText:
    'The data shown may be out of date. The window reconnects automatically. If Packhorse was stopped, start it again and open the new link that it prints.',
  uncaughtError:
    'Something in the window failed. Stored data and started work are not affected. Reload the window if it does not respond.',
  brokenTitle: 'This part of the window failed',
  brokenText: 'Stored data and started work are not affected. Reload the window to continue.',
} as const;

export const tableShortcuts = [
  { title: 'Next and previous row', keys: '↓+↑' },
  { title: 'Next and previous page', keys: 'Page Down+Page Up' },
  { title: 'First and last row', keys: 'Home+End' },
  { title: 'Select the row', keys: 'Space' },
  { title: 'Select more rows', keys: 'shift+↓' },
  { title: 'Select all rows', keys: 'mod+a' },
  { title: 'Open the row', keys: 'enter' },
  { title: 'Menu of the row', keys: 'shift+F10' },
  { title: 'Clear the selection', keys: 'escape' },
  { title: 'In the header: sort', keys: 'enter' },
  { title: 'In the header: resize the column', keys: 'shift+→' },
] as const;
