/** @file `packhorse project find` and `forks`: an instance's own lists of projects, with all their filters. */
import { Option } from 'commander';
import { listFilters, type ListFilter } from '../../../../src-contract/projects/list-filters.ts';
import { projectQuerySchema } from '../../../../src-contract/projects/project-details-schema.ts';
import type {
  FoundProject,
  projectListKinds,
  ProjectQuery,
} from '../../../../src-contract/projects/project-details.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { joinLines, plural, timeOrNone, tableOf } from '../terminal/format.ts';
import { collectList, moreLine } from '../instances/on-instance.ts';
import { collectRepeated, integerParser, usageError } from '../terminal/options.ts';
import { parsePairs } from './pairs.ts';
import { projectStateText, roleOf } from './project-state.ts';
import { useTokenOption, type Session } from '../running/session.ts';
import type { AppCommand, ListOptions } from '../running/app-command.ts';

type ListKind = (typeof projectListKinds)[number];

interface FindOptions extends ListOptions {
  user?: string;
  contributed?: boolean;
  starred?: boolean;
  group?: string;
  forksOf?: string;
  customAttribute?: string[];
}

/** The option `--starred` already selects a list, so the filter `starred` gets another name. */
const flagNames: Record<string, string> = { starred: 'starred-by-me' };
const flagOf = (name: string): string => `--${flagNames[name] ?? name.replaceAll('_', '-')}`;

const queryNames = new Set(Object.keys(projectQuerySchema.shape));

/** Returns the filters that become options of the same name; custom attributes have a special option. */
const filtersOf = (parameters: readonly ListFilter[]): readonly ListFilter[] =>
  parameters.filter(({ name }) => queryNames.has(name));

function optionOf({ name, type, values, note, ...parameter }: ListFilter): Option {
  const about = [
    ...(note === undefined ? [] : [note]),
    ...(parameter.administratorsOnly === true ? ['administrators only'] : []),
    ...(parameter.tier === undefined ? [] : ['higher tiers']),
  ].join('; ');
  const flag = flagOf(name);
  if (type === 'boolean') return new Option(flag, about);
  const option = new Option(
    `${flag} <${type === 'integer' ? 'number' : type === 'string' ? 'text' : 'time'}>`,
    about,
  );
  if (type === 'integer') return option.argParser(integerParser(0, 999_999_999));
  return values === undefined ? option : option.choices(values);
}

function filterOptions(command: AppCommand, parameters: readonly ListFilter[]): void {
  for (const parameter of filtersOf(parameters)) {
    command.addOption(optionOf(parameter));
    if (parameter.falseSelectsOpposite !== true) continue;
    command.addOption(new Option(`--no-${flagOf(parameter.name).slice(2)}`, 'the opposite'));
  }
}

/** The values are valid, because parsing has checked them. */
function queryOf(command: AppCommand, parameters: readonly ListFilter[]): ProjectQuery {
  const given = filtersOf(parameters).flatMap(({ name }) => {
    const value: unknown = command.getOptionValue(new Option(flagOf(name)).attributeName());
    return value === undefined ? [] : [[name, value]];
  });
  return projectQuerySchema.parse(Object.fromEntries(given));
}

const projectFilters = listFilters['list-projects'];
const forkFilters = listFilters['list-forks'];

export function registerFind(project: AppCommand): void {
  project
    .subcommand('find', 'find projects of an instance, in its current lists')
    .option('--user <user>', "those in a user's own namespace (id or username)")
    .option('--contributed', 'with --user: those that the user contributed to')
    .option('--starred', 'with --user: those that the user starred')
    .option('--group <group>', 'those of a group and its subgroups (full path or id)')
    .option('--forks-of <project>', 'forks of a project (full path or id)')
    .option('--custom-attribute <key=value>', 'with this custom attribute (repeatable)', collectRepeated)
    .instanceOptions()
    .listOptions()
    .operations(
      'list-projects',
      'list-user-projects',
      'list-contributed-projects',
      'list-starred-projects',
      'list-forks',
    )
    .use(filterOptions, projectFilters)
    .withApp(async (session, options: FindOptions, command: AppCommand) => {
      const query = queryOf(command, projectFilters);
      const custom = parsePairs(options.customAttribute ?? []);
      const { list, of } = chooseList(options);
      // Only a list ordered by id continues beyond 50,000 projects.
      const byId = options.all === true && list === 'all' && query.order_by === undefined;
      return showProjects(session, options, list, of, {
        ...query,
        ...(byId && { order_by: 'id' }),
        ...(custom.length > 0 && { custom_attributes: Object.fromEntries(custom) }),
      });
    });

  project
    .subcommand('forks', 'list the forks of a project that you can see')
    .projectArgument()
    .listOptions()
    .operations('list-forks')
    .use(filterOptions, forkFilters)
    .withApp((session, of: string, options: ListOptions, command: AppCommand) =>
      showProjects(session, options, 'forks', of, queryOf(command, forkFilters)),
    );
}

