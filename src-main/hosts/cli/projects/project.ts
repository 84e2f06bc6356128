/** @file `packhorse project …`: the projects of an instance. */
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { ProjectRow, BackupStatus } from '../../../../src-contract/projects/project.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { backupBadgeText } from '../../../../src-contract/words/states.ts';
import { formatTime, plural, timeOrNone, joinLines, tableOf } from '../terminal/format.ts';
import { collectByOffset } from '../../reply-pages.ts';
import { registerChanges } from './project-change.ts';
import { registerEdit } from './project-edit.ts';
import { registerFind } from './project-find.ts';
import { registerUsers } from './project-users.ts';
import { registerShow } from './project-show.ts';
import { projectStateText, roleOf } from './project-state.ts';
import { registerUploads } from './project-uploads.ts';
import { showProgress, useTokenOption, type Session } from '../running/session.ts';
import type { AppCommand, InstanceOptions } from '../running/app-command.ts';

interface ListOptions extends InstanceOptions {
  offline?: boolean;
  visible?: boolean;
  search?: string;
}

/** States that need attention are in capitals, because a terminal may have no colours. */
const alarmingStatuses: readonly BackupStatus[] = ['absent', 'damaged', 'incomplete', 'suspicious', 'failed'];

function backupText({ backupStatus, newestArchive, newCopy }: ProjectRow): string {
  const { text } = backupBadgeText({ backupStatus, hasArchive: newestArchive !== null, newCopy });
  return alarmingStatuses.includes(backupStatus) ? text.toUpperCase() : lowerFirst(text);
}

const listText = (projects: readonly ProjectRow[]): string =>
  tableOf(projects, (project) => ({
    ID: project.id,
    PROJECT: project.fullPath,
    VISIBILITY: project.visibility,
    ROLE: roleOf(project),
    STATE: projectStateText(project),
    'LAST ACTIVITY': timeOrNone(project.lastActivityAt),
    BACKUP: backupText(project),
  }));

/** Fetches the list of projects from the instance. If the list may be very long, prints the count first. */
export async function refreshProjectList(
  session: Session,
  name: string,
  visible: boolean,
): Promise<CallReply<'instance.refresh'>> {
  const show = showProgress(session, 'Projects');
  let isAnnounced = !visible;
  return session.client.call('instance.refresh', { name, visible }, (progress) => {
    if (!isAnnounced) {
      const { total } = progress;
      const countText = total === null ? 'more projects than GitLab counts' : plural(total, 'project');
      session.terminal.note(`This account can see ${countText} there; fetching all of them.`);
    }
    isAnnounced = true;
    show(progress);
  });
}

export function projectCommand(program: AppCommand): void {
  const project = program.subcommand('project', 'the projects of an instance');

  project
    .subcommand('list', 'projects you are a member of, and how each is backed up')
    .option('--offline', 'use the last fetched list, without contacting the instance')
    .option('--visible', 'all visible projects, not only those you are a member of')
    .option('--search <text>', 'part of the path or name')
    .instanceOptions()
    .operations('list-projects')
    .withApp(async (session, options: ListOptions) => {
      const { instance, search = null, visible = false } = options;
      if (options.offline !== true) {
        await useTokenOption(session, instance, options);
        await refreshProjectList(session, instance, visible);
      }
      const page = await collectByOffset(Infinity, 'projects', (range) =>
        session.client.call('project.page', {
          instance,
          search,
          sort: 'path',
          descending: false,
          ...range,
        }),
      );
      const { projects } = page;
      const refreshedAt = page.lists[0]?.refreshedAt ?? null;
      session.terminal.result({ projects, refreshedAt }, () => {
        if (projects.length === 0) {
          if (refreshedAt === null) {
            return 'The list of its projects was never fetched. Leave --offline out, or see "packhorse instance refresh".';
          }
          return search === null
            ? 'This account is a member of no project here; --visible lists all it can see.'
            : `No project matches "${search}".`;
        }
        const age = refreshedAt === null ? 'never fetched' : `as of ${formatTime(refreshedAt)}`;
        return joinLines(listText(projects), '', `${plural(projects.length, 'project')}, ${age}.`);
      });
    });

  registerFind(project);
  registerShow(project);
  registerUsers(project);
  registerEdit(project);
  registerChanges(project);
  registerUploads(project);
}
