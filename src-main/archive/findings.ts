/** @file Every finding about an archive, in one closed table. The code decides severity and verdict. */
import { incompleteCode } from '../../src-contract/archives/archive-quality.ts';
import type { Finding, Verdict } from '../../src-contract/archives/archive.ts';

type Severity = Finding['severity'];

/** `[severity, verdict that it forces]`; null leaves the verdict unchanged. An `error` rules out proof L2. */
const kinds = {
  // the gzip stream
  'not-gzip': ['error', 'unusable'],
  'gzip-cut': ['error', 'unusable'],
  'gzip-damaged': ['error', 'unusable'],
  'gzip-checksum': ['error', 'unusable'],
  'gzip-trailing-bytes': ['error', 'unusable'],
  // the tar inside
  'not-tar': ['error', 'unusable'],
  'tar-damaged': ['error', 'unusable'],
  'tar-unsupported': ['error', 'unusable'],
  'tar-cut': ['error', 'unusable'],
  'tar-end-missing': ['error', 'unusable'],
  'trailing-data': ['warning', 'suspicious'],
  // its members
  link: ['warning', 'suspicious'],
  'special-member': ['warning', 'suspicious'],
  'name-escapes': ['warning', 'suspicious'],
  'name-odd': ['warning', 'suspicious'],
  'duplicate-member': ['warning', 'suspicious'],
  'folder-for-file': ['error', 'suspicious'],
  'two-layouts': ['warning', 'suspicious'],
  'upload-hidden': ['info', null],
  'name-too-long': ['info', null],
  'legacy-layout': ['info', null],
  // the required contents of an export
  'not-an-export': ['error', 'unusable'],
  'version-missing': ['error', 'suspicious'],
  'version-unknown': ['warning', 'suspicious'],
  'document-malformed': ['error', 'suspicious'],
  'document-no-object': ['error', 'suspicious'],
  'document-too-long': ['error', 'suspicious'],
  'blank-line': ['warning', 'suspicious'],
  'surrogate-alone': ['warning', 'suspicious'],
  'record-malformed': ['error', 'unusable'],
  'record-too-long': ['error', 'unusable'],
  'bundle-damaged': ['error', 'unusable'],
  'lfs-mismatch': ['error', 'unusable'],
  'lfs-missing': ['error', 'suspicious'],
  'lfs-unlisted': ['error', 'suspicious'],
  // compared with the source
  [incompleteCode]: ['error', null],
  'source-moved': ['info', null],
  // compared with its manifest
  'content-changed': ['error', 'suspicious'],
} as const satisfies Record<string, readonly [Severity, Verdict | null]>;

export type FindingCode = keyof typeof kinds;

export const findingCodes = Object.keys(kinds) as FindingCode[];

export function finding(code: FindingCode, message: string, where: string | null = null): Finding {
  return { code, severity: kinds[code][0], message, where };
}

/** Returns the worst verdict that any of the findings forces; `sound` if none does. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const forced = findings.map(({ code }) => (code in kinds ? kinds[code as FindingCode][1] : null));
  if (forced.includes('unusable')) return 'unusable';
  return forced.includes('suspicious') ? 'suspicious' : 'sound';
}

const maxFindingsPerCode = 100;

/** Collects the findings of one reading. Keeps the first hundred of each code, and counts the rest. */
export class FindingList {
  readonly #kept: Finding[] = [];
  readonly #counts = new Map<FindingCode, number>();

  add(code: FindingCode, message: string, where: string | null = null): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= maxFindingsPerCode) this.#kept.push(finding(code, message, where && where.slice(0, 500)));
  }

  list(): Finding[] {
    const more = [...this.#counts].filter(([, count]) => count > maxFindingsPerCode);
    return [
      ...this.#kept,
      ...more.map(([code, count]) =>
        finding(code, `${count - maxFindingsPerCode} more findings of this kind`),
      ),
    ];
  }
}
