import { describe, expect, it } from 'vitest';
import { exportWith, gzip, lines, member, pax } from '../../support/archives/archive-builder.ts';
import { inspectBytes } from '../../support/archives/archive-inspection.ts';

const sound = exportWith();

describe('a limit', () => {
  const crossing = (limit: string, allowed: number): Error =>
    expect.objectContaining({ limit, allowed }) as Error;

  it.each<[string, Buffer, Record<string, number>]>([
    ['unpackedBytes', sound, { unpackedBytes: 4096 }],
    ['ratio', gzip(member({ name: 'a', content: Buffer.alloc(8e6) })), { ratioFromBytes: 1e6, ratio: 250 }],
    ['members', sound, { members: 14 }],
    [
      'nameBytes',
      exportWith({ x: Buffer.concat([pax({ path: 'x'.repeat(4097) }), member({ name: 'x' })]) }),
      { nameBytes: 4096 },
    ],
    [
      'nameSegments',
      exportWith({ x: Buffer.concat([pax({ path: 'x/'.repeat(70) }), member({ name: 'x' })]) }),
      { nameSegments: 64 },
    ],
    ['metaBytes', exportWith({ x: pax({ comment: 'x'.repeat(2e6) }) }), { metaBytes: 1_048_576 }],
  ])('on %s stops the inspection with an error if it is exceeded', async (limit, bytes, limits) => {
    await expect(inspectBytes(bytes, { limits })).rejects.toThrow(crossing(limit, limits[limit] ?? 0));
  });

  it('on names allows 4096 bytes and 64 segments', async () => {
    const path = `${'x/'.repeat(63)}${'x'.repeat(4096 - 126)}`;
    const seen = await inspectBytes(exportWith({ x: Buffer.concat([pax({ path }), member({ name: 'x' })]) }));
    expect(seen.verdict).toBe('sound');
  });

  it('on the length of a record yields a finding instead, because GitLab refuses the archive, too', async () => {
    const name = './tree/project/issues.ndjson';
    const content = lines({ a: 1 }, { b: 'x'.repeat(2000) });
    const seen = await inspectBytes(exportWith({ [name]: member({ name, content }) }), {
      limits: { recordBytes: 1000 },
    });
    expect(seen).toMatchObject({
      verdict: 'unusable',
      findings: [{ code: 'record-too-long', where: 'tree/project/issues.ndjson:1' }],
    });
  });
});
