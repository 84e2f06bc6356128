/** @file Kills a command and starts it again, until it completes. */
import type { KillableProcess } from './killable-process.ts';

export interface Endurance {
  start: () => KillableProcess;
  /** Maximum number of kills. */
  kills: number;
  /** Resolves when the process must be killed, or has ended. */
  moment: (process: KillableProcess) => Promise<void>;
  /** Called after every kill. */
  killed: () => void;
}

/** @returns the exit code of the last process, which ended by itself. */
export async function restartUntilDone({ start, kills, moment, killed }: Endurance): Promise<number | null> {
  for (let kill = 0; kill < kills; kill += 1) {
    const process = start();
    await moment(process);
    if (!process.running) return (await process.ended).code;
    await process.kill();
    killed();
  }
  return (await start().ended).code;
}
