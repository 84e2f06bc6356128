/**
 * @file Identifies each member of an export (gitlab-facts 5.2) and collects its contents. Checks names, types and
 * content; the walker checks the structure of the tar. No name ever becomes a path on disk.
 */
import { createHash } from 'node:crypto';
import type { Inspection } from '../../../src-contract/archives/archive.ts';
import { FindingList } from '../findings.ts';
import type { ReadLimits } from '../limits.ts';
import { BundleSink, type Bundle } from './bundle.ts';
import { NameSet } from './name-set.ts';
import type { RecordIndexWriter } from '../records/index-writer.ts';
import {
  projectAttributesEntry,
  repositoryRefsEntry,
  avatarEntry,
  uploadedFilesEntry,
  lfsObjectsEntry,
} from '../records/record-keys.ts';
import { LfsContent } from './lfs-content.ts';
import { LegacySink } from './legacy.ts';
import { DocumentSink, RelationSink, Tally } from './records.ts';
import { expectedTypes, fileTypes } from './tar-entry-types.ts';
import type { TarHeader } from './tar-header.ts';
import type { MemberSink, TarListener } from './tar-walker.ts';

/** Returns a member's name without leading `./` and trailing slash, as used in findings and relations. */
export function plainName(name: string): string {
  const from = name.startsWith('./') ? name.replace(/^(?:\.\/+)+/, '') : name;
  return from.endsWith('/') ? from.replace(/\/+$/, '') : from;
}

/** Returns the three numbers that GitLab compares (`Gitlab::VersionInfo`); null if they are missing. */
export const parseFormatVersion = (text: string): string | null => /\d+\.\d+\.\d+/.exec(text)?.[0] ?? null;

/** macOS adds these members when an export is packed again; they are never content. */
function isMacResidue(name: string): boolean {
  return /(?:^|\/)(?:\._|\.DS_Store$)/.test(name);
}

/** Returns `issues` for `tree/project/issues.ndjson`; null for any other member. */
export function relationOf(name: string): string | null {
  return /^tree\/project\/([^/]+)\.ndjson$/.exec(name)?.[1] ?? null;
}

/** Returns whether GitLab opens that name as a file. */
const isReadAsFile = (name: string): boolean =>
  relationOf(name) !== null || name === rootDocument || name === 'VERSION';

export const legacyDocument = 'project.json';
/** The versions that GitLab has written (gitlab-facts 5.2). Archives of other versions may have another layout. */
const knownVersion = /^0\.(?:1\.[0-8]|2\.[0-4])$/;
/** Linux refuses files with longer names. */
const maxNameBytes = 255;
const rootDocument = 'tree/project.json';

/** Matches nearly every name. Only other names, and names with two dots in a row, are checked in detail. */
const ordinaryName = /^[\w.][\w./+@ -]*$/;
// eslint-disable-next-line no-control-regex -- the pattern searches for control characters
const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/;

