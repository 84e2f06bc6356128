/** @file `packhorse project users`, `groups`, `share-locations`, `starrers` and `languages`. */
import { InvalidArgumentError } from 'commander';
import type { GroupSummary, ProjectUser } from '../../../../src-contract/projects/project-details.ts';
import { showList } from '../instances/on-instance.ts';
import type { AppCommand, InstanceOptions, ListOptions } from '../running/app-command.ts';
import { formatTime, table } from '../terminal/format.ts';
import { readId, integerParser } from '../terminal/options.ts';

interface SearchOptions extends ListOptions {
  search?: string;
}

interface UserOptions extends SearchOptions {
  skip?: number[];
}

interface GroupOptions extends UserOptions {
  withShared?: boolean;
  sharedMinAccessLevel?: number;
  sharedVisibleOnly?: boolean;
}

/** Collects the ids of an option that may be given several times. */
function collectId(text: string, previous: number[] | undefined): number[] {
  const id = readId(text);
  if (previous?.includes(id) === true) throw new InvalidArgumentError('This id is given twice.');
  return [...(previous ?? []), id];
}

const userCells = ({ id, username, name, state }: ProjectUser) => ({
  ID: id,
  USER: username,
  NAME: name,
  STATE: state,
});

const groupCells = ({ id, fullPath, fullName }: GroupSummary) => ({
  ID: id,
  GROUP: fullPath,
  NAME: fullName,
});

export function registerUsers(project: AppCommand): void {
  const list = (name: string, description: string): AppCommand =>
    project
      .subcommand(name, description)
      .projectArgument()
      .listOptions()
      .option('--search <text>', 'part of the name');

  list('users', 'users of a project')
    .option('--skip <id>', 'leave out this user (repeatable)', collectId)
    .operations('list-project-users')
    .withToken((session, project: string, options: UserOptions) => {
      const { instance, search = null, skip: skipUsers = [] } = options;
      return showList(session, options, {
        key: 'users',
        fetchPage: (pageRequest) =>
          session.client.call('project.users', { instance, project, search, skipUsers, ...pageRequest }),
        none: 'No user is found.',
        cellsOf: userCells,
      });
    });

  list('groups', 'groups that contain a project, and with --with-shared the groups it is shared with')
    .option('--with-shared', 'also the groups that the project is shared with')
    .option(
      '--shared-min-access-level <number>',
      'only shared groups with at least this role (30 Developer, 40 Maintainer)',
      integerParser(0, 60),
    )
    .option('--shared-visible-only', 'only shared groups that you can see')
    .option('--skip <id>', 'leave out this group (repeatable)', collectId)
    .operations('list-project-groups')
    .withToken((session, project: string, options: GroupOptions) => {
      const request = {
        instance: options.instance,
        project,
        search: options.search ?? null,
        withShared: options.withShared ?? false,
        sharedMinAccessLevel: options.sharedMinAccessLevel ?? null,
        sharedVisibleOnly: options.sharedVisibleOnly ?? false,
        skipGroups: options.skip ?? [],
      };
      return showList(session, options, {
        key: 'groups',
        fetchPage: (pageRequest) => session.client.call('project.groups', { ...request, ...pageRequest }),
        none: 'No group is found.',
        cellsOf: groupCells,
      });
    });

  list('share-locations', 'groups that a project could be shared with')
    .operations('list-share-locations')
    .withToken((session, project: string, options: SearchOptions) => {
      const { instance, search = null } = options;
      return showList(session, options, {
        key: 'groups',
        fetchPage: (pageRequest) =>
          session.client.call('project.shareLocations', { instance, project, search, ...pageRequest }),
        none: 'No group is found.',
        cellsOf: groupCells,
      });
    });

  list('starrers', 'users who starred a project')
    .operations('list-starrers')
    .withToken((session, project: string, options: SearchOptions) => {
      const { instance, search = null } = options;
      return showList(session, options, {
        key: 'starrers',
        fetchPage: (pageRequest) =>
          session.client.call('project.starrers', { instance, project, search, ...pageRequest }),
        none: 'Nobody starred it.',
        cellsOf: ({ user, starredSince }) => ({ ...userCells(user), SINCE: formatTime(starredSince) }),
      });
    });

  project
    .subcommand('languages', 'the languages of a project')
    .projectArgument()
    .operations('get-languages')
    .withToken(async ({ client, terminal }, project: string, { instance }: InstanceOptions) => {
      const found = await client.call('project.languages', { instance, project });
      terminal.result(found, () => {
        const rows = Object.entries(found.languages).map(([name, percent]) => [name, `${percent} %`]);
        return rows.length === 0
          ? 'The instance found no language in it.'
          : table(['LANGUAGE', 'SHARE'], rows);
      });
    });
}
