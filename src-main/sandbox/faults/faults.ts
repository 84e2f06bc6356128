/** @file Decides when a scripted fault acts. The server, the export and the import apply the faults of their kinds. */
import type { Fault, FaultAction, FaultMatch, FaultOf } from './fault-kinds.ts';

export interface FaultSubject {
  method: string;
  path: string;
  project: string | null;
  user: string | null;
}

export class FaultRegistry {
  #entries: { fault: Fault; matched: number }[] = [];

  add(fault: Fault): void {
    this.#entries.push({ fault, matched: 0 });
  }

  /** Returns each fault with the number of requests that it has matched so far. */
  list(): { fault: Fault; matched: number }[] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries = [];
  }

  /** Returns the actions of these kinds that act on this subject now, oldest first; counts the match. */
  take<Kind extends FaultAction['kind']>(subject: FaultSubject, kinds: readonly Kind[]): FaultOf<Kind>[] {
    const actions: FaultOf<Kind>[] = [];
    for (const entry of this.#entries) {
      const { match, action } = entry.fault;
      if (!isFaultOfKind(action, kinds) || !matches(match, subject)) continue;
      entry.matched += 1;
      const first = match.nth ?? 1;
      const times = match.times ?? (match.nth === undefined ? Infinity : 1);
      if (entry.matched >= first && entry.matched < first + times) actions.push(action);
    }
    return actions;
  }
}

export function isFaultOfKind<Kind extends FaultAction['kind']>(
  action: FaultAction,
  kinds: readonly Kind[],
): action is FaultOf<Kind> {
  return (kinds as readonly string[]).includes(action.kind);
}

function matches(match: FaultMatch, subject: FaultSubject): boolean {
  return (
    (match.method === undefined || match.method.toUpperCase() === subject.method) &&
    (match.path === undefined || new RegExp(match.path).test(subject.path)) &&
    (match.project === undefined || match.project === subject.project) &&
    (match.user === undefined || match.user === subject.user)
  );
}
