/** @file A neighbour on the same machine that keeps one core busy for as long as something is measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends the neighbour however `measure` ends. */
export async function withNeighbour<T>(measure: () => Promise<T>): Promise<T> {
  const neighbour = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const ended = once(neighbour, 'close');
  // A clock that skips idle time takes a child that is waited for as work.
  neighbour.unref();
  try {
    return await measure();
  } finally {
    neighbour.ref();
    neighbour.kill('SIGKILL');
    await ended;
  }
}
