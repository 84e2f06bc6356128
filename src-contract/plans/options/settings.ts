/**
 * @file The settings of a plan other than its projects, schedule and retention. The schemas, the options of
 * the command line, the printed command, the form and the summaries of a plan follow from this table.
 */
import { initialValue, type OptionDeclaration, type OptionValues } from '../../options.ts';

type PlanSettingDeclaration = OptionDeclaration & {
  /** True if `plan add` also has the option. If false, a new plan has the initial value. */
  isAddOption: boolean;
  /** The term in a summary of the plan; null if a summary does not show the setting. */
  term: string | null;
  /** Returns the value in words, for use after the term. */
  text: (value: never) => string;
};

/** The settings by the name of their field. */
export const planSettings = {
  /** Projects that have not changed since their newest readable archive are skipped, for at most 7 days. */
  skipUnchanged: {
    kind: 'switch',
    initial: true,
    on: { flag: 'skip-unchanged', help: 'skip projects that have not changed, for at most 7 days' },
    off: {
      flag: 'every-time',
      help: 'also back up projects that have not changed since their newest archive',
    },
    isAddOption: true,
    term: 'Unchanged',
    text: (value: boolean) => (value ? 'skipped, for at most 7 days' : 'backed up each time'),
  },
  enabled: {
    kind: 'switch',
    initial: true,
    on: { flag: 'on', help: 'switch the plan on; missed runs are not caught up' },
    off: { flag: 'off', help: 'switch the plan off' },
    isAddOption: false,
    term: null,
    text: (value: boolean) => (value ? 'switched on' : 'switched off'),
  },
} as const satisfies Record<string, PlanSettingDeclaration>;
export type PlanSettings = OptionValues<typeof planSettings>;
export type PlanSetting = keyof PlanSettings;

/** Returns the settings that a summary of a plan shows, each with its term and its value in words. */
export function settingsText(settings: PlanSettings): { term: string; text: string }[] {
  return Object.entries(planSettings).flatMap(([name, declaration]) => {
    const { term, text } = declaration as PlanSettingDeclaration;
    return term === null ? [] : [{ term, text: text(settings[name as PlanSetting] as never) }];
  });
}

/** Returns whether a plan with these settings can be made by `plan add`. */
export const canAddPlanWith = (settings: PlanSettings): boolean =>
  Object.entries(planSettings).every(
    ([name, declaration]) =>
      declaration.isAddOption || settings[name as PlanSetting] === initialValue(declaration),
  );
