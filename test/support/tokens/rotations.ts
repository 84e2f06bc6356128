/** @file Rotations in a process with a real keychain, and their results. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inKeychainSession } from '../keychain/keyring.ts';
import type { RotationTally } from './rotation-child.ts';

const child = fileURLToPath(new URL('./rotation-child.ts', import.meta.url));

export async function rotateAtRandom(options: {
  folder: string;
  rounds: number;
  seed: number;
}): Promise<RotationTally> {
  const [home, data] = [join(options.folder, 'home'), join(options.folder, 'data')];
  for (const folder of [home, data]) mkdirSync(folder, { recursive: true });
  const printed = await inKeychainSession(home, child, data, String(options.rounds), String(options.seed));
  return JSON.parse(printed) as RotationTally;
}
