/** @file How a day of a plan is drawn: a sign and the tone of its meaning. */
import type { DayOutcome } from '../plans.text.ts';
import { outcomeTones, type Tone } from '../../../kit/feedback/tones.ts';

type Drawn = DayOutcome | 'none';

/** In the order in which they are explained. */
export const dayAppearance: Record<Drawn, string> = {
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
