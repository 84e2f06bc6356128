/** @file The options of `plan add` and `plan edit`: when, what, and how long to keep, as they are typed. */
import { planBounds } from '../../../../src-contract/bounds.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Retention, ScheduleDraft, Selection } from '../../../../src-contract/plans/plan.ts';
import {
  planNameSchema,
  timeOfDaySchema,
  timeZoneSchema,
} from '../../../../src-contract/plans/plan-schema.ts';
import {
  forEachLimit,
  keepsAll,
  boundsOf,
  retentionPeriods,
  unitOf,
  type RetentionPeriod,
} from '../../../../src-contract/plans/retention-periods.ts';
import type { z } from '../../../../src-contract/schema.ts';
import { scopes, type Scope } from '../../../../src-contract/projects/scope.ts';
import { upperFirst } from '../../../../src-contract/words/first-letter.ts';
import { choice, folder, repeated, numberWithin } from '../terminal/options.ts';
import type { Session } from '../running/session.ts';
import { userPath } from '../../../platform/paths.ts';
import { misused } from '../terminal/misused.ts';

type Zoneless = ScheduleDraft extends infer One
  ? One extends unknown
    ? Omit<One, 'timeZone'>
    : never
  : never;
type Kept = number | 'none';

/** The options `--keep-days`, `--keep-hourly` and so on, as commander names them. */
type KeepOptions = Partial<Record<'keepDays' | `keep${Capitalize<RetentionPeriod>}`, Kept>>;

export interface PlanOptions extends KeepOptions {
  name?: string;
  hourly?: Zoneless;
  daily?: Zoneless;
  weekly?: Zoneless;
  monthly?: Zoneless;
  cron?: Zoneless;
  timeZone?: string;
  all?: boolean;
  scope?: Scope;
  project?: string[];
  group?: string;
  topic?: string;
  visibility?: 'private' | 'internal' | 'public';
  archived?: boolean;
  notArchived?: boolean;
  activeWithin?: number;
  starred?: boolean;
  owned?: boolean;
  namePattern?: string;
  except?: string[];
  keep?: number | 'all';
  everyTime?: boolean;
  /** False: that of the settings. */
  archiveRoot?: string | false;
}

const kinds = ['hourly', 'daily', 'weekly', 'monthly', 'cron'] as const;
const ruleOptions = [
  'group',
  'topic',
  'visibility',
  'archived',
  'notArchived',
  'activeWithin',
  'starred',
  'owned',
  'namePattern',
  'except',
] as const;

/** Only where it is given. */
export const rootOf = ({ archiveRoot }: PlanOptions): { archiveRoot?: string | null } => {
  if (archiveRoot === undefined) return {};
  return { archiveRoot: archiveRoot === false ? null : userPath(archiveRoot) };
};

/** When, what and for how long. @param otherwise what holds where an option is not given. */
export function planOptions(command: Command, otherwise: { zone: string; keep: string }): Command {
  command.option('--name <name>', 'what it is called', valueOf(planNameSchema));
  scheduleOptions(command, otherwise.zone);
  selectionOptions(command);
  keepOptions(command, otherwise.keep);
  command
    .option(
      '--archive-root <folder>',
      'the folder that its new archives go to, which becomes an archive folder',
      folder,
    )
    .option('--no-archive-root', 'its new archives go where the settings say');
  return command.option('--every-time', 'back up also what has not changed since its newest archive');
}

function scheduleOptions(command: Command, zone: string): void {
  const when = (
    kind: (typeof kinds)[number],
    value: string,
    says: string,
    parse: (text: string) => Zoneless,
  ): void => {
    const others = kinds.filter((other) => other !== kind);
    command.addOption(new Option(`--${kind} <${value}>`, says).argParser(parse).conflicts(others));
  };
  when('daily', 'time', 'every day at this time, for example 02:30', (text) => ({
    kind: 'daily',
    at: valueOf(timeOfDaySchema)(text),
  }));
  when('hourly', 'minute', 'every hour at this minute', (text) => ({
    kind: 'hourly',
    minute: numberWithin(planBounds.minute)(text),
  }));
  when('weekly', 'days@time', 'on these days, for example mon-fri@22:00 or sat,sun@04:00', (text) => {
    const { before, at } = splitAt(text, 'mon-fri@22:00');
    return { kind: 'weekly', weekdays: weekdaysOf(before), at };
  });
  when('monthly', 'day@time', 'on this day or the last one, for example 1@03:00 or last@03:00', (text) => {
    const { before, at } = splitAt(text, '1@03:00');
    return { kind: 'monthly', day: before === 'last' ? 31 : numberWithin(planBounds.dayOfMonth)(before), at };
  });
  when('cron', 'expression', 'minute, hour, day of month, month, day of week: "30 2 * * 1-5"', (text) => ({
    kind: 'cron',
    expression: text.trim(),
  }));
  command.option('--time-zone <zone>', `for example Europe/Berlin; ${zone}`, valueOf(timeZoneSchema));
}

/** What a selection means; of several kinds only one may be given, see `selectionOf`. */
export function selectionOptions(command: Command): void {
  command
    .option('--all', 'every project of the scope that you may export')
    .addOption(scopeOption())
    .option('--project <path...>', 'just these projects, by path or id')
    .option('--group <path>', 'projects of this group and its subgroups')
    .option('--topic <name>', 'projects with this topic')
    .addOption(
      choice('--visibility <level>', 'projects of this visibility', ['private', 'internal', 'public']),
    )
    .addOption(
      new Option('--archived', 'only projects that are marked as archived on GitLab').conflicts(
        'notArchived',
      ),
    )
    .option('--not-archived', 'only projects that are not')
    .option(
      '--active-within <days>',
      'only projects with activity in these last days',
      numberWithin(planBounds.activeWithinDays),
    )
    .option('--starred', 'only projects that you have starred')
    .option('--owned', 'only projects that you own')
    .option('--name-pattern <pattern>', 'only projects whose full path fits, for example "team/*-service"')
    .option('--except <pattern>', 'not these, by full path or pattern; may be given several times', repeated);
}

