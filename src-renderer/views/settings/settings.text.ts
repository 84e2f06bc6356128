/** @file Texts of the settings. */
import { jobsAtOnceBounds } from '../../../src-contract/bounds.ts';
import type { Capabilities } from '../../../src-contract/host.ts';

const jobsAtOnceRange = `from ${jobsAtOnceBounds.min} to ${jobsAtOnceBounds.max}`;

export const settingsText = {
  saved: (what: string) => `Saved: ${what}`,
  undone: (what: string) => `Undone: ${what}`,
  undo: 'Undo',
  notSaved: (what: string) => `Not saved: ${what}`,
  loading: 'Settings',

  archives: 'Archives',
  root: 'Folder for new archives',
  rootHint: 'A writable folder, used from the next backup on.',
  rootExplained:
    'Archives that are already stored are not moved: they are still listed, read and verified in their folder.',
  rootCommand:
    'A browser page cannot choose folders on the machine where Packhorse runs. To change this folder, run “packhorse settings change --archive-root FOLDER”.',
  useAgain: 'Use again',
  useAgainOf: (folder: string) => `Store new archives in ${folder} again`,
  forget: 'Forget…',
  forgetOf: (folder: string) => `Forget the folder ${folder}`,
  forgetTitle: 'Forget this folder?',
  forgetText:
    'Nothing on the disk is changed. The archives in the folder are no longer listed or verified here, until the folder is chosen again.',
  forgetConfirm: 'Forget the folder',
  forgotten: (folder: string) => `${folder} was forgotten. Its files were not changed.`,
  choose: 'Choose…',
  earlierFolders: 'Earlier folders',
  noEarlierFolders: 'None: all archives are in the folder above.',

  appearance: 'Appearance',
  appearances: { system: 'Same as the system', light: 'Light', dark: 'Dark' },

  network: 'Network',
  proxy: 'Proxy',
  proxyHint:
    'Address that requests to instances go through, for example http://proxy.example.com:3128, without a password. If empty, no proxy is used.',
  jobsAtOnce: 'Jobs at once',
  jobsAtOnceHint: `A number ${jobsAtOnceRange}, for all instances together. The limits of each instance also apply.`,
  jobsAtOnceWrong: `Enter a whole number ${jobsAtOnceRange}.`,

  window: 'Window and notifications',
  close: 'Closing the window',
  closeOptions: { tray: 'Keeps running in the tray', quit: 'Quits Packhorse' },
  closeHints: {
    tray: 'Schedules and running work continue; the tray icon opens the window again.',
    quit: 'Running work is interrupted and continues at the next start. Schedules stop.',
  },
  startAtLogin: 'Start when I sign in',
  startAtLoginHint: 'Starts without a window, so that scheduled plans run.',
  notifications: 'System notifications',
  notificationOptions: { all: 'For all finished work', problems: 'For problems only', none: 'None' },
  browserExplained:
    'This window is a browser page. Closing it stops nothing: “packhorse serve” continues until it is stopped. Tray, start at sign-in and system notifications belong to the desktop program.',
  unsupportedOptionsHint: 'Options that this system does not support are not shown.',

  about: 'About this installation',
  version: 'Version',
  dataFolder: 'Data folder',
  runsAs: 'Runs as',
  hosts: {
    desktop: 'Desktop program',
    browser: 'Page in a browser',
    'command-line': 'Command line',
  } satisfies Record<Capabilities['host'], string>,
  keychain: 'Keychain',
  keychainAvailable: 'Available',
  keychainUnavailable: 'Not available; tokens are kept for the session only',
  doctor: 'Check the installation',
  doctorRuns: 'Checking…',
  doctorTitle: 'Checks',
  doctorGood: 'OK',
  doctorBad: 'Problem',
} as const;
