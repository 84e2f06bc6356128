/** @file Creates the file for a new token before the token itself, because GitLab shows a token only once. */
import { open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../../../src-contract/errors.ts';
import { realDisk } from '../../../platform/disk/real-disk.ts';
import type { Token } from '../../../platform/token.ts';

/** Creates a file that only its owner can read. Throws `invalid-input` if the path exists or is not writable. */
export async function makeTokenFile(path: string) {
  const file = await open(path, 'wx', 0o600).catch((thrown: unknown) => {
    const { code } = thrown as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST'
        ? 'It already exists, and no file is replaced'
        : `It cannot be created (${code ?? 'unknown'})`;
    throw new AppError('invalid-input', `The new token cannot be written to ${path}: ${why}.`);
  });
  let isWritten = false;
  return {
    path,
    async write(token: Token): Promise<void> {
      await file.writeFile(`${token.reveal()}\n`);
      await file.sync();
      await realDisk.flushFolder(dirname(path));
      isWritten = true;
    },
    async close(): Promise<void> {
      await file.close();
      if (!isWritten) await unlink(path);
    },
  };
}
