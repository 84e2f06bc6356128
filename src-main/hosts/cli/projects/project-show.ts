/** @file `packhorse project show`: everything that an instance returns about one project. */
import type { Command } from 'commander';
import type { ProjectDetails } from '../../../../src-contract/projects/project-details.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { formatTime, plural, table } from '../terminal/format.ts';
import { addProjectArgument, type InstanceOptions } from '../instances/on-instance.ts';
import { roleOf } from './roles.ts';
import { runWithApp, takeToken } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';

interface ShowOptions extends InstanceOptions {
  license?: boolean;
  statistics?: boolean;
  customAttributes?: boolean;
  attributes?: boolean;
}

export function registerShow(project: Command): void {
  addOperationsHelp(
    addProjectArgument(
      project
        .command('show')
        .description('all that the instance tells of one project')
        .option('--license', 'with its license')
        .option('--statistics', 'with its sizes and number of commits (from the role Reporter)')
        .option('--custom-attributes', 'with its custom attributes (administrators)')
        .option('--attributes', 'list every attribute by its name; --json always has them'),
    ),
    'get-project',
  ).action(async (path: string, options: ShowOptions, command: Command) => {
    await runWithApp(command, async (session) => {
      const { instance, license = false, statistics = false, customAttributes = false } = options;
      await takeToken(session, instance, options);
      const wanted = { license, statistics, customAttributes };
      const details = await session.client.call('project.details', { instance, project: path, ...wanted });
      session.terminal.result(details, () => detailsText(details, options));
      return exitCodes.done;
    });
  });
}

/** Says which requested parts the account may not see. */
const withheld = (asked: boolean | undefined, what: string): string[] =>
  asked === true ? ['', `This account is not shown ${what}.`] : [];

function detailsText(details: ProjectDetails, options: ShowOptions): string {
  const { statistics, customAttributes } = details;
  return [
    table(['FIELD', 'VALUE'], fieldsOf(details, options)),
    ...(statistics === null
      ? withheld(options.statistics, 'its statistics')
      : [
          '',
          table(
            ['STATISTICS', ''],
            Object.entries(statistics).map(([name, value]) => [
              name,
              name.endsWith('_size') ? formatBytes(value) : String(value),
            ]),
          ),
        ]),
    ...(customAttributes === null
      ? withheld(options.customAttributes, 'its custom attributes')
      : [
          '',
          customAttributes.length === 0
            ? 'It has no custom attribute.'
            : table(
                ['CUSTOM ATTRIBUTE', 'VALUE'],
                customAttributes.map(({ key, value }) => [key, value]),
              ),
        ]),
    ...(options.attributes === true ? ['', attributeTable(details)] : []),
  ].join('\n');
}

const time = (at: string | null): string | null => (at === null ? null : formatTime(at));

function fieldsOf(details: ProjectDetails, options: ShowOptions): [string, string | null][] {
  const { project, license, topics, forkedFrom } = details;
  const count = (value: number | null): string | null => (value === null ? null : String(value));
  return [
    ['path', project.fullPath],
    ['name', project.name],
    ['id', String(project.id)],
    ['address', project.webUrl],
    ['description', project.description],
    ['visibility', project.visibility],
    ['owner', details.owner],
    ['your role', roleOf(project)],
    ['archived', project.archived ? 'yes' : 'no'],
    ...(details.markedForDeletionOn === null
      ? []
      : [['marked for deletion', details.markedForDeletionOn] as [string, string]]),
    ['default branch', project.defaultBranch],
    ['topics', topics.length === 0 ? null : topics.join(', ')],
    ['forked from', forkedFrom?.fullPath ?? null],
    ['stars', count(details.starCount)],
    ['forks', count(details.forksCount)],
    ['open issues', count(details.openIssuesCount)],
    ['created', time(project.createdAt)],
    ['last activity', time(project.lastActivityAt)],
    ['import', project.importStatus],
    ...(options.license === true ? [['license', license?.name ?? null] as [string, string | null]] : []),
  ];
}

/** Returns a table of the attributes with values as `--set` accepts them. */
function attributeTable({ attributes }: ProjectDetails): string {
  const rows = Object.entries(attributes).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value ?? null),
  ]);
  return `${table(['ATTRIBUTE', 'VALUE'], rows)}\n\n${plural(rows.length, 'attribute')}.`;
}
