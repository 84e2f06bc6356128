/** @file For every plan of the form, the command that the window prints makes the real program send the same request. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  initialValue,
  optionsOf,
  type OptionDeclaration,
  type OptionTable,
} from '../../../../src-contract/options.ts';
import { hookFailureActions, hookTimeLimitSeconds, type Hooks } from '../../../../src-contract/plans/hook.ts';
import { planDraftSchema } from '../../../../src-contract/plans/plan-schema.ts';
import type { PlanDraft, Selection } from '../../../../src-contract/plans/plan.ts';
import { boundsOf, mapLimits } from '../../../../src-contract/plans/retention-periods.ts';
import { failureRuleOption, hookOptions, hookPhases } from '../../../../src-contract/plans/options/hooks.ts';
import { retentionOptions } from '../../../../src-contract/plans/options/retention.ts';
import { ruleConditions } from '../../../../src-contract/plans/options/rule.ts';
import { planSettings } from '../../../../src-contract/plans/options/settings.ts';
import { scopes } from '../../../../src-contract/projects/scope.ts';
import { AppCommand } from '../../../../src-main/hosts/cli/running/app-command.ts';
import { planCommand } from '../../../../src-main/hosts/cli/plans/plan.ts';
import { hooksOf, type HookOptions } from '../../../../src-main/hosts/cli/plans/plan-hook-options.ts';
import {
  retentionOf,
  archiveRootOf,
  scheduleOf,
  selectionOf,
  settingsOf,
  type PlanOptions,
} from '../../../../src-main/hosts/cli/plans/plan-options.ts';
import { planCommands } from '../../../../src-renderer/data/commands/plan-commands.ts';
import { planDraft } from '../../../support/jobs/plan-draft.ts';
import { shellWords, parseCommand } from '../../../support/understood.ts';

/** A word that does not begin with a dash, because commander would read it as an option, like every program. */
const word = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((text) => /^[^-\s]/.test(text) && text === text.trim());
const numberIn = ({ min, max }: { min: number; max: number }) => fc.integer({ min, max });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** Returns values that the field of an option may have and the command line can express. */
function valueOf(declared: OptionDeclaration): fc.Arbitrary<unknown> {
  switch (declared.kind) {
    case 'text':
      return orNull(word);
    case 'number':
      return orNull(numberIn(declared.bounds));
    case 'choice':
      return orNull(fc.constantFrom(...declared.choices));
    case 'list':
      return fc.array(word, { maxLength: 3 });
    case 'optional-switch':
      return fc.constantFrom(null, true, ...(declared.off === null ? [] : [false]));
    case 'switch':
      return fc.boolean();
  }
}

const scope = fc.constantFrom(...scopes);
const rule = fc
  .record(Object.fromEntries(optionsOf(ruleConditions).map(([name, declared]) => [name, valueOf(declared)])))
  .filter((conditions) =>
    optionsOf(ruleConditions).some(
      ([name, declared]) => JSON.stringify(conditions[name]) !== JSON.stringify(initialValue(declared)),
    ),
  );
