/** @file Files that are saved outside the store get safe names, replace no other file and are never left incomplete. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FileSink } from '../../../../src-main/services/transfers/downloaded-file.ts';
import { createDownloads, safeFileName } from '../../../../src-main/services/transfers/downloads.ts';
import { exportWith } from '../../../support/archives/archive-builder.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const bytes = Buffer.from('whole');
const send = async (file: FileSink): Promise<void> => {
  await file.begin(bytes.length);
  await file.write(bytes.subarray(0, 2));
  await file.write(bytes.subarray(2));
};

test.each([
  ['plan.pdf', 'plan.pdf'],
  ['../../.ssh/authorized_keys', '_.._.ssh_authorized_keys'],
  ['C:\\Windows\\x.exe', 'C__Windows_x.exe'],
  ['.bashrc', 'bashrc'],
  ['a\u202egpj.exe', 'a_gpj.exe'],
  ['line\nbreak\u0000.txt', 'line_break_.txt'],
  ['CON.txt', '_CON.txt'],
  ['Żółw 日本語.png', 'Żółw 日本語.png'],
  ['...', 'file'],
  [`${'n'.repeat(300)}.tar`, `${'n'.repeat(196)}.tar`],
  [`${'n'.repeat(300)}.tar.gz`, `${'n'.repeat(193)}.tar.gz`],
  [`${'n'.repeat(199)} and more`, 'n'.repeat(199)],
  ['語'.repeat(300), '語'.repeat(66)],
])('a file name that a server offers is made safe: %j', (offered, safe) => {
  expect(safeFileName(offered)).toBe(safe);
});

describe('a file', () => {
  test('is saved in the folder for downloads, which is created, and gets another name if its own is taken', async () => {
    const downloads = createDownloads(join(folder, 'downloads'));
    expect(existsSync(join(folder, 'downloads'))).toBe(false);
    const saved = await downloads.save({ path: null, name: 'a.tar.gz' }, send);
    expect(saved).toEqual({ path: join(folder, 'downloads', 'a.tar.gz'), sizeBytes: 5 });
    writeFileSync(saved.path, 'mine now');
    const again = await downloads.save({ path: null, name: 'a.tar.gz' }, send);
    expect(again.path).toBe(join(folder, 'downloads', 'a (2).tar.gz'));
    expect(readFileSync(saved.path, 'utf8')).toBe('mine now');
    expect(readFileSync(again.path)).toEqual(bytes);
  });

  test('whose download fails leaves nothing, also if its name is taken', async () => {
    const downloads = createDownloads(folder);
    const broken = downloads.save({ path: folder, name: 'a' }, async (file) => {
      await file.write(bytes);
      throw new Error('the connection is gone');
    });
    await expect(broken).rejects.toThrow('the connection is gone');
    writeFileSync(join(folder, 'taken'), 'mine');
    await expect(downloads.save({ path: join(folder, 'taken'), name: 'a' }, send)).rejects.toMatchObject({
      code: 'already-exists',
    });
    expect(readdirSync(folder)).toEqual(['taken']);
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe('mine');
  });

  test.each([['no/such/file'], ['sub/'], ['relative']])('cannot be saved at %j', async (place) => {
    mkdirSync(join(folder, 'other'));
    const to = place === 'relative' ? place : `${folder}/${place}`;
    const downloads = createDownloads(folder);
    await expect(downloads.save({ path: to, name: 'a' }, send)).rejects.toMatchObject({
      code: 'invalid-input',
    });
    expect(readdirSync(folder)).toEqual(['other']);
  });

  test('whose download begins again has none of the earlier bytes', async () => {
    const downloads = createDownloads(folder);
    const saved = await downloads.save({ path: folder, name: 'a' }, async (file) => {
      await file.begin(null);
      await file.write(Buffer.from('another, which is longer'));
      await send(file);
    });
    expect(saved.sizeBytes).toBe(5);
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(saved.path)).toEqual(bytes);
  });

  test('that is an archive and whose download begins again is inspected from its beginning', async () => {
    const downloads = createDownloads(folder);
    const archive = exportWith();
    const saved = await downloads.saveArchive({ path: folder, name: 'a.tar.gz' }, async (file) => {
      await file.begin(null);
      await file.write(archive.subarray(0, 100));
      await file.begin(archive.length);
      await file.write(archive);
    });
    expect(saved).toMatchObject({ sizeBytes: archive.length, verdict: 'sound' });
    expect(readFileSync(saved.path)).toEqual(archive);
    expect(readdirSync(folder)).toEqual(['a.tar.gz']);
  });

  test('that is no archive is not stored as one', async () => {
    const downloads = createDownloads(folder);
    await expect(downloads.saveArchive({ path: folder, name: 'a.tar.gz' }, send)).rejects.toMatchObject({
      code: 'archive-corrupt',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
