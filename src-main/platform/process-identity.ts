/**
 * @file Identifies this process despite reused ids, and finds out whether another still runs: exactly on Linux;
 * elsewhere only the absence of a process is certain.
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

/** Whether the process of the same boot still runs; null if the process id may have been reused. */
export function isAlive(pid: number, startedAt: string): boolean | null {
  if (!exists(pid)) return false;
  return startedAt === '' ? null : startOf(pid) === startedAt;
}

/** A process that cannot be seen is dead after this time without a heartbeat, which is due every third of it. */
export const staleMs = 30_000;

/** Whether a stored process is dead. For the same boot the system decides, otherwise its last heartbeat. */
export function isDead(
  one: Pick<ProcessIdentity, 'bootId' | 'pid' | 'startedAt'> & { beatAt: number },
  self: ProcessIdentity,
  now: number,
  alive = isAlive,
): boolean {
  const seen = one.bootId === self.bootId ? alive(one.pid, one.startedAt) : null;
  // A heartbeat far in the future is from before the clock was set back.
  return seen === null ? Math.abs(now - one.beatAt) > staleMs : !seen;
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

/** Field 22 of `/proc/<pid>/stat`; the second may contain spaces. Null for a zombie, which holds no resources. */
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