const project = fc.record({ id: fc.integer({ min: 1 }), fullPath: word });
const selection = fc.oneof(
  fc.record({ kind: fc.constant('all'), scope }),
  fc.record({
    kind: fc.constant('projects'),
    projects: fc.uniqueArray(project, { minLength: 1, maxLength: 3, selector: ({ fullPath }) => fullPath }),
  }),
  fc.tuple(scope, rule).map(([within, conditions]) => ({ kind: 'rule', scope: within, ...conditions })),
) as fc.Arbitrary<Selection>;
const at = fc
  .tuple(numberIn({ min: 0, max: 23 }), numberIn({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const timeZone = fc.constantFrom('UTC', 'Europe/Berlin');
const weekdays = fc
  .uniqueArray(numberIn({ min: 1, max: 7 }), { minLength: 1 })
  .map((days) => days.toSorted((a, b) => a - b));
const schedule = fc.oneof(
  fc.record({ kind: fc.constant('hourly'), minute: numberIn({ min: 0, max: 59 }), timeZone }),
  fc.record({ kind: fc.constant('daily'), at, timeZone }),
  fc.record({ kind: fc.constant('weekly'), weekdays, at, timeZone }),
  fc.record({ kind: fc.constant('monthly'), day: numberIn({ min: 1, max: 31 }), at, timeZone }),
  fc.record({
    kind: fc.constant('cron'),
    expression: fc.constantFrom('30 2 * * 1-5', '*/5 * * * *'),
    timeZone,
  }),
) as fc.Arbitrary<PlanDraft['schedule']>;
const retention = fc.record(mapLimits((limit) => orNull(numberIn(boundsOf(limit)))));
const hook = fc.record({
  program: word.map((name) => `/opt/${name}`),
  arguments: fc.array(word, { maxLength: 2 }),
  timeLimitSeconds: numberIn(hookTimeLimitSeconds),
});
const hooks: fc.Arbitrary<Hooks> = fc.record({
  before: orNull(
    fc
      .tuple(hook, fc.constantFrom(...hookFailureActions))
      .map(([fields, ifFails]) => ({ ...fields, ifFails })),
  ),
  after: orNull(hook),
});
const settings = fc.record(
  Object.fromEntries(optionsOf(planSettings).map(([name, declared]) => [name, valueOf(declared)])),
);
const draft = fc
  .record({
    name: word,
    selection,
    schedule,
    retention,
    hooks,
    settings,
    archiveRoot: orNull(fc.constant('/mnt/a')),
  })
  .map(({ settings: settingValues, ...fields }) => planDraft({ ...fields, ...settingValues }));

/** Returns the request that the program makes from a printed command, for a plan that was `before`. */
async function requestOf(line: string, chosen: Selection, before: PlanDraft): Promise<PlanDraft> {
  const command = parseCommand(shellWords(line), [planCommand]);
  const options = command.opts<PlanOptions & HookOptions>();
  const known = chosen.kind === 'projects' ? chosen.projects : [];
  const find = (path: string) => {
    const found = known.find(({ fullPath }) => fullPath === path);
    return found === undefined ? Promise.reject(new Error(path)) : Promise.resolve(found);
  };
  const named = { ...before, name: options.name ?? before.name };
  return planDraftSchema.parse({
    ...named,
    selection: await selectionOf(command, find),
    schedule: scheduleOf(options, options.timeZone ?? null),
    retention: retentionOf(command, before.retention),
    ...settingsOf(command, before),
    ...archiveRootOf(options),
    hooks: hooksOf(options, before.hooks) ?? before.hooks,
  });
}

describe('the command that the window prints for a plan makes the same request', () => {
  test('for an edited plan, whatever its values were before', async () => {
    await fc.assert(
      fc.asyncProperty(draft, draft, async (wanted, before) => {
        const line = planCommands.planSave(wanted, before.name);
        expect(line).not.toBeNull();
        expect(await requestOf(line ?? '', wanted.selection, before)).toEqual(planDraftSchema.parse(wanted));
      }),
      { numRuns: 25 },
    );
  });

  test('for a new plan that "plan add" can create', async () => {
    const empty = planDraft({ archiveRoot: null, skipUnchanged: true });
    const addable = draft.filter((wanted) => planCommands.planSave(wanted, null) !== null);
    await fc.assert(
      fc.asyncProperty(addable, async (wanted) => {
        const line = planCommands.planSave(wanted, null) ?? '';
        expect(
          await requestOf(line, wanted.selection, { ...empty, hooks: { before: null, after: null } }),
        ).toEqual(planDraftSchema.parse(wanted));
      }),
      { numRuns: 25 },
    );
  });
});

test('every declared option of a plan is an option of "plan edit", with the help of its declaration', () => {
  const program = new AppCommand('packhorse');
  planCommand(program);
  const edit = program.commands[0]?.commands.find((command) => command.name() === 'edit');
  const help = new Map(edit?.options.map(({ long, description }) => [long, description]));
  const tables: OptionTable[] = [
    ...[ruleConditions, planSettings, retentionOptions, failureRuleOption],
    ...hookPhases.map(hookOptions),
  ];
  for (const declared of tables.flatMap((table) => Object.values(table))) {
    const flags =
      declared.kind === 'optional-switch' || declared.kind === 'switch'
        ? [declared.on, ...(declared.off === null ? [] : [declared.off])]
        : [declared];
    // The help may add what applies without the option.
    for (const flag of flags) expect(help.get(`--${flag.flag}`)?.split('; without')[0]).toBe(flag.help);
  }
});
