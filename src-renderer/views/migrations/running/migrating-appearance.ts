/** @file The icon and the tone of each state of a project in a migration. */
import type {
  MigratingProject,
  MigratingState,
  Migration,
} from '../../../../src-contract/migrations/migration.ts';
import type { Glyph, Tone } from '../../../kit/feedback/tones.ts';

interface Appearance {
  tone: Tone;
  icon?: Glyph;
}

export const migratingStateAppearance: Record<MigratingState, Appearance> = {
  arrived: { tone: 'good' },
  uncompared: { tone: 'warn' },
  differs: { tone: 'warn' },
  failed: { tone: 'bad' },
  exporting: { tone: 'info', icon: 'loader-circle' },
  importing: { tone: 'info', icon: 'refresh-cw' },
  finishing: { tone: 'info', icon: 'shield-check' },
  cancelled: { tone: 'plain', icon: 'circle-stop' },
  planned: { tone: 'plain', icon: 'clock' },
  'left-out': { tone: 'plain', icon: 'ban' },
};

/** Returns the appearance of a project. One whose list of failures GitLab may have cut never looks good. */
export const projectAppearance = ({
  state,
  failures,
}: Pick<MigratingProject, 'state' | 'failures'>): Appearance =>
  state === 'arrived' && failures.hasUnlisted ? { tone: 'warn' } : migratingStateAppearance[state];

export const migrationStatusAppearance: Record<Migration['status'], Appearance> = {
  draft: { tone: 'plain', icon: 'circle-dashed' },
  running: { tone: 'info', icon: 'loader-circle' },
  paused: { tone: 'warn', icon: 'clock' },
  ended: { tone: 'good' },
  cancelled: { tone: 'plain', icon: 'circle-stop' },
};

/** The states in the order in which their counts are shown. */
export const orderedStates = Object.keys(migratingStateAppearance) as MigratingState[];

const endStates: readonly MigratingState[] = ['arrived', 'uncompared', 'differs', 'failed', 'cancelled'];

type Counts = Readonly<Partial<Record<MigratingState, number>>>;
const sum = (counts: Counts, states: readonly MigratingState[]): number =>
  states.reduce((all, state) => all + (counts[state] ?? 0), 0);

/** Counts finished projects and the total, without the projects that a user left out. */
export function progressOf(counts: Counts): { done: number; total: number } {
  return {
    done: sum(counts, endStates),
    total: sum(
      counts,
      orderedStates.filter((state) => state !== 'left-out'),
    ),
  };
}
