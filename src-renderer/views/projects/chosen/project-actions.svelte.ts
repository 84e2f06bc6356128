/** @file The actions on the projects of a list, and why an action is not possible. Create it during component setup. */
import HardDriveDownload from '@lucide/svelte/icons/hard-drive-download';
import type { Instance } from '../../../../src-contract/instances/instance.ts';
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';
import { offerActions } from '../../../data/actions.svelte.ts';
import { liveJobs } from '../../../data/asking/live-jobs.svelte.ts';
import { commandsText } from '../../commands/commands.text.ts';
import { projectDetailsText as text, projectsText } from '../projects.text.ts';
import type { MenuEntry } from '../../../kit/overlay/menu-entry.ts';
import { refusalOf } from '../panel/changing/refusals.ts';
import type { ChosenProject } from './chosen-project.svelte.ts';
import { projectMenu } from './project-menu.ts';
import { SingleBackups, type SingleBackup } from '../single-backups.svelte.ts';

export class ProjectActions {
  readonly #chosen: ChosenProject;
  readonly #instances: () => readonly Instance[];
  readonly #backups = new SingleBackups();

  constructor(chosen: ChosenProject, instances: () => readonly Instance[]) {
    this.#chosen = chosen;
    this.#instances = instances;
  }

  /** Null while loading. */
  instanceOf({ instance }: Pick<ProjectRow, 'instance'>): Instance | null {
    return this.#instances().find(({ name }) => name === instance) ?? null;
  }

  /** Why it cannot be backed up, as far as known without asking; null if it can be tried. */
  refusal(row: Pick<ProjectRow, 'instance' | 'backupStatus' | 'accessLevel'>): string | null {
    if (row.backupStatus === 'not-allowed') return text.notAllowed;
    const instance = this.instanceOf(row);
    return instance === null ? null : refusalOf('start-export', instance, row.accessLevel);
  }

  /** The state of its last backup started here; null if none was. */
  last(row: ProjectRow): SingleBackup | null {
    return this.#backups.of(row);
  }

  async backUp(row: ProjectRow): Promise<void> {
    await this.#backups.start(row);
    void liveJobs.refresh();
    void this.#chosen.refresh();
  }

  /** Adds the actions to the command palette while the view is mounted. */
  offer(selected: () => number, backUpSelected: () => void): void {
    offerActions(() => {
      const { row } = this.#chosen;
      return [
        {
          id: 'projects.backup',
          title: projectsText.backUpSelected(selected()),
          icon: HardDriveDownload,
          keywords: commandsText.backUpWords,
          available: () => selected() > 0,
          run: backUpSelected,
        },
        {
          id: 'projects.backup-shown',
          title: commandsText.backUpOne(row?.fullPath ?? ''),
          icon: HardDriveDownload,
          keywords: commandsText.backUpWords,
          available: () => row !== null && row.openJob === null && this.refusal(row) === null,
          run: () => {
            if (row !== null) void this.backUp(row);
          },
        },
      ];
    });
  }

  menu(row: ProjectRow): MenuEntry[] {
    return projectMenu(row, {
      instanceUrl: this.instanceOf(row)?.url,
      refused: this.refusal(row) !== null || row.openJob !== null,
      backUp: () => {
        this.#chosen.show(row);
        void this.backUp(row);
      },
    });
  }
}
