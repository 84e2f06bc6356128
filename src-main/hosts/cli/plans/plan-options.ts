/** @file The options of `plan add` and `plan edit` for the schedule, the selection and the retention. */
import { planBounds } from '../../../../src-contract/bounds.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  planNameSchema,
  timeOfDaySchema,
  timeZoneSchema,
} from '../../../../src-contract/plans/plan-schema.ts';
import type { Retention, ScheduleDraft, Selection } from '../../../../src-contract/plans/plan.ts';
import { unlimitedRetention } from '../../../../src-contract/plans/retention-periods.ts';
import { initialValues, pickOptions, type OptionDeclaration } from '../../../../src-contract/options.ts';
import { retentionOptions } from '../../../../src-contract/plans/options/retention.ts';
import { ruleConditions } from '../../../../src-contract/plans/options/rule.ts';
import {
  scheduleKinds,
  scheduleOptions,
  timeZoneOption,
  weekdayWords,
  type ScheduleKind,
  type ScheduleTimes,
} from '../../../../src-contract/plans/options/schedule.ts';
import { planSettings, type PlanSettings } from '../../../../src-contract/plans/options/settings.ts';
import type { z } from '../../../../src-contract/schema.ts';
import { scopes, type Scope } from '../../../../src-contract/projects/scope.ts';
import { upperFirst } from '../../../../src-contract/words/first-letter.ts';
import { addOptions, commanderOptions, givenOptions, valueOption } from '../terminal/declared-options.ts';
import {
  omitUndefined,
  parseFolder,
  numberWithin,
  resolveOptionPath,
  usageError,
} from '../terminal/options.ts';
import type { Session } from '../running/session.ts';

export interface PlanOptions extends Partial<Record<ScheduleKind, ScheduleTimes>> {
  name?: string;
  timeZone?: string;
  all?: boolean;
  scope?: Scope;
  project?: string[];
  /** False selects the folder of the settings. */
  archiveRoot?: string | false;
}

export const archiveRootOf = ({ archiveRoot }: PlanOptions): { archiveRoot?: string | null } =>
  omitUndefined({ archiveRoot: archiveRoot === false ? null : resolveOptionPath(archiveRoot) });

/** @param defaultTexts texts about the values that apply if an option is not given. */
export function addPlanOptions(
  command: Command,
  defaultTexts: { zone: string; keep: string },
  isEdit: boolean,
): Command {
  command.option('--name <name>', 'the name of the plan', schemaParser(planNameSchema));
  addScheduleOptions(command, defaultTexts.zone);
  addSelectionOptions(command);
  addRetentionOptions(command, defaultTexts.keep);
  command
    .option(
      '--archive-root <folder>',
      'the folder for its new archives; it is added to the archive folders',
      parseFolder,
    )
    .option('--no-archive-root', 'store its new archives in the folder of the settings');
  for (const { isAddOption, ...declared } of Object.values(planSettings)) {
    if (!isEdit && !isAddOption) continue;
    // For a new plan, the flag of the initial value would have no effect.
    const options = commanderOptions(declared).filter(
      (option) => isEdit || differsFromInitial(declared, option),
    );
    for (const option of options) command.addOption(option);
  }
  return command;
}

function differsFromInitial(declared: OptionDeclaration, option: Option): boolean {
  if (declared.kind !== 'switch') return true;
  return option.long === `--${(declared.initial ? declared.off : declared.on).flag}`;
}

function addScheduleOptions(command: Command, zone: string): void {
  for (const kind of scheduleKinds) {
    const others = scheduleKinds.filter((other) => other !== kind);
    command.addOption(
      valueOption(scheduleOptions[kind]).argParser<ScheduleTimes>(parsers[kind]).conflicts(others),
    );
  }
  const { help, ...option } = timeZoneOption;
  command.addOption(
    valueOption({ ...option, help: `${help}; ${zone}` }).argParser(schemaParser(timeZoneSchema)),
  );
}

const parsers: { [Kind in ScheduleKind]: (text: string) => ScheduleTimes<Kind> } = {
  daily: (text) => ({ kind: 'daily', at: schemaParser(timeOfDaySchema)(text) }),
  hourly: (text) => ({ kind: 'hourly', minute: numberWithin(planBounds.minute)(text) }),
  weekly(text) {
    const { before: days, at } = splitDaysAndTime(text, 'mon-fri@22:00');
    return { kind: 'weekly', weekdays: weekdaysOf(days), at };
  },
  monthly(text) {
    const { before: days, at } = splitDaysAndTime(text, '1@03:00');
    return { kind: 'monthly', day: days === 'last' ? 31 : numberWithin(planBounds.dayOfMonth)(days), at };
  },
  cron: (text) => ({ kind: 'cron', expression: text.trim() }),
};

