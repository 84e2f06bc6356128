/**
 * @file One of several processes that share a lock, for tests: `lock-child.ts <folder> <rounds> <survives | dies>`.
 * Each round adds one file to `<folder>/marks`, named by the number of files; two processes inside the lock would
 * choose the same name.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src-main/platform/clock.ts';
import { withFileLock } from '../../../src-main/platform/file-lock.ts';

const [folder = '', rounds, fate] = process.argv.slice(2);
const marks = join(folder, 'marks');

for (let round = 1; round <= Number(rounds); round++) {
  await withFileLock(join(folder, 'lock'), systemClock, async () => {
    const { length } = readdirSync(marks);
    await systemClock.sleep(1);
    writeFileSync(join(marks, String(length)), '', { flag: 'wx' });
    if (fate === 'dies' && round === Number(rounds)) process.kill(process.pid, 'SIGKILL');
  });
}
