/** @file A bundle that lists one branch of another: the head is written anew, the pack stays as it is. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { MemberBytes } from './project-content.ts';

/** The bundle with `branch` alone, also written to `path` where the whole one is a file; null without that branch. */
export async function onlyBranch(
  bundle: MemberBytes,
  branch: string,
  path: string,
): Promise<MemberBytes | null> {
  if (Buffer.isBuffer(bundle)) {
    const parts = headWith(bundle, branch);
    return parts === null ? null : Buffer.concat([parts.head, bundle.subarray(parts.packAt)]);
  }
  const parts = headWith(await headOf(bundle.path), branch);
  if (parts === null) return null;
  await pipeline(async function* () {
    yield parts.head;
    yield* createReadStream(bundle.path, { start: parts.packAt }) as AsyncIterable<Buffer>;
  }, createWriteStream(path));
  return { path, size: parts.head.length + bundle.size - parts.packAt };
}

/** Bytes up to and with the empty line that ends the list of references. */
async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    for (let size = 1 << 16; ; size *= 4) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      const read = buffer.subarray(0, bytesRead);
      if (read.includes('\n\n') || bytesRead < size) return read;
    }
  } finally {
    await file.close();
  }
}

function headWith(bytes: Buffer, branch: string): { head: Buffer; packAt: number } | null {
  const end = bytes.indexOf('\n\n');
  if (end < 0) return null;
  const lines = bytes.subarray(0, end).toString('utf8').split('\n');
  const sha = lines.find((line) => line.endsWith(` refs/heads/${branch}`))?.split(' ')[0];
  if (sha === undefined) return null;
  // What is no reference belongs to the format: the signature, and capabilities of version 3.
  const first = lines.filter((line) => !/^-?[0-9a-f]{40,64}(?: |$)/.test(line));
  const head = [...first, `${sha} refs/heads/${branch}`, `${sha} HEAD`, '', ''].join('\n');
  return { head: Buffer.from(head), packAt: end + 2 };
}
