/** @file The lint of a file, and the errors of reading records from files that are not archives. */
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../src-contract/archives/archive.ts';
import type { LintFinding } from '../../../src-contract/archives/lint-schema.ts';
import { exitOfLint, lintText } from '../../../src-main/hosts/cli/archives/archive-lint.ts';
import { exitCodes } from '../../../src-main/hosts/cli/terminal/terminal.ts';
import { lintContents, lintFile } from '../../../src-main/services/archives/linting.ts';
import { recordViewInFile } from '../../../src-main/services/archives/record-access.ts';
import { trimToFile } from '../../../src-main/services/archives/trimming.ts';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import { lintRecords } from '../../../src-main/archive/records/lint-records.ts';
import { openRecordIndex } from '../../../src-main/archive/records/record-index.ts';
import { exportWith, member } from '../../support/archives/archive-builder.ts';
import { manifestFields } from '../../support/archives/archive-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const signal = new AbortController().signal;

function fileOf(bytes: Buffer | string): string {
  const path = join(temporaryFolder(), 'some_export.tar.gz');
  writeFileSync(path, bytes);
  return path;
}

const file = (name: string, content: string): Record<string, Buffer> => ({
  [name]: member({ name, content }),
});
const relation = (name: string, content: string): Record<string, Buffer> =>
  file(`./tree/project/${name}.ndjson`, content);

async function lint(bytes: Buffer, code: string): Promise<Pick<LintFinding, 'severity' | 'place'>[]> {
  const { findings } = await lintFile(fileOf(bytes), null, signal);
  return findings
    .filter((finding) => finding.code === code)
    .map(({ severity, place }) => ({ severity, place }));
}

describe('a lint', () => {
  it('reports enabled instance runners, which some groups forbid, and nothing if they are disabled', async () => {
    const attributes = (value: unknown): Buffer =>
      exportWith(file('./tree/project.json', JSON.stringify({ shared_runners_enabled: value })));
    expect(await lint(attributes(true), 'instance-runners')).toEqual([
      { severity: 'info', place: 'tree/project.json' },
    ]);
    expect(await lint(attributes(false), 'instance-runners')).toEqual([]);
    expect(await lint(exportWith(file('./tree/project.json', '[true]')), 'instance-runners')).toEqual([]);
  });

  it('reports relations with an empty file in archives of versions that write no empty file', async () => {
    const empty = {
      ...relation('labels', ''),
      ...relation('boards', '\n'),
      ...relation('push_rule', 'null'),
    };
    expect(await lint(exportWith(empty), 'relation-empty')).toEqual([
      { severity: 'info', place: 'labels' },
      { severity: 'info', place: 'boards' },
    ]);
    const older = { ...empty, ...file('./GITLAB_VERSION', '15.10.3') };
    expect(await lint(exportWith(older), 'relation-empty')).toEqual([]);
  });

  it('advises to shorten the original of a record that is too long, because another export would contain it again', async () => {
    const content = `{"iid":1,"description":"${'x'.repeat(51 * 2 ** 20)}"}\n`;
    const path = fileOf(exportWith({ long: member({ name: './tree/project/issues.ndjson', content }) }));
    const { findings } = await lintFile(path, null, signal);
    const found = findings.filter(({ code }) => code === 'record-too-long');
    expect(found.map(({ severity, fix }) => [severity, fix])).toEqual([
      ['blocker', expect.stringContaining('Shorten the original')],
    ]);
  });

  it('reports an empty member with its own code if GitLab needs its content', async () => {
    const codes = async (name: string): Promise<string[]> =>
      (await lintFile(fileOf(exportWith(file(name, ''))), null, signal)).findings
        .filter(({ severity }) => severity !== 'info')
        .map(({ code, place }) => `${code} ${place ?? ''}`);
    expect(await codes('./VERSION')).toContain('version-unknown VERSION');
    expect(await codes('./tree/project.json')).toContain('record-malformed tree/project.json');
    expect(await codes('./project.bundle')).toContain('bundle-damaged project.bundle');
    expect(await codes('./tree/project/project_members.ndjson')).toContain('members-missing project_members');
  });

  it('warns of a path that GitLab reserves if the manifest beside the file names it', async () => {
    const path = fileOf(exportWith());
    const { sha256, sizeBytes, ...inspection } = await inspectFile(path);
    const manifest = (fullPath: string): Manifest => ({
      ...manifestFields,
      schemaVersion: 1,
      storedAt: '2026-11-20T09:05:07.042Z',
      file: basename(path),
      sha256,
      sizeBytes,
      inspection: { ...inspection, sha256, sizeBytes },
      project: { id: 1, fullPath, name: 'Wikis' },
    });
    const refused = async (fullPath: string): Promise<string[]> => {
      writeFileSync(`${path}.manifest.json`, JSON.stringify(manifest(fullPath)));
      const { findings } = await lintFile(path, null, signal);
      return findings.filter(({ code }) => code === 'path-refused').map(({ message }) => message);
    };
    expect(await refused('group/wikis')).toEqual(['GitLab reserves the path "wikis".']);
    expect(await refused('group/wikis/app')).toEqual([]);
  });

  it('finds duplicates among tens of thousands of records, and reports a relation with too many records to compare', async () => {
    const records = Array.from({ length: 21_000 }, (_, at) => `{"iid":${at === 20_999 ? 7 : at + 1}}\n`);
    const bytes = exportWith({
      ...relation('ci_pipelines', records.join('')),
      ...relation('labels', '{"title":"bug"}\n{"title":"new"}\n{"title":"bug"}\n'),
    });
    expect(await lint(bytes, 'duplicate-iid')).toEqual([
      { severity: 'warning', place: 'ci_pipelines:6' },
      { severity: 'warning', place: 'ci_pipelines:20999' },
    ]);
    expect(await lint(bytes, 'duplicate-title')).toEqual([
      { severity: 'warning', place: 'labels:0' },
      { severity: 'warning', place: 'labels:2' },
    ]);
    const indexes = mkdtempSync(join(temporaryFolder(), 'indexes-'));
    const { sha256 } = await inspectFile(fileOf(bytes), { indexFolder: indexes });
    const index = await openRecordIndex(indexes, sha256);
    const found: LintFinding[] = [];
    const bounds = { maxCompared: 20_000, maxChecked: 1_000_000, maxFindings: 1_000_000 };
    if (index !== null) for await (const finding of lintRecords(index, signal, bounds)) found.push(finding);
    await index?.close();
    expect(found.map(({ code, place }) => `${code} ${place ?? ''}`)).toEqual(
      expect.arrayContaining(['duplicates-not-looked-for ci_pipelines', 'duplicate-title labels:2']),
    );
    expect(found.some(({ code }) => code === 'duplicate-iid')).toBe(false);
  });
});

