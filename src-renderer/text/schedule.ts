/** @file Words of the daily schedule of an instance. */
import { formatNumber } from '../ui/format.ts';

export const scheduleText = {
  title: (instance: string) => `Daily backup of ${instance}`,
  description:
    'It fires while Packhorse runs: this window, “packhorse serve” or “packhorse daemon”. What was missed is made up for once.',
  enabled: 'Back up every day',
  at: 'Time of day',
  atWrong: 'Give a time, for example 02:30.',
  timeZone: 'Time zone',
  thisMachine: 'The machine’s own',
  thisMachineHint: 'Of the machine on which Packhorse runs.',
  keep: 'Archives kept of each project',
  keepAll: 'All of them',
  keepSome: 'Only the newest',
  keepLast: 'How many',
  keepHint:
    'Older ones go to the trash folder, and only after a new one was stored and read to its end. The newest readable one stays.',
  keepWrong: (least: number, most: number) => `Give a number from ${least} to ${formatNumber(most)}.`,
  save: 'Save',
  saved: (instance: string) => `The schedule of ${instance} is saved.`,
  remove: 'Remove the schedule',
  removed: (instance: string) => `The schedule of ${instance} is removed.`,
  undo: 'Undo',

  none: 'Not backed up by a schedule',
  set: 'Set a schedule…',
  change: 'Schedule…',
  off: 'Switched off',
  keeps: (count: number) => `keeps the newest ${formatNumber(count)}`,
  keepsAll: 'keeps all archives',
  next: 'Next run',
  last: 'Last run',
  noRunYet: 'None yet',
  overdue: 'Overdue since',
} as const;
