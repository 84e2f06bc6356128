/** @file A command that is killed, started again, and killed again. */
import type { KillableProcess } from './killable-process.ts';

export interface Endurance {
  start: () => KillableProcess;
  /** How often it is killed at most. */
  kills: number;
  /** Resolves when the process is to be killed, or has ended. */
  moment: (process: KillableProcess) => Promise<void>;
  /** Called after every kill. */
  killed: () => void;
}

/** @returns the exit code with which it came to its end by itself at last. */
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