describe('a lint of an archive with more findings than it lists', () => {
  it('lists a late warning before earlier remarks, counts the rest, and is not a success', async () => {
    const remark = (iid: number): string =>
      `{"iid":${iid},"title":"One","state":"opened","due_date":"soon"}\n`;
    const content = [
      ...Array.from({ length: 1_100 }, (_, at) => remark(at + 1)),
      '{"iid":5000,"title":null,"state":"opened"}\n',
    ].join('');
    const found = await lintFile(fileOf(exportWith(relation('issues', content))), null, signal);
    expect(found.findings.filter(({ code }) => code === 'title-missing')).toMatchObject([
      { severity: 'warning', place: 'issues:1100' },
    ]);
    expect(found.findings).toHaveLength(1_000);
    expect(found.more).toBeGreaterThan(100);
    expect(exitOfLint(found)).toBe(exitCodes.partly);
  });

  it('counts remarks about the archive beyond its limit, and lists what prevents the import first', async () => {
    const inspection = await inspectFile(fileOf(exportWith()), { signal });
    const remark = { code: 'other-remark', severity: 'warning', message: 'This file is unusual.' } as const;
    const findings = [
      ...Array.from({ length: 1_100 }, (_, at) => ({ ...remark, where: `file ${at}` })),
      {
        code: 'other-error',
        severity: 'error',
        message: 'This file is damaged.',
        where: 'last file',
      } as const,
    ];
    const found = await lintContents({ ...inspection, findings }, null, null, signal);
    expect(found.findings[0]).toMatchObject({ severity: 'blocker', place: 'last file' });
    expect(found.findings).toHaveLength(1_000);
    expect(found.more).toBeGreaterThan(100);
  });
});

describe('a lint without the records of the archive', () => {
  it('is not a success, and does not say that the import should work', async () => {
    const bytes = exportWith(relation('project_members', '{"user_id":1,"access_level":50}\n'));
    const found = await lintContents(await inspectFile(fileOf(bytes)), null, null, signal);
    expect(found.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(exitOfLint(found)).toBe(exitCodes.partly);
    expect(lintText(found)).not.toContain('should work');
    expect(exitOfLint({ ...found, recordsRead: true })).toBe(exitCodes.done);
  });
});

describe('a file that is not an archive', () => {
  const files = {
    'The file is empty': '',
    'The file is not a gzip stream': 'root:x:0:0:root:/root:/bin/bash\n',
    'The file is not a gzip stream ': 'PK\x03\x04 of a zip',
    'There is no tar inside': gzipSync('a text'.repeat(500)),
  };

  it.each(Object.entries(files))(
    'is reported as such by lint, by reading a record and by trimming: %s',
    async (reason, bytes) => {
      const path = fileOf(bytes);
      const message = reason.trim();
      const { findings } = await lintFile(path, null, signal);
      expect(findings.map((finding) => finding.message)).toContain(`${message}.`);
      const refusal = { code: 'archive-corrupt', message };
      const place = { relation: 'issues', line: 0 };
      await expect(recordViewInFile(path, place, signal)).rejects.toMatchObject(refusal);
      const folder = temporaryFolder();
      const to = join(folder, 'trimmed.tar.gz');
      const choices = [{ relation: 'issues', lines: [0] }];
      await expect(trimToFile(path, choices, to, {})).rejects.toMatchObject(refusal);
      expect(existsSync(to)).toBe(false);
      expect(readdirSync(folder)).toEqual([]);
      expect(statSync(path).size).toBe(bytes.length);
    },
  );

  it('is reported differently from an archive that is damaged before the record', async () => {
    const bytes = exportWith();
    await expect(
      recordViewInFile(fileOf(bytes.subarray(0, 150)), { relation: 'issues', line: 0 }, signal),
    ).rejects.toMatchObject({
      code: 'archive-corrupt',
      message: 'The archive is damaged before the record.',
      details: { finding: 'gzip-cut' },
    });
  });
});
