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
export function onCommits(
  onCommit: (commit: string, when: 'before' | 'after', archives: string[]) => void,
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
      const isReported = !label.startsWith('UPDATE lease');
      if (isReported) onCommit(label, 'before', []);
      const changed = run.apply(this, call);
      if (isReported) onCommit(label, 'after', []);
      return changed;
    },
    transaction<T>(this: Catalogue, work: () => T): T {
      if (open !== null) return transaction.call(this, work) as T;
      onCommit('a transaction', 'before', []);
      const own: Open = { label: null, archives: [] };
      open = own;
      let result: T;
      try {
        result = transaction.call(this, work) as T;
      } finally {
        open = null;
      }
      onCommit(own.label ?? 'nothing', 'after', own.archives);
      return result;
    },
  };
  Object.assign(Catalogue.prototype, watched);
}

function labelOf([sql, ...parameters]: Parameters<Run>): string {
  const words = parameters
    .flatMap((value): unknown[] =>
      value !== null && typeof value === 'object' ? Object.values(pick(value)) : [value],
    )
    .filter((value) => typeof value === 'string' && /^[a-z-]{3,20}$/.test(value));
  return [...sql.split(/\s+/).slice(0, 5), ...words].join(' ');
}

const pick = ({ status, step }: { status?: unknown; step?: unknown }): object => ({ status, step });

function archivesOf([sql, parameters]: Parameters<Run>): string[] {
  if (!/INTO archives /.test(sql)) return [];
  return [(parameters as { path: string }).path];
}
