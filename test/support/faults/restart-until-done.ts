/** @file Kills a command and starts it again, until it completes. */
import type { KillableProcess } from './killable-process.ts';

export interface RestartOptions {
  start: () => KillableProcess;
  /** Maximum number of kills. */
  kills: number;
  /** Resolves when the process must be onKill, or has ended. */
  waitForKill: (process: KillableProcess) => Promise<void>;
  /** Called after every kill. */
  onKill: () => void;
}

/** @returns the exit code of the last process, which ended by itself. */
export async function restartUntilDone({
  start,
  kills,
  waitForKill,
  onKill,
}: RestartOptions): Promise<number | null> {
  for (let kill = 0; kill < kills; kill += 1) {
    const process = start();
    await waitForKill(process);
    if (!process.running) return (await process.ended).code;
    await process.kill();
    onKill();
  }
  return (await start().ended).code;
}
