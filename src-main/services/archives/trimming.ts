/** @file Creates a trimmed archive for a person, and next to it a list with the original line of each record. */
import type { CallReply } from '../../../src-contract/calls.ts';
import type { FileReadOptions } from '../../archive/archive-file.ts';
import { trimArchive, type RecordSelection } from '../../archive/trim.ts';
import { createDurableFile } from '../../platform/disk/durable-file.ts';
import { realDisk } from '../../platform/disk/real-disk.ts';

export const linesSuffix = '.lines.json';

/** Writes both files or none, and replaces no file. Throws the errors of `trimArchive`. Needs no data folder. */
export async function trimToFile(
  path: string,
  choices: readonly RecordSelection[],
  targetPath: string,
  options: FileReadOptions,
): Promise<CallReply<'archive.trim'>> {
  const linesPath = `${targetPath}${linesSuffix}`;
  const { relations, ...file } = await trimArchive(path, choices, targetPath, options);
  const lines = {
    archive: path,
    relations: Object.fromEntries(relations.map((one) => [one.relation, one.lines])),
  };
  try {
    await createDurableFile(linesPath, `${JSON.stringify(lines)}\n`);
  } catch (thrown) {
    await realDisk.remove(targetPath);
    throw thrown;
  }
  return {
    path: targetPath,
    linesPath,
    ...file,
    relations: relations.map((one) => ({ relation: one.relation, records: one.lines.length })),
  };
}
