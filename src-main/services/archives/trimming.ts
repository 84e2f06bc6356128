/** @file A trimmed archive for a person: the file, and beside it which line each of its records had. */
import { AppError } from '../../../src-preload/contract/errors.ts';
import type { FileReadOptions } from '../../archive/archive-file.ts';
import { diskError, errnoOf, writeAll } from '../../archive/disk.ts';
import { realDisk } from '../../archive/real-disk.ts';
import { trimArchive, type Choice } from '../../archive/trim.ts';

/** Ending of the file of lines. */
export const linesSuffix = '.lines.json';

/** Writes both or none; replaces neither. Throws what `trimArchive` throws. Needs no data folder. */
export async function trimToFile(
  path: string,
  choices: readonly Choice[],
  to: string,
  options: FileReadOptions,
): Promise<{
  path: string;
  linesPath: string;
  sizeBytes: number;
  sha256: string;
  relations: { relation: string; records: number }[];
}> {
  const linesPath = `${to}${linesSuffix}`;
  const { relations, ...file } = await trimArchive(path, choices, to, options);
  const lines = {
    archive: path,
    relations: Object.fromEntries(relations.map((one) => [one.relation, one.lines])),
  };
  try {
    const written = await realDisk.create(linesPath);
    await writeAll(written, Buffer.from(`${JSON.stringify(lines)}\n`)).finally(() => written.close());
  } catch (thrown) {
    await realDisk.remove(to);
    if (errnoOf(thrown) !== 'EEXIST') throw diskError(thrown, linesPath);
    throw new AppError('already-exists', 'A file stands there already, and none is replaced.', {
      details: { path: linesPath },
    });
  }
  return {
    path: to,
    linesPath,
    ...file,
    relations: relations.map((one) => ({ relation: one.relation, records: one.lines.length })),
  };
}
