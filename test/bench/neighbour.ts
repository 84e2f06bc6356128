/** @file A neighbour on the same machine that keeps one core busy during a measurement. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends the neighbour after `measure`, even if it throws. */
export async function withNeighbour<T>(measure: () => Promise<T>): Promise<T> {
  const neighbour = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  const ended = once(neighbour, 'close');
  // A clock that skips idle time counts a referenced child process as work.
  neighbour.unref();
  try {
    return await measure();
  } finally {
    neighbour.ref();
    neighbour.kill('SIGKILL');
    await ended;
  }
}
