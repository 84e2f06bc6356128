/** @file Packs export archives for tests, from given members in a real folder with node-tar. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { temporaryFolder } from '../temporary-folder.ts';

/**
 * Returns the bytes of an archive with these members. Adds VERSION and an empty `tree/project.json`, unless the members
 * contain them or null for them.
 */
export async function exportArchive(members: Record<string, string | Buffer | null>): Promise<Buffer> {
  const folder = temporaryFolder();
  const all: Record<string, string | Buffer | null> = {
    VERSION: '0.2.4',
    'tree/project.json': '{}',
    ...members,
  };
  for (const [name, content] of Object.entries(all)) {
    if (content === null) continue;
    const path = join(folder, 'content', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const file = join(folder, 'archive.tar.gz');
  await create({ gzip: true, file, cwd: join(folder, 'content') }, ['.']);
  return readFileSync(file);
}

/** Returns the records as NDJSON. */
export function lines(...records: unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
