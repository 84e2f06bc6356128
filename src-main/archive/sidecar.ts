/** @file Reads and serializes the JSON files beside an archive (`manifestSchema`, `stateFileSchema`). */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../src-contract/errors.ts';
import type { z } from '../../src-contract/schema.ts';
import { diskError, errnoOf } from '../platform/disk/disk-errors.ts';

/** Returns the parsed content of the file; null if there is no such file. Throws `manifest-unreadable` if invalid. */
export async function readSidecar<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw diskError(error, path);
  });
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('manifest-unreadable', 'A file beside an archive cannot be read.', {
      details: { path },
      cause,
    });
  }
}

export function serializeSidecar(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
