/** @file The symbol and the tone for each outcome of a day in a plan's history. */
import type { DayOutcome } from '../plans.text.ts';
import { outcomeTones, type Tone } from '../../../kit/feedback/tones.ts';

type DisplayedOutcome = DayOutcome | 'none';

/** The symbols in the order of the legend. */
export const daySymbols: Record<DisplayedOutcome, string> = {
  succeeded: '✓',
  warnings: '!',
  incomplete: '¼',
  'partly-failed': '½',
  failed: '×',
  overdue: '«',
  missed: '?',
  running: '…',
  cancelled: '–',
  skipped: '»',
  nothing: '·',
  none: '',
};

export const dayTones: Record<DisplayedOutcome, Tone> = {
  ...outcomeTones,
  overdue: 'warn',
  missed: 'warn',
  none: 'plain',
};
