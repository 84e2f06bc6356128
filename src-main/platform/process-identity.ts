/**
 * @file Which process this is, in a way that survives the reuse of process ids, and whether another one still runs.
 * Linux tells exactly; elsewhere only the absence of a process is certain, and the lease falls back to its heartbeat.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Two processes with the same `bootId` can see each other; `startedAt` is opaque and empty where it is unknown. */
export interface ProcessIdentity {
  bootId: string;
  host: string;
  pid: number;
  startedAt: string;
}

export function ownIdentity(): ProcessIdentity {
  return {
    bootId: bootId(),
    host: hostname(),
    pid: process.pid,
    startedAt: startOf(process.pid) ?? '',
  };
}

/** Whether the process of the same boot still runs; null when that cannot be told from a reused process id. */
export function isAlive(pid: number, startedAt: string): boolean | null {
  if (!exists(pid)) return false;
  return startedAt === '' ? null : startOf(pid) === startedAt;
}

/** A process that cannot be seen and did not beat for so long is taken for dead; one that wants to be known beats every third of it. */
export const staleMs = 30_000;

/**
 * Whether a process that wrote of itself is dead. One of our boot is asked of the operating system, so that one which slept,
 * or is stopped, is none; any other is judged by when it last beat, epoch milliseconds.
 */
export function isDead(
  one: Pick<ProcessIdentity, 'bootId' | 'pid' | 'startedAt'> & { beatAt: number },
  self: ProcessIdentity,
  now: number,
  alive = isAlive,
): boolean {
  const seen = one.bootId === self.bootId ? alive(one.pid, one.startedAt) : null;
  // A beat far in the future is one from before the clock was set back.
  return seen === null ? Math.abs(now - one.beatAt) > staleMs : !seen;
}

/** Containers share the boot but not the process ids, so the namespace of the ids is part of it. */
function bootId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return `host:${hostname()}`;
  }
}

/**
 * Field 22 of `/proc/<pid>/stat`, in clock ticks since boot; the second field may contain spaces and parentheses. Null for
 * a process that has ended (`Z`) though nobody asked how, as happens in containers: it holds nothing any more.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Anything else, such as a lack of permission, means that there is one.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