/** What "all" and conditions choose from. */
export const scopeOption = (): Option =>
  new Option(
    '--scope <scope>',
    'member: projects that you are a member of (default); owned: that you own; visible: all that you see',
  ).choices(scopes);

/** @param otherwise what holds where none of them is given. */
export function keepOptions(command: Command, otherwise: string): Command {
  const all = `newest archives kept of each project, or "all"; ${otherwise}`;
  command.option('--keep <count>', all, (text) =>
    text === 'all' ? text : numberWithin(boundsOf('keepLast'))(text),
  );
  const keep = (what: 'days' | RetentionPeriod, value: string, says: string): void => {
    const bounds = boundsOf(what === 'days' ? 'withinDays' : what);
    command.option(`--keep-${what} <${value}>`, says, (text) =>
      text === 'none' ? text : numberWithin(bounds)(text),
    );
  };
  keep('days', 'days', 'also all of these last days; "none" takes such a limit back');
  for (const [at, period] of retentionPeriods.entries()) {
    keep(period, 'count', `${at === 0 ? 'also the newest of each of so many' : '…'} ${unitOf(period)}s`);
  }
  return command;
}

const keepOption = <Period extends RetentionPeriod>(period: Period): `keep${Capitalize<Period>}` =>
  `keep${period.charAt(0).toUpperCase()}${period.slice(1)}` as `keep${Capitalize<Period>}`;

/** The schedule that was typed; null where none was. */
export function scheduleOf(options: PlanOptions, timeZone: string | null): ScheduleDraft | null {
  const given = kinds.flatMap((kind) => options[kind] ?? [])[0];
  return given === undefined ? null : { ...given, timeZone };
}

/** The selection that was typed; null where none was. Asks the instance for the ids of projects that are named. */
export async function selectionOf(
  { client }: Session,
  instance: string,
  options: PlanOptions,
): Promise<Selection | null> {
  const ruled = ruleOptions.some((name) => options[name] !== undefined);
  const ways = [options.all === true, options.project !== undefined, ruled].filter(Boolean).length;
  if (ways > 1) {
    throw misused('Give --all, or --project, or conditions such as --group, not several of them.');
  }
  const scope = options.scope ?? 'member';
  if (options.scope !== undefined && options.project !== undefined) {
    throw misused('Give --scope with --all or with conditions, not with --project.');
  }
  if (options.all === true) return { kind: 'all', scope };
  if (options.project !== undefined) {
    const projects: { id: number; fullPath: string }[] = [];
    for (const project of new Set(options.project)) {
      const { id, fullPath } = await client.call('project.show', { instance, project });
      projects.push({ id, fullPath });
    }
    return { kind: 'projects', projects };
  }
  if (!ruled) {
    if (options.scope === undefined) return null;
    throw misused('Give --scope together with --all or with conditions.');
  }
  return {
    kind: 'rule',
    scope,
    group: options.group ?? null,
    topic: options.topic ?? null,
    visibility: options.visibility ?? null,
    markedArchived: options.notArchived === true ? false : (options.archived ?? null),
    activeWithinDays: options.activeWithin ?? null,
    starred: options.starred ?? null,
    owned: options.owned ?? null,
    name: options.namePattern ?? null,
    except: options.except ?? [],
  };
}

/** What was typed, over what holds otherwise. */
export function retentionOf(options: PlanOptions, before: Retention = keepsAll): Retention {
  const limit = (given: Kept | undefined, was: number | null): number | null =>
    given === 'none' ? null : (given ?? was);
  const base = options.keep === 'all' ? keepsAll : before;
  return forEachLimit((name) => {
    if (name === 'keepLast') return options.keep === 'all' ? null : (options.keep ?? base.keepLast);
    return limit(options[name === 'withinDays' ? 'keepDays' : keepOption(name)], base[name]);
  });
}

function valueOf(schema: z.ZodType<string>): (text: string) => string {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const message = issue?.message ?? 'not valid';
    throw new InvalidArgumentError(`${upperFirst(message)}.`);
  };
}

function splitAt(text: string, example: string): { before: string; at: string } {
  const [before = '', at, ...more] = text.trim().toLowerCase().split('@');
  if (before === '' || at === undefined || more.length > 0) {
    throw new InvalidArgumentError(`Write it like ${example}.`);
  }
  return { before, at: valueOf(timeOfDaySchema)(at) };
}

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Monday is 1. Days by their first three letters or whole names, ranges of them, with commas between. */
function weekdaysOf(text: string): number[] {
  const dayOf = (name: string): number => {
    const at = days.findIndex((day) => name === day || (name.startsWith(day) && name.endsWith('day')));
    if (at === -1)
      throw new InvalidArgumentError(`"${name}" is no day: write mon, tue, wed, thu, fri, sat or sun.`);
    return at + 1;
  };
  const found = text.split(',').flatMap((part) => {
    const [from = '', to, ...more] = part.split('-').map((name) => name.trim());
    if (more.length > 0) throw new InvalidArgumentError('Write days like mon-fri or sat,sun.');
    const first = dayOf(from);
    const last = to === undefined ? first : dayOf(to);
    // From Saturday to Monday goes over the end of the week.
    const count = ((last - first + 7) % 7) + 1;
    return Array.from({ length: count }, (_, at) => ((first - 1 + at) % 7) + 1);
  });
  return [...new Set(found)].sort((one, other) => one - other);
}
