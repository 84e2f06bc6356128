/** @file Texts of the commands that are available everywhere in the window. */
import type { Preferences } from '../../../src-contract/settings.ts';

export const commandsText = {
  backUpAll: (instance: string) => `Back up all projects of ${instance}…`,
  backUpSome: 'Choose projects to back up…',
  backUpOne: (project: string) => `Back up ${project} now`,
  backUpKeywords: 'backup export archive',
  addInstance: 'Add an instance…',
  addInstanceKeywords: 'connect gitlab server token account',
  refreshLists: 'Fetch all project lists',
  refreshListsKeywords: 'refresh reload update',
  addPlan: (instance: string) => `Add a plan for ${instance}…`,
  addPlanKeywords: 'backup schedule automatic daily weekly time',
  import: 'Import an archive…',
  importKeywords: 'restore migrate move project',
  check: 'Check an import…',
  checkKeywords: 'failures failed relations records status',
  openFile: 'Open an archive file…',
  openFileKeywords: 'read inspect tar gz export',
  rescan: 'Rescan the store',
  rescanKeywords: 'archives folder disk rebuild list',
  doctor: 'Check the installation',
  doctorKeywords: 'doctor diagnose problem keychain version',
  appearances: {
    system: 'Appearance: same as the system',
    light: 'Appearance: light',
    dark: 'Appearance: dark',
  } satisfies Record<Preferences['appearance'], string>,
  appearanceKeywords: 'theme mode colours',
} as const;
