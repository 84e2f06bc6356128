/**
 * @file What an import demands of an archive as a whole, and the content it takes from it. Whatever is refused here
 * fails the whole import with GitLab's text (gitlab-facts 7).
 */
import type { UnpackedArchive } from '../content/archive-file.ts';
import {
  emptyContent,
  readBundleRefs,
  type JsonRecord,
  type ProjectContent,
} from '../content/project-content.ts';

const maxLine = 50 * 1024 * 1024;

/** A reason for the whole import to fail; `message` is the detail that GitLab reports. */
export class ImportFailed extends Error {}

/** The content of an unpacked archive with an NDJSON tree. Throws when it has none. */
export function contentOf(archive: UnpackedArchive): ProjectContent {
  const root = archive.members.get('tree/project.json');
  if (!Buffer.isBuffer(root)) {
    throw new ImportFailed(archive.members.has('project.json') ? 'invalid import format' : 'Invalid file');
  }
  const content = emptyContent();
  content.attributes = parseLine(root.toString('utf8')) as JsonRecord;
  for (const [name, bytes] of archive.members) {
    const relation = /^tree\/project\/([^/]+)\.ndjson$/.exec(name)?.[1];
    if (relation !== undefined && Buffer.isBuffer(bytes)) content.relations.set(relation, bytes);
    else if (!name.startsWith('tree/') && !stampMembers.has(name)) content.members.set(name, bytes);
  }
  return content;
}

/** Members that say who wrote the archive; an export writes its own. */
export const stampMembers: ReadonlySet<string> = new Set(['VERSION', 'GITLAB_VERSION', 'GITLAB_REVISION']);

/** Throws unless the archive states the one format version that the server reads. */
export function checkVersion({ members }: UnpackedArchive): void {
  const bytes = members.get('VERSION');
  if (!Buffer.isBuffer(bytes)) throw new ImportFailed('No such file or directory @ rb_sysopen - [FILTERED]');
  const version = bytes.toString('utf8').trim();
  if (!/^\d+(\.\d+)*$/.test(version)) throw new ImportFailed('Incorrect VERSION format');
  if (version !== '0.2.4') {
    throw new ImportFailed(`Import version mismatch: Required 0.2.4 but was ${version}`);
  }
}

/** Throws when a repository could not be restored from its bundle. */
export async function checkBundles({ members }: UnpackedArchive): Promise<void> {
  for (const name of ['project.bundle', 'project.wiki.bundle']) {
    const bundle = members.get(name);
    if (bundle === undefined || (await readBundleRefs(bundle)) !== null) continue;
    throw new ImportFailed('13:creating repository: cloning bundle: exit status 128.');
  }
}

/** Throws when a line of a relation is longer than a server reads. */
export function checkLineLengths(bytes: Buffer, relation: string): void {
  if (bytes.length <= maxLine) return;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    const length = (end < 0 ? bytes.length : end) - start;
    if (length > maxLine) throw new ImportFailed(`JSON exceeds 50 MiB limit in ${relation}.ndjson`);
    start += length + 1;
  }
}

/** The value of one line; a line that is not JSON fails the whole import. */
export function parseLine(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ImportFailed('Incorrect JSON format');
  }
}
