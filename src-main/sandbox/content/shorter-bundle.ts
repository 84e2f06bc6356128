/** @file Writes a copy of a bundle with other references: rewrites the header and copies the pack. */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Ref } from './git-bundle.ts';
import { readBundleHeader, type FileBytes } from './project-content.ts';

/** Returns the bundle with only `branch`, written to `path` if the original is a file; null without that branch. */
export function createBranchBundle(
  bundle: FileBytes,
  branch: string,
  path: string,
): Promise<FileBytes | null> {
  return rewriteBundle(bundle, path, (lines) => {
    const sha = lines.find((line) => line.endsWith(` refs/heads/${branch}`))?.split(' ')[0];
    if (sha === undefined) return null;
    return [...lines.filter((line) => !isReference(line)), `${sha} refs/heads/${branch}`, `${sha} HEAD`];
  });
}

/** @param changes the new commit of each changed ref; null for a ref that the copy does not have. */
export function createBundleWithChangedRefs(
  bundle: FileBytes,
  changes: ReadonlyMap<string, string | null>,
  path: string,
): Promise<FileBytes | null> {
  return rewriteBundle(bundle, path, (lines) =>
    lines.flatMap((line) => {
      const name = line.slice(line.indexOf(' ') + 1);
      const sha = isReference(line) ? changes.get(name) : undefined;
      return sha === undefined ? [line] : sha === null ? [] : [`${sha} ${name}`];
    }),
  );
}

/** Returns the bundle with these refs instead of its own. Their commits must be in its pack. `HEAD` stays. */
export function createBundleWithRefs(
  bundle: FileBytes,
  refs: readonly Ref[],
  path: string,
): Promise<FileBytes | null> {
  return rewriteBundle(bundle, path, (lines) => [
    ...lines.filter((line) => !isReference(line)),
    ...refs.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, sha }) => `${sha} ${name}`),
    ...lines.filter((line) => isReference(line) && line.endsWith(' HEAD')),
  ]);
}

/** Other lines belong to the format: the signature, and capabilities of version 3. */
const isReference = (line: string): boolean => /^-?[0-9a-f]{40,64}(?: |$)/.test(line);

/** Rewrites the lines of the header, which is everything before the pack; returns null if there is nothing to write. */
type HeaderRewriter = (lines: readonly string[]) => string[] | null;

async function rewriteBundle(
  bundle: FileBytes,
  path: string,
  rewrite: HeaderRewriter,
): Promise<FileBytes | null> {
  if (Buffer.isBuffer(bundle)) {
    const parts = rewriteHeader(bundle, rewrite);
    return parts === null ? null : Buffer.concat([parts.head, bundle.subarray(parts.packOffset)]);
  }
  const parts = rewriteHeader(await readBundleHeader(bundle.path), rewrite);
  if (parts === null) return null;
  await pipeline(async function* () {
    yield parts.head;
    yield* createReadStream(bundle.path, { start: parts.packOffset }) as AsyncIterable<Buffer>;
  }, createWriteStream(path));
  return { path, size: parts.head.length + bundle.size - parts.packOffset };
}

function rewriteHeader(bytes: Buffer, rewrite: HeaderRewriter): { head: Buffer; packOffset: number } | null {
  const end = bytes.indexOf('\n\n');
  if (end < 0) return null;
  const lines = rewrite(bytes.subarray(0, end).toString('utf8').split('\n'));
  if (lines === null) return null;
  return { head: Buffer.from([...lines, '', ''].join('\n')), packOffset: end + 2 };
}
