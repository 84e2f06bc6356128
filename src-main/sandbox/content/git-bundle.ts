/** @file Writes git bundles (version 2) without git and without deltas, and reads the references of any bundle. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export interface Ref {
  /** Full name (`refs/heads/main`) in a bundle; callers may shorten it. */
  name: string;
  sha: string;
}

export interface Commit {
  message: string;
  /** Seconds since 1970; author and committer have the same time. */
  unixSeconds: number;
  author: { name: string; email: string };
  /** The complete tree of this commit: slash-separated path to content. */
  files: ReadonlyMap<string, string>;
  parents: readonly string[];
}

const typeNumber = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;
type ObjectType = keyof typeof typeNumber;

const signature = '# v2 git bundle\n';

/** Collects git objects and references, and creates a bundle of them. Equal objects are stored once. */
export class BundleBuilder {
  readonly #objects = new Map<string, { type: ObjectType; body: Buffer }>();
  readonly #refs: Ref[] = [];

  commit(commit: Commit): string {
    const tree = this.#addTree([...commit.files].map(([path, text]) => [path.split('/'), text] as const));
    const identity = `${commit.author.name} <${commit.author.email}> ${commit.unixSeconds} +0000`;
    const lines = [
      `tree ${tree}`,
      ...commit.parents.map((parent) => `parent ${parent}`),
      `author ${identity}`,
      `committer ${identity}`,
      '',
      commit.message,
    ];
    return this.#add('commit', Buffer.from(lines.join('\n') + '\n'));
  }

  tag(name: string, target: string, message: string, tagger: Commit['author'], seconds: number): string {
    const identity = `${tagger.name} <${tagger.email}> ${seconds} +0000`;
    const text = `object ${target}\ntype commit\ntag ${name}\ntagger ${identity}\n\n${message}\n`;
    return this.#add('tag', Buffer.from(text));
  }

  addRef(name: string, sha: string): void {
    this.#refs.push({ name, sha });
  }

  /** Returns the bundle, with `HEAD` last like GitLab's. */
  createBundle(head: string): Buffer {
    const refs = [...this.#refs].sort((a, b) => (a.name < b.name ? -1 : 1));
    const list = [...refs, { name: 'HEAD', sha: head }].map((ref) => `${ref.sha} ${ref.name}\n`).join('');
    return Buffer.concat([Buffer.from(`${signature}${list}\n`), this.#pack()]);
  }

  #addTree(entries: readonly (readonly [readonly string[], string])[]): string {
    const blobs: { name: string; mode: string; sha: string }[] = [];
    const folders = new Map<string, (readonly [readonly string[], string])[]>();
    for (const [[name = '', ...rest], text] of entries) {
      if (rest.length === 0) {
        blobs.push({ name, mode: '100644', sha: this.#add('blob', Buffer.from(text)) });
      } else {
        folders.set(name, [...(folders.get(name) ?? []), [rest, text]]);
      }
    }
    const trees = [...folders].map(([name, inner]) => ({ name, mode: '40000', sha: this.#addTree(inner) }));
    // Git sorts entries by the bytes of their names, with a slash after the name of a folder.
    const key = (entry: { name: string; mode: string }) =>
      Buffer.from(entry.mode === '40000' ? `${entry.name}/` : entry.name);
    const sorted = [...blobs, ...trees].sort((a, b) => Buffer.compare(key(a), key(b)));
    const body = sorted.flatMap((entry) => [
      Buffer.from(`${entry.mode} ${entry.name}\0`),
      Buffer.from(entry.sha, 'hex'),
    ]);
    return this.#add('tree', Buffer.concat(body));
  }

  #add(type: ObjectType, body: Buffer): string {
    const sha = createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('hex');
    this.#objects.set(sha, { type, body });
    return sha;
  }

  #pack(): Buffer {
    const header = Buffer.alloc(12);
    header.write('PACK');
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(this.#objects.size, 8);
    const parts: Buffer[] = [header];
    for (const { type, body } of this.#objects.values()) {
      parts.push(entryHeader(typeNumber[type], body.length), deflateSync(body));
    }
    const pack = Buffer.concat(parts);
    return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
  }
}

/** The type in bits 4 to 6 of the first byte; the size in 4 and then 7 bits per byte, least significant first. */
function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 0x0f)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** Returns the references including `HEAD`, or null if the bytes are not a bundle with a pack. */
export function refsOfBundle(bytes: Buffer): Ref[] | null {
  if (!/^# v[23] git bundle\n/.test(bytes.toString('latin1', 0, 20))) return null;
  const end = bytes.indexOf('\n\n');
  if (end < 0 || bytes.subarray(end + 2, end + 6).toString('latin1') !== 'PACK') return null;
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(1);
  return lines
    .filter((line) => /^[0-9a-f]{40,64} /.test(line))
    .map((line) => ({ sha: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) }));
}
