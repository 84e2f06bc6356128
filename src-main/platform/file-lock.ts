/**
 * @file Keeps other processes out of a short piece of work. The lock is a file that names its owner; one that a crash left
 * behind is taken over.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from '../../src-preload/contract/schema.ts';
import type { Clock } from './clock.ts';
import { diskError } from './disk-errors.ts';
import { isAlive, ownIdentity } from './process-identity.ts';

const ownerSchema = z.object({ bootId: z.string(), pid: z.number(), startedAt: z.string() });
const pollMs = 20;
const patienceMs = 5_000;

/** Runs `work`, which must take milliseconds: whoever holds the file `lock` for more than five seconds is taken for dead. */
export async function withFileLock<T>(lock: string, clock: Clock, work: () => T): Promise<T> {
  await takeLock(lock, clock);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

async function takeLock(lock: string, clock: Clock): Promise<void> {
  const { bootId, pid, startedAt } = ownIdentity();
  const patienceEnds = clock.monotonic() + patienceMs;
  for (;;) {
    try {
      writeFileSync(lock, JSON.stringify({ bootId, pid, startedAt }), { flag: 'wx', mode: 0o600 });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw diskError(error, lock);
    }
    if (ownerIsDead(lock, bootId) || clock.monotonic() > patienceEnds) rmSync(lock, { force: true });
    else await clock.sleep(pollMs);
  }
}

function ownerIsDead(lock: string, ownBootId: string): boolean {
  try {
    const owner = ownerSchema.parse(JSON.parse(readFileSync(lock, 'utf8')));
    return owner.bootId === ownBootId && isAlive(owner.pid, owner.startedAt) === false;
  } catch {
    // Gone meanwhile, or not yet written to its end.
    return false;
  }
}
