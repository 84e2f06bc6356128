/** @file Parses the output of `strace -f`: calls of several threads, each with the lines where it began and ended. */

export interface SystemCall {
  name: string;
  /** The printed arguments; files by number and name with `-y`. */
  text: string;
  /** Lines of the trace. */
  begun: number;
  ended: number;
}

/** Returns the traced calls that ended, in the order in which they began. */
export function systemCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  /** Calls that other threads interrupted in the trace, by thread. */
  const unfinished = new Map<string, Omit<SystemCall, 'ended'>>();
  for (const [at, line] of trace.split('\n').entries()) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const begun = /^(\w+)\((.*)$/.exec(rest);
    const resumed = unfinished.get(thread);
    if (begun !== null) {
      const call = { name: begun[1] ?? '', text: begun[2] ?? '', begun: at };
      if (rest.endsWith('<unfinished ...>')) unfinished.set(thread, call);
      else calls.push({ ...call, ended: at });
    } else if (rest.startsWith('<... ') && resumed !== undefined) {
      unfinished.delete(thread);
      calls.push({ ...resumed, text: resumed.text + rest, ended: at });
    }
  }
  return calls.sort((a, b) => a.begun - b.begun);
}
