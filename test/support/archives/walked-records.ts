/** @file Reads every record of an archive by walking through it; an index must return the same. */
import type { ArchiveRecord } from '../../../src-contract/archives/archive.ts';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { readRecords } from '../../../src-main/archive/read.ts';

const maxLines = 100_000;

/** Returns all lines of each relation, including blank ones. */
export async function walkRecords(path: string): Promise<Map<string, ArchiveRecord[]>> {
  const { relations } = await inspectFile(path);
  const walked = new Map<string, ArchiveRecord[]>();
  for (const relation of Object.keys(relations)) {
    const lines = Array.from(
      { length: Math.min(maxLines, (relations[relation] ?? 0) + 50) },
      (_, line) => line,
    );
    const found = await readRecords(
      path,
      lines.map((line) => ({ relation, line })),
    );
    walked.set(
      relation,
      found.filter((record) => record !== null),
    );
  }
  return walked;
}
