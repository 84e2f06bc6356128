/** @file Words of the settings. */
import { jobsAtOnceBounds } from '../../../src-contract/bounds.ts';
import type { Capabilities } from '../../../src-contract/host.ts';

export const settingsText = {
  saved: (what: string) => `Saved: ${what}`,
  undone: (what: string) => `Taken back: ${what}`,
  undo: 'Undo',
  notSaved: (what: string) => `Not saved: ${what}`,
  loading: 'Settings',

  archives: 'Archives',
  root: 'Folder for new archives',
  rootHint: 'It must be a folder that can be written. It holds from the next backup on.',
  rootExplained:
    'Archives that are stored already stay where they are: they are still listed, read and verified there, and nothing is moved.',
  rootCommand:
    'A page in a browser names no folders. To change it, run “packhorse settings change --archive-root FOLDER”.',
  useAgain: 'Use again',
  useAgainOf: (folder: string) => `Keep new archives in ${folder} again`,
  forget: 'Forget…',
  forgetOf: (folder: string) => `Forget the folder ${folder}`,
  forgetTitle: 'Forget this folder?',
  forgetText:
    'Nothing on the disk is touched: every file stays where it is. The archives in it are no longer listed or verified here, until the folder is chosen again.',
  forgetConfirm: 'Forget the folder',
  forgotten: (folder: string) => `${folder} was forgotten. Its files are untouched.`,
  choose: 'Choose…',
  earlier: 'Earlier folders',
  earlierNone: 'None: all archives are in the folder above.',

  appearance: 'Appearance',
  appearances: { system: 'As the system', light: 'Light', dark: 'Dark' },

  network: 'Network',
  proxy: 'Proxy',
  proxyHint:
    'Address that requests to instances go through, for example http://proxy.example.com:3128, without a password. Empty: none.',
  jobsAtOnce: 'Jobs at once',
  jobsAtOnceHint: `From ${jobsAtOnceBounds.min} to ${jobsAtOnceBounds.max}, over all instances. The limits of each instance hold besides.`,
  jobsAtOnceWrong: `Give a whole number from ${jobsAtOnceBounds.min} to ${jobsAtOnceBounds.max}.`,

  window: 'Window and notices',
  close: 'Closing the window',
  closes: { tray: 'Goes on in the tray', quit: 'Ends Packhorse' },
  closeHints: {
    tray: 'Schedules and running work go on; the icon in the tray opens the window again.',
    quit: 'Running work is interrupted and goes on at the next start. Schedules rest.',
  },
  startAtLogin: 'Start when I sign in',
  startAtLoginHint: 'Without a window, so that schedules fire.',
  notifications: 'Notices of the system',
  notices: { all: 'Of all work that ended', problems: 'Of problems only', none: 'None' },
  browserExplained:
    'This window is a page in a browser: closing it ends nothing, “packhorse serve” goes on until it is stopped. Tray, start at sign-in and notices of the system belong to the desktop program.',
  partlyExplained: 'What this system does not offer is left out here.',

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
  keychainThere: 'Can be used',
  keychainAbsent: 'Cannot be used; tokens are kept for the session only',
  doctor: 'Check the installation',
  doctorRuns: 'Checking…',
  doctorTitle: 'Checks',
  doctorGood: 'Fine',
  doctorBad: 'Problem',
} as const;
