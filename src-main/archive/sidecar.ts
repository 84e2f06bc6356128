/**
 * @file The small JSON files beside an archive: read strictly, replaced whole or not at all. What they hold is the
 * contract's matter (`manifestSchema`, `stateFileSchema`).
 */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../src-preload/contract/errors.ts';
import type { z } from '../../src-preload/contract/schema.ts';
import { diskError, errnoOf, writeAll, type Disk } from './disk.ts';
import { partPath } from './names.ts';

/** Puts the text in place of the file: temporary file, flush, rename, flush of the folder. */
export async function replaceFile(disk: Disk, path: string, text: string): Promise<void> {
  const part = partPath(path);
  try {
    const file = await disk.create(part);
    try {
      await writeAll(file, Buffer.from(text));
      await file.flush();
    } finally {
      await file.close();
    }
    await disk.rename(part, path);
    await disk.flushFolder(dirname(path));
  } catch (error) {
    await disk.remove(part).catch(() => undefined);
    throw diskError(error, path);
  }
}

/** The file's content as the schema knows it; null when there is no such file; `manifest-unreadable` otherwise. */
export async function readSidecar<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskError(error, path);
  });
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('manifest-unreadable', 'A file beside an archive cannot be read', {
      details: { path },
      cause,
    });
  }
}

export function sidecarText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
