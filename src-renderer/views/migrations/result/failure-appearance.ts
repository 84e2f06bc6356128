/** @file The icon and the tone of each state of a failure. */
import type { FailureState } from '../../../../src-contract/migrations/failure.ts';
import type { Glyph, Tone } from '../../../kit/feedback/tones.ts';

export const failureAppearance: Record<FailureState, { tone: Tone; icon?: Glyph }> = {
  open: { tone: 'bad' },
  retried: { tone: 'info', icon: 'refresh-cw' },
  resolved: { tone: 'good' },
  accepted: { tone: 'plain' },
};
