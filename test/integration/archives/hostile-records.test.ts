/** @file Lint and trim stay within limits on archives whose records cost more memory or time than any honest record. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { LintFinding } from '../../../src-contract/archives/lint-schema.ts';
import { addUserIds, readMemberLines } from '../../../src-main/archive/authors.ts';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { lintArchive } from '../../../src-main/archive/lint.ts';
import { LineCopier } from '../../../src-main/archive/line-copier.ts';
import { lintRecords, type LintBounds } from '../../../src-main/archive/records/lint-records.ts';
import { openRecordIndex } from '../../../src-main/archive/records/record-index.ts';
import { trimArchive } from '../../../src-main/archive/trim.ts';
import type * as Tar from 'tar';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { commandLine } from '../../support/processes/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Called after an archive is packed and before it is renamed. */
const packing = vi.hoisted(() => ({ onPacked: (): void => undefined }));
vi.mock('tar', async (original) => {
  const tar = await original<typeof Tar>();
  const create = async (...args: Parameters<typeof tar.create>): Promise<unknown> => {
    const packed: unknown = await tar.create(...args);
    packing.onPacked();
    return packed;
  };
  return { ...tar, create };
});

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;
const signal = new AbortController().signal;
const MiB = 1024 * 1024;

function withIssues(content: string | Buffer): string {
  const path = join(temporaryFolder(), 'some_export.tar.gz');
  const name = './tree/project/issues.ndjson';
  writeFileSync(path, exportWith({ [name]: member({ name, content }) }));
  return path;
}

async function lint(path: string, bounds?: LintBounds): Promise<LintFinding[]> {
  const indexes = mkdtempSync(join(temporaryFolder(), 'indexes-'));
  const { sha256 } = await inspectFile(path, { indexFolder: indexes });
  const index = await openRecordIndex(indexes, sha256);
  const found: LintFinding[] = [];
  if (index !== null) for await (const finding of lintRecords(index, signal, bounds)) found.push(finding);
  await index?.close();
  return found;
}

const codesAt = (found: readonly LintFinding[], code: string): (string | null)[] =>
  found.filter((finding) => finding.code === code).map(({ place }) => place);

describe('a lint', () => {
  it.each([
    ['empty objects', '{},'],
    ['notes', '{"note":"a"},'],
  ])(
    'of a 24 MiB line of %s ends in a process with little memory, and reports the record that it did not check',
    async (_what, unit) => {
      const many = unit.repeat((24 * MiB) / unit.length);
      const path = withIssues(`{"iid":1,"title":"a","author_id":1,"notes":[${many}{}]}\n{"iid":2}\n`);
      const node = ['--max-old-space-size=80', commandLine(), 'archive', 'lint', path, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, node).catch(
        (thrown: unknown) => thrown as { stdout: string },
      );
      const { findings } = JSON.parse(stdout) as { findings: LintFinding[] };
      expect(codesAt(findings, 'record-not-checked')).toEqual(['issues:0']);
      expect(codesAt(findings, 'title-missing')).toEqual(['issues:1']);
    },
  );

  it('of a record that is too large to parse still reports that it is not JSON, not UTF-8, or a duplicate', async () => {
    const large = (start: string, end: string | Buffer): Buffer =>
      Buffer.concat([Buffer.from(start + 'x'.repeat(5 * MiB)), Buffer.from(end)]);
    const invalid = Buffer.concat([Buffer.from([0xff]), Buffer.from('"}\n')]);
    const found = await lint(
      withIssues(
        Buffer.concat([
          large('{"iid":7,"title":"a","description":"', '"}\n'),
          large('{"iid":7,"state":"gone","title":"b","description":"', invalid),
        ]),
      ),
    );
    expect(codesAt(found, 'duplicate-iid')).toEqual(['issues:0', 'issues:1']);
    expect(codesAt(found, 'value-unknown')).toEqual(['issues:1']);
    expect(codesAt(found, 'text-invalid-utf8')).toEqual(['issues:1']);
    expect(codesAt(found, 'record-not-checked')).toEqual(['issues:0', 'issues:1']);
    const unclosed = await inspectFile(withIssues(large('{"iid":7,"title":"a","description":"', '"\n')));
    expect(codesAt(lintArchive(unclosed, null), 'record-malformed')).toEqual([
      'tree/project/issues.ndjson:0',
    ]);
  });

  it('stops at the maximum number of records or findings, and reports where it stopped', async () => {
    const path = withIssues('{"iid":1}\n'.repeat(10));
    const bounds = { maxCompared: 0, maxChecked: 6, maxFindings: 100 };
    expect(codesAt(await lint(path, bounds), 'records-not-checked')).toEqual(['issues:6']);
    expect(codesAt(await lint(path, { ...bounds, maxFindings: 3 }), 'records-not-checked')).toEqual([
      'issues:3',
    ]);
    expect(codesAt(await lint(path), 'records-not-checked')).toEqual([]);
  });

  it('reports a number that fits no column as out of range, in any notation', async () => {
    const digits = '7'.repeat(100_000);
    const found = await lint(
      withIssues(
        `{"iid":1e10000000,"title":"a","author_id":1}\n{"iid":1,"weight":${digits},"title":"b","author_id":1}\n`,
      ),
    );
    expect(codesAt(found, 'integer-out-of-range')).toEqual(['issues:0', 'issues:1']);
    expect(found.map(({ message }) => message)).not.toContainEqual(
      expect.stringMatching(/Infinity|RangeError/),
    );
  });
});

describe('a trimmed archive', () => {
  it('gets its name only once it is complete, so that a killed process leaves no unreadable file', async () => {
    const path = withIssues('{"iid":1}\n');
    const to = join(temporaryFolder(), 'trimmed.tar.gz');
    const seen: boolean[] = [];
    const recordExistence = (): void => void seen.push(existsSync(to));
    packing.onPacked = recordExistence;
    await trimArchive(path, [{ relation: 'issues', lines: null }], to, { onProgress: recordExistence });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).not.toContain(true);
    expect(readdirSync(dirname(to))).toEqual(['trimmed.tar.gz']);
  });

  it('contains at most the maximum number of records', () => {
    const file = join(temporaryFolder(), 'issues.ndjson');
    const copier = new LineCopier({ relation: 'issues', lines: null }, file, 3);
    copier.write(Buffer.from('\n \n1\n2\n 3\n'));
    expect(() => {
      copier.write(Buffer.from('\n\n4\n'));
    }).toThrow(withCode('archive-limit'));
    copier.close();
    expect(copier.copiedLines).toEqual([2, 3, 4]);
    expect(readFileSync(file, 'utf8')).toBe('1\n2\n3\n4');
  });

  it('skips lines that are too long for a member, and rejects more than the maximum number of users', async () => {
    const file = join(temporaryFolder(), 'members.ndjson');
    writeFileSync(file, `{"user":1}\n[${'[],'.repeat(MiB)}0]\n{"user":2}`);
    const lines: string[] = [];
    for await (const line of readMemberLines(file)) lines.push(line.toString());
    expect(lines).toEqual(['{"user":1}', '{"user":2}']);
    writeFileSync(file, Array.from({ length: 501_000 }, (_, at) => `{"author_id":${at}}\n`).join(''));
    await expect(addUserIds(file, new Set())).rejects.toThrow(withCode('archive-limit'));
  });
});
