/**
 * @file Identifies this process even if its id is reused, and finds out whether another process still runs. The result
 * is exact on Linux. On other systems only the absence of a process is certain.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Two processes with the same `bootId` can see each other; `startedAt` is opaque, and empty if it is unknown. */
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

/** Returns whether the process of the same boot still runs; null if the process id may have been reused. */
export function isAlive(pid: number, startedAt: string): boolean | null {
  if (!exists(pid)) return false;
  return startedAt === '' ? null : startOf(pid) === startedAt;
}

/**
 * A process that cannot be seen counts as dead after this time without a heartbeat. Each process sends a heartbeat
 * every third of this time.
 */
export const staleMs = 30_000;

/**
 * Returns whether a stored process is dead. For a process of the same boot, the system decides; otherwise, its last
 * heartbeat.
 */
export function isDead(
  one: Pick<ProcessIdentity, 'bootId' | 'pid' | 'startedAt'> & { beatAt: number },
  self: ProcessIdentity,
  now: number,
  alive = isAlive,
): boolean {
  const isRunning = one.bootId === self.bootId ? alive(one.pid, one.startedAt) : null;
  // A heartbeat far in the future is from before the clock was set back.
  return isRunning === null ? Math.abs(now - one.beatAt) > staleMs : !isRunning;
}

/** Containers share the boot but not the process ids, so the id includes the namespace of the process ids. */
function bootId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return `host:${hostname()}`;
  }
}

/**
 * Returns field 22 of `/proc/<pid>/stat`; the second field may contain spaces. Returns null for a zombie, which holds
 * no resources.
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
    // Any other error, such as a missing permission, means that the process exists.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
