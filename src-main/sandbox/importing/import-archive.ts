/** @file Validates an archive as a whole. Every refusal fails the whole import with GitLab's text (gitlab-facts 7). */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { UnpackedArchive } from '../content/archive-file.ts';
import {
  emptyContent,
  isObject,
  readBundleRefs,
  type FileBytes,
  type JsonRecord,
  type ProjectContent,
} from '../content/project-content.ts';

const maxLine = 50 * 1024 * 1024;

/** Fails the whole import; `message` is the detail that GitLab reports. */
export class ImportFailed extends Error {}

/** Returns the attributes of the project. Throws if they are missing or not an object. */
export function projectAttributesOf({ members, hasTree }: UnpackedArchive): JsonRecord {
  const root = members.get('tree/project.json');
  if (!Buffer.isBuffer(root)) throw new ImportFailed(hasTree ? 'Invalid file' : 'invalid import format');
  if (root.length > maxLine) throw new ImportFailed('JSON exceeds 50 MiB limit in project.json');
  const attributes = parseLine(root.toString('utf8'));
  if (isObject(attributes)) return attributes;
  // Ruby's wording depends on its version.
  throw new ImportFailed('undefined method (NoMethodError)');
}

/** Returns the content of the archive. Throws unless the archive has an NDJSON tree. */
export function contentOf(archive: UnpackedArchive): ProjectContent {
  const content = emptyContent();
  content.attributes = projectAttributesOf(archive);
  if (archive.foldersNamedLikeFiles.length > 0)
    throw new ImportFailed('Is a directory @ io_fread - [FILTERED]');
  for (const [name, bytes] of archive.members) {
    const relation = /^tree\/project\/([^/]+)\.ndjson$/.exec(name)?.[1];
    if (relation !== undefined && Buffer.isBuffer(bytes)) content.relations.set(relation, bytes);
    else if (!name.startsWith('tree/') && !versionFiles.has(name) && !isHiddenUpload(name)) {
      content.otherFiles.set(name, bytes);
    }
  }
  return content;
}

/** GitLab finds uploads with a pattern that skips names and folders with a leading dot. */
const isHiddenUpload = (name: string): boolean => /^uploads\/(?:.*\/)?\./.test(name);

/** Files that name the GitLab version that wrote the archive. An export writes its own. */
export const versionFiles: ReadonlySet<string> = new Set(['VERSION', 'GITLAB_VERSION', 'GITLAB_REVISION']);

/** Throws unless the archive has the one format version that the server reads. */
export function checkVersion({ members }: UnpackedArchive): void {
  const bytes = members.get('VERSION');
  if (!Buffer.isBuffer(bytes)) throw new ImportFailed('No such file or directory @ rb_sysopen - [FILTERED]');
  const [version = ''] = bytes
    .toString('utf8', 0, 128)
    .split('\n', 1)
    .map((line) => line.trim());
  if (version !== '' && !/\d/.test(version)) throw new ImportFailed('Incorrect VERSION format');
  // GitLab compares the first three numbers and ignores the text around them.
  if (/\d+\.\d+\.\d+/.exec(version)?.[0] !== '0.2.4') {
    throw new ImportFailed(`Import version mismatch: Required 0.2.4 but was ${version}`);
  }
}

/** Throws if a repository could not be restored from its bundle. */
export async function checkBundles({ members }: UnpackedArchive): Promise<void> {
  for (const name of ['project.bundle', 'project.wiki.bundle']) {
    const bundle = members.get(name);
    if (bundle === undefined || (await readBundleRefs(bundle)) !== null) continue;
    throw new ImportFailed('13:creating repository: cloning bundle: exit status 128.');
  }
}

/** Throws if `lfs-objects.json` exists, and does not name the repositories of an LFS object (gitlab-facts 11.1). */
export async function checkLfsListing({ otherFiles }: ProjectContent): Promise<void> {
  const listing = otherFiles.get('lfs-objects.json');
  const files = [...otherFiles].filter(([name]) => /^lfs-objects\/[^./][^/]*$/.test(name));
  if (listing === undefined || files.length === 0) return;
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(listing)) chunks.push(chunk);
  const repositories = parseLine(Buffer.concat(chunks).toString('utf8'));
  for (const [, bytes] of files) {
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(bytes)) hash.update(chunk);
    const oid = hash.digest('hex');
    // Ruby's wording depends on its version.
    if (!isObject(repositories) || !Array.isArray(repositories[oid]))
      throw new ImportFailed('undefined method (NoMethodError)');
  }
}

const chunksOf = (bytes: FileBytes): AsyncIterable<Buffer> | Buffer[] =>
  Buffer.isBuffer(bytes) ? [bytes] : (createReadStream(bytes.path) as AsyncIterable<Buffer>);

export function checkLineLengths(bytes: Buffer, relation: string): void {
  if (bytes.length <= maxLine) return;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    const length = (end < 0 ? bytes.length : end) - start;
    if (length > maxLine) throw new ImportFailed(`JSON exceeds 50 MiB limit in ${relation}.ndjson`);
    start += length + 1;
  }
}

/** Parses one line. A blank line, or one that is not JSON, fails the whole import. */
export function parseLine(text: string): unknown {
  try {
    if (hasLoneSurrogate(text)) throw new Error('A surrogate stands alone.');
    return JSON.parse(text) as unknown;
  } catch {
    throw new ImportFailed('Incorrect JSON format');
  }
}

/** GitLab's parser requires a second escape, of any kind, after the escape of a surrogate. */
function hasLoneSurrogate(text: string): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false;
  for (const [escape] of text.matchAll(/\\u[dD][89a-fA-F]..(?:\\u....)?|\\./g)) {
    if (/^\\u[dD]/.test(escape) && escape.length === 6) return true;
  }
  return false;
}
