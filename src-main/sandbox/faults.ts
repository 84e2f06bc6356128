/**
 * @file Scripted faults: plain data saying which requests go wrong and how. This file decides when a fault acts; the
 * server, the export and the import each carry out their own kinds.
 */

/** All given conditions must hold. */
export interface FaultMatch {
  method?: string;
  /** Source of a regular expression, searched in the path with its query. */
  path?: string;
  /** Full path of the project the request is about; for an import, of the project to be made. */
  project?: string;
  /** Username of the caller. */
  user?: string;
  /** Acts from the nth matching request on; 1 is the first, and the default. */
  nth?: number;
  /** Acts so many times; without it once when `nth` is given, otherwise always. */
  times?: number;
}

/** Kinds that act before the request is handled: nothing is done on the server. */
export type EarlyFault =
  | {
      kind: 'respond';
      status: number;
      body?: unknown;
      headers?: Record<string, string>;
      contentType?: string;
    }
  | { kind: 'html'; status?: number }
  | { kind: 'delay'; ms: number }
  | { kind: 'reset' };

/**
 * Kinds that act on the finished reply: the work is done. `cut` sends so many bytes of the body and then ends the
 * connection, with `reset` hard: short of its Content-Length, in the middle of a chunked body, or as a body that only
 * the close delimits.
 * `stall` sends so many bytes and then nothing, on an open connection. `corrupt` flips the byte at an offset.
 */
export type LateFault =
  | { kind: 'lose-reply' }
  | { kind: 'cut'; afterBytes: number; framing: 'length' | 'chunked' | 'close'; reset?: boolean }
  | { kind: 'stall'; afterBytes: number }
  | { kind: 'corrupt'; at: number };

/** Kinds that act on the export that the matching request starts. */
export type ExportFault =
  | { kind: 'drop-records'; relation: string; count: number }
  | { kind: 'end-export'; as: 'failed' | 'none' | 'stuck'; at?: 'queued' | 'started' };

/**
 * Kinds that act on the import that the matching request starts. `drop-notes` loses nested notes without listing them.
 * `delay-import` waits between the upload and the making of the project, and goes on when the client has gone meanwhile.
 */
export type ImportFault =
  | { kind: 'drop-notes'; relation: string; count: number }
  | { kind: 'delay-import'; ms: number }
  | { kind: 'end-import'; as: 'failed' | 'stuck'; at?: 'scheduled' | 'started'; detail?: string };

export type FaultAction = EarlyFault | LateFault | ExportFault | ImportFault;

/** JSON-serialisable. */
export interface Fault {
  match: FaultMatch;
  action: FaultAction;
}

/** What a fault is matched against. */
export interface FaultSubject {
  method: string;
  path: string;
  project: string | null;
  user: string | null;
}

export class FaultBook {
  #entries: { fault: Fault; matched: number }[] = [];

  add(fault: Fault): void {
    this.#entries.push({ fault, matched: 0 });
  }

  clear(): void {
    this.#entries = [];
  }

  /** The actions of the given kinds that act on this subject now, in the order they were added; counts the match. */
  take<Kind extends FaultAction['kind']>(
    subject: FaultSubject,
    kinds: readonly Kind[],
  ): Extract<FaultAction, { kind: Kind }>[] {
    const acting: Extract<FaultAction, { kind: Kind }>[] = [];
    for (const entry of this.#entries) {
      const { match, action } = entry.fault;
      if (!isOneOf(action, kinds) || !matches(match, subject)) continue;
      entry.matched += 1;
      const first = match.nth ?? 1;
      const times = match.times ?? (match.nth === undefined ? Infinity : 1);
      if (entry.matched >= first && entry.matched < first + times) acting.push(action);
    }
    return acting;
  }
}

function isOneOf<Kind extends FaultAction['kind']>(
  action: FaultAction,
  kinds: readonly Kind[],
): action is Extract<FaultAction, { kind: Kind }> {
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
