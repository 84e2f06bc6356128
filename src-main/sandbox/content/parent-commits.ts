/** @file Finds the parents of commits in the pack of a generated bundle. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import type { FileBytes } from './project-content.ts';

const types: Partial<Record<number, string>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const packHeaderBytes = 12;

/** Returns the first parent of each commit, and the commit of each annotated tag; nothing from an object after a delta. */
async function readLinks(bundle: FileBytes): Promise<Map<string, { type: string; to: string }>> {
  const bytes = Buffer.isBuffer(bundle) ? bundle : await readFile(bundle.path);
  const links = new Map<string, { type: string; to: string }>();
  const packOffset = bytes.indexOf('\n\nPACK') + 2;
  const count = bytes.readUInt32BE(packOffset + 8);
  let at = packOffset + packHeaderBytes;
  for (let index = 0; index < count; index += 1) {
    const type = types[(bytes.readUInt8(at) >> 4) & 7];
    if (type === undefined) break;
    while (bytes.readUInt8(at) >= 0x80) at += 1;
    const inflated: unknown = inflateSync(bytes.subarray(at + 1), { info: true });
    const { buffer: body, engine } = inflated as { buffer: Buffer; engine: { bytesWritten: number } };
    at += 1 + engine.bytesWritten;
    const to = /^(?:parent|object) (\w+)$/m.exec(body.toString('latin1').split('\n\n')[0] ?? '')?.[1];
    if ((type !== 'commit' && type !== 'tag') || to === undefined) continue;
    links.set(createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('hex'), { type, to });
  }
  return links;
}

/** Returns a function that finds the first parent of the commit of a ref; null if it has none, or is not in the pack. */
export async function parentFinder(bundle: FileBytes): Promise<(sha: string) => string | null> {
  const links = await readLinks(bundle);
  return (sha) => {
    const link = links.get(sha);
    return (link?.type === 'tag' ? links.get(link.to) : link)?.to ?? null;
  };
}
