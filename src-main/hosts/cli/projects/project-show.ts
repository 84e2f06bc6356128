/** @file `packhorse project show`: everything that an instance returns about one project. */
import type { ProjectDetails } from '../../../../src-contract/projects/project-details.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { joinLines, plural, table, timeOrNone, tableOf } from '../terminal/format.ts';
import { roleOf } from './project-state.ts';
import type { AppCommand, InstanceOptions } from '../running/app-command.ts';

interface ShowOptions extends InstanceOptions {
  license?: boolean;
  statistics?: boolean;
  customAttributes?: boolean;
  attributes?: boolean;
}

export function registerShow(project: AppCommand): void {
  project
    .subcommand('show', 'show everything that the instance returns about a project')
    .option('--license', 'with its license')
    .option('--statistics', 'with its sizes and number of commits (at least the role Reporter)')
    .option('--custom-attributes', 'with its custom attributes (administrators)')
    .option('--attributes', 'list every attribute by its name; --json always has them')
    .projectArgument()
    .operations('get-project')
    .withToken(async ({ client, terminal }, project: string, options: ShowOptions) => {
      const { instance, license = false, statistics = false, customAttributes = false } = options;
      const parts = { license, statistics, customAttributes };
      const details = await client.call('project.details', { instance, project, ...parts });
      terminal.result(details, () => detailsText(details, options));
    });
}

const notShownLines = (isRequested: boolean | undefined, what: string): string[] =>
  isRequested === true ? ['', `The instance does not show this account ${what}.`] : [];

function detailsText(details: ProjectDetails, options: ShowOptions): string {
  const { statistics, customAttributes } = details;
  return joinLines(
    table(['FIELD', 'VALUE'], fieldsOf(details, options)),
    statistics === null
      ? notShownLines(options.statistics, "the project's statistics")
      : ['', table(['STATISTICS', ''], Object.entries(statistics).map(statisticRow))],
    customAttributes === null
      ? notShownLines(options.customAttributes, "the project's custom attributes")
      : ['', customAttributesText(customAttributes)],
    options.attributes === true && ['', attributeTable(details)],
  );
}

const statisticRow = ([name, value]: [string, number]): [string, string] => [
  name,
  name.endsWith('_size') ? formatBytes(value) : String(value),
];

function customAttributesText(attributes: NonNullable<ProjectDetails['customAttributes']>): string {
  if (attributes.length === 0) return 'It has no custom attribute.';
  return tableOf(attributes, ({ key, value }) => ({ 'CUSTOM ATTRIBUTE': key, VALUE: value }));
}

type Field = [name: string, value: string | null];

function fieldsOf(details: ProjectDetails, options: ShowOptions): Field[] {
  const { project, license, topics, forkedFrom, markedForDeletionOn } = details;
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
    ...(markedForDeletionOn === null ? [] : [['marked for deletion', markedForDeletionOn] satisfies Field]),
    ['default branch', project.defaultBranch],
    ['topics', topics.length === 0 ? null : topics.join(', ')],
    ['forked from', forkedFrom?.fullPath ?? null],
    ['stars', count(details.starCount)],
    ['forks', count(details.forksCount)],
    ['open issues', count(details.openIssuesCount)],
    ['created', timeOrNone(project.createdAt)],
    ['last activity', timeOrNone(project.lastActivityAt)],
    ['import', project.importStatus],
    ...(options.license === true ? [['license', license?.name ?? null] satisfies Field] : []),
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