function chooseList(options: FindOptions): { list: ListKind; of: string | null } {
  const { user, group, forksOf, contributed = false, starred = false } = options;
  const chosen = [user, group, forksOf].filter((one) => one !== undefined);
  if (chosen.length > 1) throw usageError('Give one of --user, --group and --forks-of.');
  if (contributed && starred) throw usageError('Give --contributed or --starred, not both.');
  if (user === undefined && (contributed || starred)) {
    throw usageError(
      `Give the user with --user${starred ? '; --starred-by-me lists the projects that you starred' : ''}.`,
    );
  }
  if (user !== undefined)
    return { list: contributed ? 'contributed' : starred ? 'starred' : 'user', of: user };
  if (group !== undefined) return { list: 'group', of: group };
  return forksOf === undefined ? { list: 'all', of: null } : { list: 'forks', of: forksOf };
}

async function showProjects(
  session: Session,
  options: ListOptions,
  list: ListKind,
  of: string | null,
  query: ProjectQuery,
): Promise<undefined> {
  const { instance } = options;
  await useTokenOption(session, instance, options);
  let total: number | null = null;
  const { entries: projects, more } = await collectList(options, 'projects', async (pageRequest) => {
    const page = await session.client.call('project.find', { instance, list, of, query, ...pageRequest });
    total ??= page.total;
    return page;
  });
  const simple = query.simple === true;
  const shown = simple ? projects.map(simpleOf) : projects;
  session.terminal.result({ projects: shown, total, more }, () => {
    if (projects.length === 0) {
      return list === 'group' ? `No project is found in the group ${of ?? ''}.` : 'No project is found.';
    }
    const countText =
      total === null || total === projects.length
        ? plural(projects.length, 'project')
        : `${projects.length} of ${plural(total, 'project')}`;
    const rows = simple ? simpleTable(projects) : projectTable(projects);
    return joinLines(rows, '', `${countText}.`, more && ['', moreLine]);
  });
}

/** Returns the fields of a simple list. GitLab does not send the other fields, so they must not be shown as values. */
const simpleOf = ({ id, fullPath, name, description, ...project }: FoundProject) => ({
  id,
  fullPath,
  name,
  description,
  defaultBranch: project.defaultBranch,
  webUrl: project.webUrl,
  createdAt: project.createdAt,
  lastActivityAt: project.lastActivityAt,
  ...(project.customAttributes && { customAttributes: project.customAttributes }),
});

const simpleTable = (projects: readonly FoundProject[]): string =>
  tableOf(projects, ({ id, fullPath, defaultBranch, lastActivityAt, webUrl }) => ({
    ID: id,
    PROJECT: fullPath,
    'DEFAULT BRANCH': defaultBranch,
    'LAST ACTIVITY': timeOrNone(lastActivityAt),
    ADDRESS: webUrl,
  }));

/** Returns a heading such as `LFS OBJECTS` for `lfs_objects_size`. */
const statisticHeading = (name: string): string =>
  name
    .replace(/_(?:size|count)$/, (end) => (end === '_count' ? 's' : ''))
    .replaceAll('_', ' ')
    .toUpperCase();

function projectTable(projects: readonly FoundProject[]): string {
  const statisticNames = [...new Set(projects.flatMap(({ statistics }) => Object.keys(statistics ?? {})))];
  const hasCustom = projects.some(({ customAttributes }) => customAttributes !== undefined);
  return tableOf(projects, (found) => ({
    ID: found.id,
    PROJECT: found.fullPath,
    VISIBILITY: found.visibility,
    ROLE: roleOf(found),
    STATE: projectStateText(found),
    'LAST ACTIVITY': timeOrNone(found.lastActivityAt),
    ...Object.fromEntries(
      statisticNames.map((name) => {
        const value = found.statistics?.[name] ?? null;
        const isSize = value !== null && name.endsWith('_size');
        return [statisticHeading(name), isSize ? formatBytes(value) : value];
      }),
    ),
    ...(hasCustom && {
      'CUSTOM ATTRIBUTES':
        found.customAttributes?.map(({ key, value }) => `${key}=${value}`).join(', ') ?? '',
    }),
  }));
}
