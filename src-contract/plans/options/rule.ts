/**
 * @file The conditions of a rule, as options of the commands that choose projects. A project must meet all conditions.
 */
import { planBounds } from '../../bounds.ts';
import type { OptionTable, OptionValues } from '../../options.ts';

const maxLength = 255;

/** The conditions by the name of their field. Null or an empty list sets no condition. */
export const ruleConditions = {
  /** Full path of a group; includes its subgroups. */
  group: {
    kind: 'text',
    flag: 'group',
    placeholder: 'path',
    help: 'projects of this group and its subgroups',
    maxLength,
  },
  /** A pattern of the full path. */
  name: {
    kind: 'text',
    flag: 'name-pattern',
    placeholder: 'pattern',
    help: 'only projects whose full path matches, for example "team/*-service"',
    maxLength,
  },
  topic: { kind: 'text', flag: 'topic', placeholder: 'name', help: 'projects with this topic', maxLength },
  /** Maximum number of days between the last activity and the due time. */
  activeWithinDays: {
    kind: 'number',
    flag: 'active-within',
    placeholder: 'days',
    help: 'only projects with activity in the last <days> days',
    bounds: planBounds.activeWithinDays,
    removalWord: null,
  },
  visibility: {
    kind: 'choice',
    flag: 'visibility',
    placeholder: 'level',
    help: 'projects of this visibility',
    choices: ['private', 'internal', 'public'],
  },
  markedArchived: {
    kind: 'optional-switch',
    on: { flag: 'archived', help: 'only projects that are marked as archived on GitLab' },
    off: { flag: 'not-archived', help: 'only projects that are not marked as archived on GitLab' },
  },
  starred: {
    kind: 'optional-switch',
    on: { flag: 'starred', help: 'only projects that you have starred' },
    off: null,
  },
  owned: { kind: 'optional-switch', on: { flag: 'owned', help: 'only projects that you own' }, off: null },
  /** Full paths or patterns of projects that are left out even if all other conditions match. */
  except: {
    kind: 'list',
    flag: 'except',
    placeholder: 'pattern',
    help: 'leave out these projects, by full path or pattern; may be given several times',
    maxLength,
    maxCount: 500,
  },
} as const satisfies OptionTable;
export type RuleConditions = OptionValues<typeof ruleConditions>;
export type RuleCondition = keyof RuleConditions;
