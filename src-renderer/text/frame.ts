/** @file Words of the frame: navigation, command palette, banners. */
import type { ViewName } from '../state/router.svelte.ts';
import { common } from './common.ts';

export const viewText: Record<ViewName, string> = {
  overview: 'Overview',
  projects: 'Projects',
  archives: 'Archives',
  import: 'Import',
  check: 'Check an import',
  activity: 'Activity',
  instances: 'Instances',
  settings: 'Settings',
};

export const frameText = {
  welcome: `Welcome to ${common.product}`,
  skip: 'Skip to the content',
  navigation: 'Views',
  openJobs: (count: number) => common.jobs(count),
  attention: (count: number) => (count === 1 ? '1 thing needs attention' : `${count} things need attention`),
  goTo: (view: string) => `Go to ${view}`,
  palette: 'Commands',
  palettePlaceholder: 'Find a command, a view or a project…',
  paletteOpen: 'Open the commands',
  paletteNothing: 'Nothing is called like that.',
  paletteProjects: 'Projects',
  shortcuts: 'Keyboard shortcuts',
  connecting: 'Connecting to Packhorse…',
  connectionLost: 'The connection to Packhorse is lost',
  connectionLostText:
    'What is shown may be old. It is tried again by itself; start “packhorse serve” again if it was stopped.',
  brokenTitle: 'This part of the window broke',
  brokenText: 'Nothing that was stored or started is affected. Reload the window to go on.',
} as const;
