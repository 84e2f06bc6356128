/** @file Archives and records of any size are read in constant memory, or refused as soon as they cross a limit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../src-main/archive/inspect.ts';
import {
  archive,
  endMarker,
  exportMembers,
  exportWith,
  member,
} from '../../support/archives/archive-builder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

function stored(bytes: Buffer): string {
  const path = join(temporaryFolder(), 'some_export.tar.gz');
  writeFileSync(path, bytes);
  return path;
}

describe('large archives and records', () => {
  it('a record of 40 MB is read, and a record of 60 MB is reported as a finding', async () => {
    const name = './tree/project/merge_requests.ndjson';
    const record = (bytes: number): string => `{"diff":"${'x'.repeat(bytes)}"}\n`;
    const content = record(40e6) + '{}\n' + record(60e6);
    const inspection = await inspectFile(stored(exportWith({ mr: member({ name, content }) })), {
      limits: { ratio: 2000 },
    });
    expect(inspection.relations['merge_requests']).toBe(3);
    expect(inspection.findings).toMatchObject([
      { code: 'record-too-long', where: 'tree/project/merge_requests.ndjson:2' },
    ]);
  });

  it('a decompression bomb of 10 GiB is refused in constant memory as soon as it crosses the limit', async () => {
    const size = 10 * 1024 ** 3;
    const bomb = withZeros(member({ name: './bomb', size: size - 1 }).subarray(0, 512), 400 * 1024 ** 2);
    const before = process.memoryUsage.rss();
    const start = performance.now();
    await expect(inspectFile(stored(bomb))).rejects.toThrow(withCode('archive-limit'));
    expect(performance.now() - start).toBeLessThan(5000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150e6);
  });

  it('a member of more than 4 GiB is walked in constant memory, and the members after it are found', async () => {
    const size = 2 ** 32 + 1;
    const bytes = Buffer.concat([
      withZeros(member({ name: './uploads/big', size }).subarray(0, 512), 2 ** 32),
      gzipSync(Buffer.concat([Buffer.alloc(512), ...exportMembers().values(), endMarker])),
    ]);
    const before = process.memoryUsage.rss();
    expect(await inspectFile(stored(bytes), { limits: { ratio: Infinity } })).toMatchObject({
      verdict: 'sound',
      members: 16,
      relations: { issues: 2 },
      unpackedBytes: 512 + 2 ** 32 + 512 + Buffer.concat([...exportMembers().values(), endMarker]).length,
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(150e6);
  });

  it('a hundred thousand members are walked in constant memory', async () => {
    const members = Array.from({ length: 100_000 }, (_, index) => member({ name: `./uploads/${index}` }));
    const bytes = archive(...exportMembers().values(), Buffer.concat(members));
    const before = process.memoryUsage.rss();
    expect(await inspectFile(stored(bytes))).toMatchObject({ verdict: 'sound', members: 100_015 });
    expect(process.memoryUsage.rss() - before).toBeLessThan(150e6);
  });
});

/** Returns the head and this number of zeros in many gzip members. */
function withZeros(head: Buffer, length: number): Buffer {
  const piece = 16 * 1024 ** 2;
  return Buffer.concat([
    gzipSync(head),
    ...Array<Buffer>(length / piece).fill(gzipSync(Buffer.alloc(piece), { level: 9 })),
  ]);
}
