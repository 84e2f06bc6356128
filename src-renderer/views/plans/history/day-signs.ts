/** @file How a day of a plan is drawn: a sign and the tone of its meaning. */
import type { DayOutcome } from '../../../text/plans/plans.ts';
import type { Tone } from '../../../ui/feedback/tones.ts';

type Drawn = DayOutcome | 'none';

/** In the order in which they are explained. */
export const daySigns: Record<Drawn, { sign: string; tone: Tone }> = {
  succeeded: { sign: '✓', tone: 'good' },
  warnings: { sign: '!', tone: 'warn' },
  'partly-failed': { sign: '½', tone: 'bad' },
  failed: { sign: '×', tone: 'bad' },
  overdue: { sign: '«', tone: 'warn' },
  missed: { sign: '?', tone: 'warn' },
  running: { sign: '…', tone: 'info' },
  cancelled: { sign: '–', tone: 'plain' },
  skipped: { sign: '»', tone: 'plain' },
  nothing: { sign: '·', tone: 'plain' },
  none: { sign: '', tone: 'plain' },
};
