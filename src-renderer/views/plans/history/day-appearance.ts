/** @file The sign and the tone of each outcome of a plan's day. */
import type { DayOutcome } from '../plans.text.ts';
import { outcomeTones, type Tone } from '../../../kit/feedback/tones.ts';

type Drawn = DayOutcome | 'none';

/** The signs in the order of the legend. */
export const daySigns: Record<Drawn, string> = {
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

export const dayTones: Record<Drawn, Tone> = {
  ...outcomeTones,
  overdue: 'warn',
  missed: 'warn',
  none: 'plain',
};
