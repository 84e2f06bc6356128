/** @file Texts of the commands that are available everywhere in the window. */
import type { Preferences } from '../../../src-contract/settings.ts';

export const commandsText = {
  backUpAll: (instance: string) => `Back up all projects of ${instance}…`,
  backUpSome: 'Choose projects to back up…',
  backUpOne: (project: string) => `Back up ${project} now`,
  backUpWords: 'backup export archive',
  addInstance: 'Add an instance…',
  addInstanceWords: 'connect gitlab server token account',
  refreshLists: 'Fetch all project lists',
  refreshListsWords: 'refresh reload update',
  plan: (instance: string) => `Add a plan for ${instance}…`,
  planWords: 'backup schedule automatic daily weekly time',
  import: 'Import an archive…',
  importWords: 'restore migrate move project',
  check: 'Check an import…',
  checkWords: 'failures failed relations records status',
  openFile: 'Open an archive file…',
  openFileWords: 'read inspect tar gz export',
  rescan: 'Rescan the store',
  rescanWords: 'archives folder disk rebuild list',
  doctor: 'Check the installation',
  doctorWords: 'doctor diagnose problem keychain version',
  appearances: {
    system: 'Appearance: as the system',
    light: 'Appearance: light',
    dark: 'Appearance: dark',
  } satisfies Record<Preferences['appearance'], string>,
  appearanceWords: 'theme mode colours',
} as const;