/** Makes a name safe to show: replaces invisible and reordering characters with their code points. */
function sanitizeName(text: string): string {
  const pattern = new RegExp(unsafeCharacters, 'g');
  return text.replace(pattern, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

class TextSink implements MemberSink {
  #text = '';
  readonly #onEnd: (text: string) => void;

  constructor(onEnd: (text: string) => void) {
    this.#onEnd = onEnd;
  }

  write(bytes: Buffer): void {
    if (this.#text.length < 128) this.#text += bytes.toString('utf8', 0, 128);
  }

  end(): void {
    this.#onEnd(this.#text.slice(0, 100));
  }
}

const repositoryBundle = 'project.bundle';
/** Beyond this many uploads only their number is stored. */
const maxIndexedUploads = 100_000;

class DigestSink implements MemberSink {
  readonly #hash = createHash('sha256');
  readonly #onEnd: (sha256: string) => void;

  constructor(onEnd: (sha256: string) => void) {
    this.#onEnd = onEnd;
  }

  write(bytes: Buffer): void {
    this.#hash.update(bytes);
  }

  end(): void {
    this.#onEnd(this.#hash.digest('hex'));
  }
}

export class ExportContent implements TarListener {
  readonly findings = new FindingList();
  readonly #limits: ReadLimits;
  readonly #names = new NameSet();
  readonly #totals = { relations: new Tally(), notes: new Tally() };
  /** Counts of the legacy document. GitLab ignores that document if the archive also has a tree. */
  readonly #legacyTotals = { relations: new Tally(), notes: new Tally() };
  readonly #bundles: Bundle[] = [];
  readonly #index: RecordIndexWriter | null;
  #version: string | null = null;
  #gitlabVersion: string | null = null;
  #hasTree = false;
  #hasLegacy = false;
  #uploadCount = 0;
  /** Buffered, because the index takes one relation after the other; null once there are too many. */
  #uploadLines: string[] | null = [];
  #avatarLine: string | null = null;
  readonly #lfs = new LfsContent();

  /** @param index also receives the records; null if the archive gets no index. */
  constructor(limits: ReadLimits, index: RecordIndexWriter | null) {
    this.#limits = limits;
    this.#index = index;
  }

  onMixedHeaders(name: string): void {
    this.findings.add(
      'name-odd',
      'Two kinds of extended headers set the name of this entry',
      sanitizeName(plainName(name)),
    );
  }

  onMember(header: TarHeader): MemberSink | null {
    const name = plainName(header.name);
    const isFile = fileTypes.has(header.type) && !header.name.endsWith('/');
    this.#checkName(header.name, name);
    this.#checkType(header, name);
    if (isMacResidue(name)) return null;
    if (header.type === '5' || header.name.endsWith('/')) {
      if (isReadAsFile(name)) {
        const message = 'A folder has the name of a file of the export; GitLab refuses the whole archive';
        this.findings.add('folder-for-file', message, sanitizeName(name));
      }
      return null;
    }
    if (
      name.length > maxNameBytes / 4 &&
      name.split('/').some((part) => Buffer.byteLength(part) > maxNameBytes)
    ) {
      const message = 'A part of the name is longer than 255 bytes; GitLab silently skips the file';
      this.findings.add('name-too-long', message, sanitizeName(name));
    }
    if (this.#names.testAndAdd(name))
      this.findings.add('duplicate-member', 'Two entries of the archive have this name', sanitizeName(name));
    if (name.startsWith('uploads/')) {
      this.#countUpload(name);
      if (!isFile) this.#addUploadLine(name, header.size, null);
    }
    return isFile ? this.#createSink(name, header.size) : null;
  }

  /**
   * Adds findings that need the complete archive, and returns the contents. `isComplete`: true if the tar was read to
   * its end marker.
   */
  finish(
    isComplete: boolean,
  ): Omit<Inspection, 'verdict' | 'sha256' | 'sizeBytes' | 'unpackedBytes' | 'members'> {
    this.#indexUploads();
    this.#indexAvatar();
    if (isComplete) this.#indexLfsObjects();
    if (isComplete) this.#checkRequired();
    const isLegacy = this.#hasLegacy && !this.#hasTree;
    const { relations, notes } = isLegacy ? this.#legacyTotals : this.#totals;
    return {
      layout: this.#hasTree ? 'ndjson' : this.#hasLegacy ? 'legacy' : null,
      version: this.#version,
      gitlabVersion: this.#gitlabVersion,
      relations: relations.toCounts(),
      notes: notes.toCounts(),
      bundles: this.#bundles,
      uploads: this.#uploadCount,
      lfsObjects: this.#lfs.count,
      lfsBytes: this.#lfs.bytes,
      findings: this.findings.list(),
    };
  }

  #checkRequired(): void {
    if (this.#hasLegacy && !this.#hasTree) {
      const message = 'All records are in one document, which GitLab 15.11 and newer refuse';
      this.findings.add('legacy-layout', message, legacyDocument);
    }
    if (this.#hasTree && this.#hasLegacy) {
      const message = 'The archive has records in both layouts; GitLab reads only those in tree/';
      this.findings.add('two-layouts', message, legacyDocument);
    }
    if (!this.#hasTree && !this.#hasLegacy) {
      this.findings.add('not-an-export', 'There is neither tree/project.json nor project.json');
    }
    if (this.#version === null) this.findings.add('version-missing', 'The file VERSION is missing');
    else if (!knownVersion.test(parseFormatVersion(this.#version) ?? '')) {
      this.findings.add('version-unknown', 'VERSION is not a known version of the export format', 'VERSION');
    }
  }

  #countUpload(name: string): void {
    this.#uploadCount++;
    if (!/\/\.(?!\.?(?:\/|$))/.test(name)) return;
    const message = 'The name of the upload begins with a dot; GitLab silently skips the file';
    this.findings.add('upload-hidden', message, sanitizeName(name));
  }

  #checkName(storedName: string, name: string): void {
    if (storedName.includes('/./', 1) || storedName.includes('//')) {
      this.findings.add(
        'name-odd',
        'Different programs resolve this name to different paths',
        sanitizeName(name),
      );
    }
    if (ordinaryName.test(storedName) && !storedName.includes('..')) return;
    if (/^\/|(?:^|\/)\.\.(?:\/|$)|\\|^[A-Za-z]:/.test(storedName)) {
      this.findings.add('name-escapes', 'The name points outside the archive', sanitizeName(name));
    } else if (storedName === '' || unsafeCharacters.test(storedName)) {
      this.findings.add('name-odd', 'The name is empty or has invisible characters', sanitizeName(name));
    }
  }

  #checkType({ type, linkName }: TarHeader, name: string): void {
    if (type === '1' || type === '2') {
      this.findings.add(
        'link',
        `The entry is a link to ${sanitizeName(linkName.slice(0, 200))}`,
        sanitizeName(name),
      );
    } else if (!expectedTypes.has(type)) {
      this.findings.add('special-member', 'The entry is neither a file nor a folder', sanitizeName(name));
    }
  }

  #createSink(name: string, size: number): MemberSink | null {
    if (name.startsWith('uploads/'))
      return this.#index === null
        ? null
        : new DigestSink((sha256) => {
            this.#addUploadLine(name, size, sha256);
          });
    if (name.startsWith('avatar/') && this.#index !== null && this.#avatarLine === null)
      return new DigestSink((sha) => {
        this.#avatarLine = JSON.stringify({ name: name.slice('avatar/'.length), size, sha });
      });
    const relation = relationOf(name);
    if (relation !== null) {
      const writer = this.#index?.addRelation(relation) ?? null;
      return new RelationSink(
        sanitizeName(name),
        relation,
        this.#totals,
        this.findings,
        this.#limits.recordBytes,
        writer,
      );
    }
    if (name.startsWith('lfs-objects/')) return this.#createLfsSink(name, size);
    if (/^(?:snippets\/)?[^/]+\.bundle$/.test(name)) {
      return new BundleSink(sanitizeName(name), this.#bundles, this.findings, this.#refSink(name));
    }
    switch (name) {
      case 'VERSION':
        // GitLab reads only the first line.
        return new TextSink((text) => (this.#version ??= text.split('\n', 1)[0]?.trim() ?? ''));
      case 'GITLAB_VERSION':
        return new TextSink((text) => (this.#gitlabVersion ??= text.trim()));
      case rootDocument:
        this.#hasTree = true;
        return new DocumentSink(
          name,
          this.findings,
          this.#createIndexSink(name, projectAttributesEntry),
          this.#limits.recordBytes,
        );
      case 'lfs-objects.json':
        return new DocumentSink(name, this.findings, this.#lfs.listingSink());
      case legacyDocument:
        this.#hasLegacy = true;
        return new LegacySink(name, this.#legacyTotals, this.findings, this.#index);
      default:
        return null;
    }
  }

  /**
   * Stores a line for each member that GitLab lists as an upload. Other members, such as former avatars, are only
   * counted.
   */
  #addUploadLine(member: string, size: number, sha: string | null): void {
    const name = /^uploads\/[0-9a-f]{32}\/([^/]+)$/.exec(member)?.[1];
    if (name === undefined) return;
    if (this.#index === null || this.#uploadLines?.length === maxIndexedUploads) this.#uploadLines = null;
    this.#uploadLines?.push(JSON.stringify({ name, size, sha }));
  }

  #indexUploads(): void {
    if (this.#uploadLines === null || this.#uploadLines.length === 0) return;
    const sink = this.#createIndexSink('uploads', uploadedFilesEntry);
    for (const line of this.#uploadLines) sink?.write(Buffer.from(`${line}\n`));
    sink?.end();
  }

  #indexAvatar(): void {
    if (this.#avatarLine === null) return;
    const sink = this.#createIndexSink('avatar', avatarEntry);
    sink?.write(Buffer.from(`${this.#avatarLine}\n`));
    sink?.end();
  }

  #indexLfsObjects(): void {
    const objects = this.#lfs.finish(this.findings);
    if (objects.length === 0) return;
    const sink = this.#createIndexSink('lfs-objects', lfsObjectsEntry);
    for (const object of objects) sink?.write(Buffer.from(`${JSON.stringify(object)}\n`));
    sink?.end();
  }

  #refSink(member: string): MemberSink | null {
    return member === repositoryBundle ? this.#createIndexSink(member, repositoryRefsEntry) : null;
  }

  /** Returns a sink for data that is stored in the index but is no record and is not counted. */
  #createIndexSink(member: string, name: string): MemberSink | null {
    const writer = this.#index?.addRelation(name) ?? null;
    if (writer === null) return null;
    const unusedTotals = { relations: new Tally(), notes: new Tally() };
    return new RelationSink(member, name, unusedTotals, new FindingList(), this.#limits.recordBytes, writer);
  }

  #createLfsSink(name: string, size: number): MemberSink | null {
    const oid = this.#lfs.addObject(name, size);
    if (oid === null) return null;
    return new DigestSink((sha256) => {
      if (sha256 !== oid)
        this.findings.add('lfs-mismatch', 'The hash of the object differs from its name', name);
    });
  }
}
