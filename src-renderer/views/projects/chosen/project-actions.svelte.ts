/** @file The actions on the projects of a list, and why an action is not possible. Create it during component setup. */
import HardDriveDownload from '@lucide/svelte/icons/hard-drive-download';
import type { Instance } from '../../../../src-contract/instances/instance.ts';
import type { ProjectRow } from '../../../../src-contract/projects/project.ts';
import { offerActions } from '../../../data/actions.svelte.ts';
import { liveJobs } from '../../../data/calls/live-jobs.svelte.ts';
import { commandsText } from '../../commands/commands.text.ts';
import { projectDetailsText as text, projectsText } from '../projects.text.ts';
import { RowSelection } from '../../../kit/table/row-selection.svelte.ts';
import { BulkBackup } from '../bulk-backup.svelte.ts';
import type { MenuEntry } from '../../../kit/overlay/menu-entry.ts';
import { refusalOf } from '../panel/changing/refusals.ts';
import type { ChosenProject } from './chosen-project.svelte.ts';
import { projectMenu } from './project-menu.ts';
import { SingleBackups, type SingleBackup } from '../single-backups.svelte.ts';

/** The list as its view provides it; the functions may read reactive values. */
interface ProjectList {
  instances: () => readonly Instance[];
  total: () => number;
  backUp: (bulk: BulkBackup, selection: RowSelection) => void;
}

export class ProjectActions {
  readonly selection = new RowSelection();
  readonly bulk = new BulkBackup((target) => this.backupRefusal(target));
  readonly #chosen: ChosenProject;
  readonly #list: ProjectList;
  readonly #backups = new SingleBackups();
  readonly selectedCount = $derived.by(() => this.selection.count(this.#list.total()));

  constructor(chosen: ChosenProject, list: ProjectList) {
    this.#chosen = chosen;
    this.#list = list;
    this.#offer();
  }

  instanceOf({ instance }: Pick<ProjectRow, 'instance'>): Instance | null {
    return this.#list.instances().find(({ name }) => name === instance) ?? null;
  }

  /** Returns why the project cannot be backed up, as far as known without a request; null if a backup can be tried. */
  backupRefusal(row: Pick<ProjectRow, 'instance' | 'backupStatus' | 'accessLevel'>): string | null {
    if (row.backupStatus === 'not-allowed') return text.notAllowed;
    const instance = this.instanceOf(row);
    return instance === null ? null : refusalOf('start-export', instance, row.accessLevel);
  }

  lastBackupOf(row: ProjectRow): SingleBackup | null {
    return this.#backups.backupOf(row);
  }

  async backUp(row: ProjectRow): Promise<void> {
    await this.#backups.start(row);
    void liveJobs.refresh();
    void this.#chosen.refresh();
  }

  backUpSelected(): void {
    this.#list.backUp(this.bulk, this.selection);
  }

  #offer(): void {
    offerActions(() => {
      const { row } = this.#chosen;
      return [
        {
          id: 'projects.backup',
          title: projectsText.backUpSelected(this.selectedCount),
          icon: HardDriveDownload,
          keywords: commandsText.backUpKeywords,
          available: () => this.selectedCount > 0,
          run: () => {
            this.backUpSelected();
          },
        },
        {
          id: 'projects.backup-shown',
          title: commandsText.backUpOne(row?.fullPath ?? ''),
          icon: HardDriveDownload,
          keywords: commandsText.backUpKeywords,
          available: () => row !== null && row.openJob === null && this.backupRefusal(row) === null,
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
      refused: this.backupRefusal(row) !== null || row.openJob !== null,
      backUp: () => {
        this.#chosen.show(row);
        void this.backUp(row);
      },
    });
  }
}
