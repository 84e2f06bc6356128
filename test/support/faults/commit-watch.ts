/**
 * @file Reports every commit to a catalogue in this process, directly before and after it; the commit itself is real.
 */
import { onTestFinished } from 'vitest';
import { Catalogue } from '../../../src-main/catalogue/database.ts';

type Run = Catalogue['run'];

/** A transaction in progress. */
interface Open {
  label: string | null;
  archives: string[];
}

/**
 * Watches until the test ends. A commit is named by its first statement and its step or state; `archives` are the paths
 * of archives that got a row. Heartbeats of the lease depend on the clock and are not reported.
 */
export function watchCommits(
  reached: (commit: string, when: 'before' | 'after', archives: string[]) => void,
): void {
  const run = Reflect.get(Catalogue.prototype, 'run');
  const transaction = Reflect.get(Catalogue.prototype, 'transaction');
  onTestFinished(() => {
    Object.assign(Catalogue.prototype, { run, transaction });
  });
  let open: Open | null = null;

  const watched = {
    run(this: Catalogue, ...call: Parameters<Run>): number {
      const label = labelOf(call);
      if (open !== null) {
        open.label ??= label;
        open.archives.push(...archivesOf(call));
        return run.apply(this, call);
      }
      const hasChangesCount = !label.startsWith('UPDATE lease');
      if (hasChangesCount) reached(label, 'before', []);
      const changed = run.apply(this, call);
      if (hasChangesCount) reached(label, 'after', []);
      return changed;
    },
    transaction<T>(this: Catalogue, work: () => T): T {
      if (open !== null) return transaction.call(this, work) as T;
      reached('a transaction', 'before', []);
      const own: Open = { label: null, archives: [] };
      open = own;
      let result: T;
      try {
        result = transaction.call(this, work) as T;
      } finally {
        open = null;
      }
      reached(own.label ?? 'nothing', 'after', own.archives);
      return result;
    },
  };
  Object.assign(Catalogue.prototype, watched);
}

function labelOf([sql, ...parameters]: Parameters<Run>): string {
  const told = parameters
    .flatMap((one): unknown[] => (one !== null && typeof one === 'object' ? Object.values(pick(one)) : [one]))
    .filter((one) => typeof one === 'string' && /^[a-z-]{3,20}$/.test(one));
  return [...sql.split(/\s+/).slice(0, 5), ...told].join(' ');
}

const pick = ({ status, step }: { status?: unknown; step?: unknown }): object => ({ status, step });

function archivesOf([sql, parameters]: Parameters<Run>): string[] {
  if (!/INTO archives /.test(sql)) return [];
  return [(parameters as { path: string }).path];
}
