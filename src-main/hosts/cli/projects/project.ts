/** @file `packhorse project …`: the projects of an instance. */
import type { Command } from 'commander';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { ProjectRow, BackupStatus } from '../../../../src-contract/projects/project.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { backupStatusWords } from '../../../../src-contract/words/states.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { formatTime, plural, table } from '../terminal/format.ts';
import { addInstanceOptions, type InstanceOptions } from '../instances/on-instance.ts';
import { inPages } from '../terminal/pages.ts';
import { registerChanges } from './project-change.ts';
import { registerEdit } from './project-edit.ts';
import { registerFind } from './project-find.ts';
import { registerPeople } from './project-people.ts';
import { registerShow } from './project-show.ts';
import { projectStateText } from './project-state.ts';
import { registerUploads } from './project-uploads.ts';
import { roleOf } from './roles.ts';
import { runWithApp, showProgress, takeToken, type Session } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';

interface ListOptions extends InstanceOptions {
  offline?: boolean;
  visible?: boolean;
  search?: string;
}

/** States that need attention are in capitals, because a terminal may have no colours. */
const alarming: readonly BackupStatus[] = ['absent', 'damaged', 'incomplete', 'suspicious', 'failed'];

function backupText(project: {
  backupStatus: BackupStatus;
  newestArchive: unknown;
  newCopy?: boolean | undefined;
}): string {
  const { backupStatus, newestArchive: newest, newCopy } = project;
  const { text } = backupStatusWords({ backupStatus, held: newest !== null, newCopy });
  return alarming.includes(backupStatus) ? text.toUpperCase() : lowerFirst(text);
}

/** Asks the instance for its projects. If there may be very many, the count is printed first. */
export async function refresh(
  session: Session,
  name: string,
  visible: boolean,
): Promise<CallReply<'instance.refresh'>> {
  const show = showProgress(session, 'Projects');
  let told = !visible;
  return session.client.call('instance.refresh', { name, visible }, (progress) => {
    if (!told) {
      const { total } = progress;
      const many = total === null ? 'more projects than GitLab counts' : plural(total, 'project');
      session.terminal.note(`This account can see ${many} there; fetching all of them.`);
    }
    told = true;
    show(progress);
  });
}

export function projectCommand(program: Command): void {
  const project = program.command('project').description('the projects of an instance');

  addOperationsHelp(
    addInstanceOptions(
      project
        .command('list')
        .description('projects you are a member of, and how each is backed up')
        .option('--offline', 'as last fetched, without asking the instance')
        .option('--visible', 'everything visible, not only where you are a member')
        .option('--search <text>', 'part of the path or name'),
    ),
    'list-projects',
  ).action(async (options: ListOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance, search = null, visible = false } = options;
      if (options.offline !== true) {
        await takeToken(session, instance, options);
        await refresh(session, instance, visible);
      }
      let refreshedAt: string | null = null;
      const { entries: projects } = await inPages<ProjectRow>(Infinity, async (limit, from) => {
        const offset = Number(from ?? 0);
        const page = await session.client.call('project.page', {
          instance,
          search,
          sort: 'path',
          descending: false,
          offset,
          limit,
        });
        refreshedAt = page.lists[0]?.refreshedAt ?? null;
        const end = offset + page.projects.length;
        return { entries: page.projects, next: end < page.total && end > offset ? String(end) : null };
      });
      session.terminal.result({ projects, refreshedAt }, () => {
        const rows = projects.map((listed) => [
          listed.id,
          listed.fullPath,
          listed.visibility,
          roleOf(listed),
          projectStateText(listed),
          listed.lastActivityAt === null ? null : formatTime(listed.lastActivityAt),
          backupText(listed),
        ]);
        if (rows.length === 0) {
          if (refreshedAt === null) {
            return 'The list of its projects was never fetched. Leave --offline out, or see "packhorse instance refresh".';
          }
          return search === null
            ? 'This account is a member of no project here; --visible lists all it can see.'
            : `No project matches "${search}".`;
        }
        const age = refreshedAt === null ? 'never fetched' : `as of ${formatTime(refreshedAt)}`;
        return `${table(['ID', 'PROJECT', 'VISIBILITY', 'ROLE', 'STATE', 'LAST ACTIVITY', 'BACKUP'], rows)}\n\n${plural(projects.length, 'project')}, ${age}.`;
      });
      return exitCodes.done;
    });
  });

  registerFind(project);
  registerShow(project);
  registerPeople(project);
  registerEdit(project);
  registerChanges(project);
  registerUploads(project);
}
