/** @file Copies the data folder as a process that ends at this moment leaves it. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../archives/archive-builder.ts';
import type { Cut, PowerCutDisk } from './power-cut-disk.ts';

/** Without `cut`, the process was killed: everything that it wrote still exists. The copy is synchronous. */
export function copyInterruptedFolder(
  dataDir: string,
  left: string,
  cut?: { disk: PowerCutDisk; death: Cut; seed: number },
): void {
  const archives = join(dataDir, 'archives');
  const excluded = [join(dataDir, 'logs'), ...(cut === undefined ? [] : [archives])];
  // SQLite creates the index of its journal again.
  cpSync(dataDir, left, {
    recursive: true,
    filter: (path) => !excluded.includes(path) && !path.endsWith('-shm'),
  });
  cut?.disk.writeStateAfterCut(join(left, 'archives'), cut.death, seeded(cut.seed));
  const lock = join(left, 'archives', '.lock');
  if (!existsSync(lock)) return;
  // The lock must name a dead process, but this one continues. No process gets this number.
  const owner = JSON.parse(readFileSync(lock, 'utf8')) as object;
  writeFileSync(lock, JSON.stringify({ ...owner, pid: 2 ** 22 + 1 }));
}
