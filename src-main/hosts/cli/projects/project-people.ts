/** @file `packhorse project users`, `groups`, `share-locations`, `starrers` and `languages`. */
import { InvalidArgumentError, type Command } from 'commander';
import type { GroupSummary, ProjectUser } from '../../../../src-contract/projects/project-details.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { formatTime, table } from '../terminal/format.ts';
import {
  listOptions,
  moreLines,
  addProjectArgument,
  wholeList,
  type ListOptions,
  type InstanceOptions,
} from '../instances/on-instance.ts';
import { wholeNumber } from '../terminal/options.ts';
import { runWithApp, takeToken } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';

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

const readId = wholeNumber(1, 999_999_999);

/** For an option that takes an id and may be given several times. */
function repeatedId(text: string, previous: number[] | undefined): number[] {
  const id = readId(text);
  if (previous?.includes(id) === true) throw new InvalidArgumentError('It is given twice.');
  return [...(previous ?? []), id];
}

const userRow = (user: ProjectUser): [number, string, string, string] => [
  user.id,
  user.username,
  user.name,
  user.state,
];

const groupTable = (groups: GroupSummary[]): string =>
  table(
    ['ID', 'GROUP', 'NAME'],
    groups.map((group) => [group.id, group.fullPath, group.fullName]),
  );

export function registerPeople(project: Command): void {
  const list = (name: string, description: string): Command =>
    listOptions(addProjectArgument(project.command(name).description(description))).option(
      '--search <text>',
      'part of the name',
    );

  addOperationsHelp(
    list('users', 'who is in it').option('--skip <id>', 'leave out this user (repeatable)', repeatedId),
    'list-project-users',
  ).action(async (path: string, options: UserOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance, search = null, skip = [] } = options;
      await takeToken(session, instance, options);
      const { entries: users, more } = await wholeList(options, async (place) => {
        const request = { instance, project: path, search, skipUsers: skip, ...place };
        const part = await session.client.call('project.users', request);
        return { entries: part.users, next: part.next };
      });
      session.terminal.result({ users, more }, () =>
        users.length === 0
          ? 'No user is found.'
          : [table(['ID', 'USER', 'NAME', 'STATE'], users.map(userRow)), ...moreLines(more)].join('\n'),
      );
      return exitCodes.done;
    });
  });

  addOperationsHelp(
    list('groups', 'the groups it is in, and with --with-shared those it is shared with')
      .option('--with-shared', 'also groups it is shared with')
      .option(
        '--shared-min-access-level <number>',
        'of those, the ones with at least this role (30 Developer, 40 Maintainer)',
        wholeNumber(0, 60),
      )
      .option('--shared-visible-only', 'of those, the ones you may see')
      .option('--skip <id>', 'leave out this group (repeatable)', repeatedId),
    'list-project-groups',
  ).action(async (path: string, options: GroupOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance, search = null, skip = [] } = options;
      await takeToken(session, instance, options);
      const { entries: groups, more } = await wholeList(options, async (place) => {
        const part = await session.client.call('project.groups', {
          instance,
          project: path,
          search,
          withShared: options.withShared ?? false,
          sharedMinAccessLevel: options.sharedMinAccessLevel ?? null,
          sharedVisibleOnly: options.sharedVisibleOnly ?? false,
          skipGroups: skip,
          ...place,
        });
        return { entries: part.groups, next: part.next };
      });
      session.terminal.result({ groups, more }, () =>
        groups.length === 0 ? 'No group is found.' : [groupTable(groups), ...moreLines(more)].join('\n'),
      );
      return exitCodes.done;
    });
  });

  addOperationsHelp(list('share-locations', 'groups it could be shared with'), 'list-share-locations').action(
    async (path: string, options: SearchOptions, command: Command) => {
      await runWithApp(command, async (session) => {
        const { instance, search = null } = options;
        await takeToken(session, instance, options);
        const { entries: groups, more } = await wholeList(options, async (place) => {
          const request = { instance, project: path, search, ...place };
          const part = await session.client.call('project.shareLocations', request);
          return { entries: part.groups, next: part.next };
        });
        session.terminal.result({ groups, more }, () =>
          groups.length === 0 ? 'No group is found.' : [groupTable(groups), ...moreLines(more)].join('\n'),
        );
        return exitCodes.done;
      });
    },
  );

  addOperationsHelp(list('starrers', 'who starred it'), 'list-starrers').action(
    async (path: string, options: SearchOptions, command: Command) => {
      await runWithApp(command, async (session) => {
        const { instance, search = null } = options;
        await takeToken(session, instance, options);
        const { entries: starrers, more } = await wholeList(options, async (place) => {
          const request = { instance, project: path, search, ...place };
          const part = await session.client.call('project.starrers', request);
          return { entries: part.starrers, next: part.next };
        });
        session.terminal.result({ starrers, more }, () => {
          const rows = starrers.map(({ user, starredSince }) => [...userRow(user), formatTime(starredSince)]);
          return rows.length === 0
            ? 'Nobody starred it.'
            : [table(['ID', 'USER', 'NAME', 'STATE', 'SINCE'], rows), ...moreLines(more)].join('\n');
        });
        return exitCodes.done;
      });
    },
  );

  addOperationsHelp(
    addProjectArgument(project.command('languages').description('its languages')),
    'get-languages',
  ).action(async (path: string, options: InstanceOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance } = options;
      await takeToken(session, instance, options);
      const told = await session.client.call('project.languages', { instance, project: path });
      session.terminal.result(told, () => {
        const rows = Object.entries(told.languages).map(([name, percent]) => [name, `${percent} %`]);
        return rows.length === 0
          ? 'The instance found no language in it.'
          : table(['LANGUAGE', 'SHARE'], rows);
      });
      return exitCodes.done;
    });
  });
}