/** Adds the options that choose projects; `selectionOf` refuses more than one kind of choice. */
export function addSelectionOptions(command: Command): void {
  command
    .option('--all', 'every project of the scope that you may export')
    .addOption(scopeOption())
    .option('--project <path...>', 'only these projects, by path or id');
  addOptions(command, ruleConditions);
}

/** The projects that "all" and conditions choose from. */
export const scopeOption = (): Option =>
  new Option(
    '--scope <scope>',
    'member: projects that you are a member of (default); owned: that you own; visible: all that you see',
  ).choices(scopes);

export function addRetentionOptions(command: Command, defaultText: string): Command {
  const { keepLast } = retentionOptions;
  return addOptions(command, {
    ...retentionOptions,
    keepLast: { ...keepLast, help: `${keepLast.help}; ${defaultText}` },
  });
}

export function scheduleOf(options: PlanOptions, timeZone: string | null): ScheduleDraft | null {
  const [times] = scheduleKinds.flatMap((kind) => options[kind] ?? []);
  return times === undefined ? null : { ...times, timeZone };
}

/** Returns the selection in the options, or null if there is none. Gets the ids of named projects from the instance. */
export async function selectionOf(
  command: Command,
  findProject: (project: string) => Promise<{ id: number; fullPath: string }>,
): Promise<Selection | null> {
  const options = command.opts<PlanOptions>();
  const conditions = givenOptions(command, ruleConditions);
  const hasConditions = Object.keys(conditions).length > 0;
  const choiceCount = [options.all === true, options.project !== undefined, hasConditions].filter(
    Boolean,
  ).length;
  if (choiceCount > 1) {
    throw usageError('Give --all, or --project, or conditions such as --group, not several of them.');
  }
  const scope = options.scope ?? 'member';
  if (options.scope !== undefined && options.project !== undefined) {
    throw usageError('Give --scope with --all or with conditions, not with --project.');
  }
  if (options.all === true) return { kind: 'all', scope };
  if (options.project !== undefined) {
    const projects: { id: number; fullPath: string }[] = [];
    for (const project of new Set(options.project)) {
      const { id, fullPath } = await findProject(project);
      projects.push({ id, fullPath });
    }
    return { kind: 'projects', projects };
  }
  if (!hasConditions) {
    if (options.scope === undefined) return null;
    throw usageError('Give --scope together with --all or with conditions.');
  }
  return { kind: 'rule', scope, ...initialValues(ruleConditions), ...conditions };
}

export const projectFinder =
  ({ client }: Session, instance: string) =>
  (project: string) =>
    client.call('project.show', { instance, project });

export function retentionOf(command: Command, before: Retention = unlimitedRetention): Retention {
  const given = givenOptions(command, retentionOptions);
  return { ...(given.keepLast === null ? unlimitedRetention : before), ...given };
}

export const settingsOf = (
  command: Command,
  before: PlanSettings = initialValues(planSettings),
): PlanSettings => ({ ...pickOptions(planSettings, before), ...givenOptions(command, planSettings) });

function schemaParser(schema: z.ZodType<string>): (text: string) => string {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const message = issue?.message ?? 'not valid';
    throw new InvalidArgumentError(`${upperFirst(message)}.`);
  };
}

function splitDaysAndTime(text: string, example: string): { before: string; at: string } {
  const [days = '', at, ...more] = text.trim().toLowerCase().split('@');
  if (days === '' || at === undefined || more.length > 0) {
    throw new InvalidArgumentError(`Write it like ${example}.`);
  }
  return { before: days, at: schemaParser(timeOfDaySchema)(at) };
}

/** Parses days and ranges of days, separated by commas. A day is written with its first three letters or in full. Monday is 1. */
function weekdaysOf(text: string): number[] {
  const dayOf = (name: string): number => {
    const index = weekdayWords.findIndex(
      (day) => name === day || (name.startsWith(day) && name.endsWith('day')),
    );
    if (index === -1)
      throw new InvalidArgumentError(`"${name}" is not a day: write mon, tue, wed, thu, fri, sat or sun.`);
    return index + 1;
  };
  const found = text.split(',').flatMap((part) => {
    const [from = '', to, ...more] = part.split('-').map((name) => name.trim());
    if (more.length > 0) throw new InvalidArgumentError('Write days like mon-fri or sat,sun.');
    const first = dayOf(from);
    const last = to === undefined ? first : dayOf(to);
    // A range such as Saturday to Monday crosses the end of the week.
    const count = ((last - first + 7) % 7) + 1;
    return Array.from({ length: count }, (_, index) => ((first - 1 + index) % 7) + 1);
  });
  return [...new Set(found)].sort((a, b) => a - b);
}
