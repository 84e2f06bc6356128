/**
 * @file Runs short work under a lock file that names the owning process. A dead owner's lock is taken over under
 * a second lock, so that no process removes the lock of a new owner.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { z } from '../../src-contract/schema.ts';
import type { Clock } from './clock.ts';
import { diskError } from './disk/disk-errors.ts';
import { isAlive, ownIdentity } from './process-identity.ts';

const ownerSchema = z.object({ bootId: z.string(), pid: z.number(), startedAt: z.string() });
const pollMs = 20;
/** How long to wait for an owner that may be dead, for example an owner from before a power cut. */
const maxOwnerWaitMs = 60_000;
/** How long to wait for an empty lock file, whose owner was killed or has not written its identity yet. */
const maxEmptyFileWaitMs = 500;
/** Represents the content of a lock file that exists and cannot be read. */
const unreadable = 'unreadable';

/**
 * Runs `work` while no other process or call runs work under `lock`, in an existing folder. Waits for a living owner
 * without limit. Throws a disk error.
 */
export async function withFileLock<T>(lock: string, clock: Clock, work: () => T | Promise<T>): Promise<T> {
  const { bootId, pid, startedAt } = ownIdentity();
  const ownEntry = JSON.stringify({ bootId, pid, startedAt, nonce: randomUUID() });
  let owner: string | null = null;
  let ownerSeenAt = 0;
  while (!create(lock, ownEntry)) {
    const found = read(lock);
    if (found !== owner) [owner, ownerSeenAt] = [found, clock.monotonic()];
    if (found !== null && isAbandoned(found, bootId, clock.monotonic() - ownerSeenAt)) {
      await withFileLock(`${lock}.takeover`, clock, () => {
        removeIfOwner(found, lock);
      });
    } else {
      await clock.sleep(pollMs);
    }
  }
  try {
    return await work();
  } finally {
    removeIfOwner(ownEntry, lock);
  }
}

/** @returns false if the file exists, or if another process took the lock over before its owner was written. */
function create(lock: string, owner: string): boolean {
  try {
    const file = openSync(lock, 'wx', 0o600);
    try {
      writeSync(file, owner);
    } catch (error) {
      rmSync(lock, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
    const found = read(lock);
    return found === owner || found === unreadable;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw diskError(error, lock);
  }
}

/** Returns null when the lock is gone. A lock that cannot be read counts as an owner that may live. */
function read(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : unreadable;
  }
}

function removeIfOwner(owner: string, lock: string): void {
  if (read(lock) !== owner) return;
  try {
    rmSync(lock, { force: true });
  } catch (error) {
    throw diskError(error, lock);
  }
}

function isAbandoned(text: string, ownBootId: string, waitedMs: number): boolean {
  if (text === '') return waitedMs > maxEmptyFileWaitMs;
  const alive = ownerIsAlive(text, ownBootId);
  return alive === null ? waitedMs > maxOwnerWaitMs : !alive;
}

/** Returns null for an owner of another boot, and for a lock file that does not name its owner. */
function ownerIsAlive(text: string, ownBootId: string): boolean | null {
  try {
    const owner = ownerSchema.parse(JSON.parse(text));
    return owner.bootId === ownBootId ? isAlive(owner.pid, owner.startedAt) : null;
  } catch {
    return null;
  }
}
