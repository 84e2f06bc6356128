import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readRecords, walkMembers } from '../../../src-main/archive/read.ts';
import { archive, exportMembers, exportWith, member } from '../../support/archives/archive-builder.ts';
import { realArchive, withoutRealArchives } from '../../support/archives/real-archives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

function stored(bytes: Buffer): string {
  const path = join(temporaryFolder(), 'some_export.tar.gz');
  writeFileSync(path, bytes);
  return path;
}

function withIssues(content: string | Buffer): string {
  const name = './tree/project/issues.ndjson';
  return stored(exportWith({ [name]: member({ name, content }) }));
}

describe('reading records', () => {
  it('returns the requested records in the requested order, and null for missing records', async () => {
    const path = withIssues('{"iid":1}\n\n{"iid":3}\nnot json\n{"iid":5}');
    const found = await readRecords(path, [
      { relation: 'issues', line: 4 },
      { relation: 'project_feature', line: 0 },
      { relation: 'issues', line: 0 },
      { relation: 'issues', line: 1 },
      { relation: 'issues', line: 3 },
      { relation: 'issues', line: 5 },
      { relation: 'nothing', line: 0 },
      { relation: 'issues', line: 0 },
    ]);
    expect(found).toEqual([
      { relation: 'issues', line: 4, text: '{"iid":5}', truncated: false, value: { iid: 5 } },
      expect.objectContaining({ relation: 'project_feature', value: { wiki_access_level: 20 } }),
      { relation: 'issues', line: 0, text: '{"iid":1}', truncated: false, value: { iid: 1 } },
      { relation: 'issues', line: 1, text: '', truncated: false, value: null },
      { relation: 'issues', line: 3, text: 'not json', truncated: false, value: null },
      null,
      null,
      expect.objectContaining({ line: 0 }),
    ]);
  });

  it('cuts a text at 1 MiB between two characters, and reports it as truncated', async () => {
    const text = `{"a":"${'€'.repeat(1_000_000)}"}`;
    const [record] = await readRecords(withIssues(`${text}\n`), [{ relation: 'issues', line: 0 }]);
    expect(record).toMatchObject({ truncated: true, value: null });
    expect(text.startsWith(record?.text ?? 'none')).toBe(true);
    expect(Buffer.byteLength(record?.text ?? '')).toBeGreaterThan(1024 * 1024 - 3);
    expect(Buffer.byteLength(record?.text ?? '')).toBeLessThanOrEqual(1024 * 1024);
  });

  it('returns an extremely nested record only as text, which can be cloned', async () => {
    const text = '['.repeat(500_000) + ']'.repeat(500_000);
    const path = withIssues(`${text}\n{"a":1}\n`);
    const places = [0, 1].map((line) => ({ relation: 'issues', line }));
    const found = structuredClone(await readRecords(path, places));
    expect(found).toMatchObject([{ text, value: null, truncated: false }, { value: { a: 1 } }]);
  });

  it('finds records that cross the boundaries of inflated pieces', async () => {
    const lines = Array.from({ length: 30_000 }, (_, line) =>
      JSON.stringify({ line, pad: 'x'.repeat(line % 300) }),
    );
    const wanted = lines.map((_, line) => ({ relation: 'issues', line }));
    const found = await readRecords(withIssues(lines.join('\n')), wanted);
    expect(found.map((record) => record?.text)).toEqual(lines);
  });

  it('reads the elements of the arrays in the legacy layout', async () => {
    const issues = Array.from({ length: 20_000 }, (_, line) => ({
      line,
      notes: [{ a: [line] }],
      pad: '}]{'.repeat(line % 50),
    }));
    const document = { description: 'issues', issues, labels: [], milestones: [{ title: 'v1' }] };
    const path = stored(
      archive(
        member({ name: 'VERSION', content: '0.2.4' }),
        member({ name: 'project.json', content: JSON.stringify(document, null, 1) }),
      ),
    );
    const wanted = [0, 7777, 19_999, 20_000].map((line) => ({ relation: 'issues', line }));
    const found = await readRecords(path, [
      ...wanted,
      { relation: 'milestones', line: 0 },
      { relation: 'labels', line: 0 },
    ]);
    expect(found.map((record) => record?.value ?? null)).toEqual([
      issues[0],
      issues[7777],
      issues[19_999],
      null,
      { title: 'v1' },
      null,
    ]);
  });

  it('stops at the last requested record: damage after it does not matter, and damage before it does', async () => {
    const bytes = Buffer.concat([...exportMembers().values()]);
    const early = stored(gzipSync(bytes).subarray(0, -8));
    expect(await readRecords(early, [{ relation: 'issues', line: 1 }])).toMatchObject([
      { value: { title: 'Two' } },
    ]);
    await expect(readRecords(early, [{ relation: 'issues', line: 9 }])).rejects.toThrow(
      withCode('archive-corrupt'),
    );
    await expect(
      readRecords(stored(Buffer.from('<html>')), [{ relation: 'issues', line: 0 }]),
    ).rejects.toThrow(withCode('archive-corrupt'));
  });

  it('fails with its own error if the file is missing or the reading is aborted', async () => {
    const wanted = [{ relation: 'issues', line: 0 }];
    await expect(readRecords(join(temporaryFolder(), 'none'), wanted)).rejects.toThrow(
      withCode('archive-missing'),
    );
    await expect(
      readRecords(withIssues(''), wanted, { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
    expect(await readRecords(join(temporaryFolder(), 'none'), [])).toEqual([]);
  });

  it('can be aborted in the middle of a piece that unpacks to many bytes', async () => {
    const content = Buffer.alloc(32 * 1024 ** 2, '\n');
    const stop = new AbortController();
    let read = 0;
    const sink = {
      write: (bytes: Buffer) => {
        if (read === 0)
          setImmediate(() => {
            stop.abort(new Error('enough'));
          });
        read += bytes.length;
      },
      end: () => undefined,
    };
    const sinkOf = (name: string) => (name.endsWith('issues.ndjson') ? sink : null);
    const reading = walkMembers(withIssues(content), sinkOf, () => false, { signal: stop.signal });
    await expect(reading).rejects.toThrow('enough');
    expect(read).toBeLessThan(content.length);
  });
});

describe.skipIf(withoutRealArchives)('records that GitLab wrote', () => {
  it.each([
    ['invalid-milestone', 'milestones', 0, { title: null, due_date: null, created_at: 'NOT A DATE' }],
    ['gitlab-13.8-sample', 'issues', 29, { iid: 30, title: 'Nulla tempore voluptatibus error.' }],
    ['gitlab-11-legacy', 'milestones', 0, { title: 'v0.0' }],
  ])('are read from %s: %s, line %i', async (name, relation, line, value) => {
    const path = realArchive(name);
    expect(await readRecords(path, [{ relation, line }])).toMatchObject([
      { relation, line, truncated: false, value },
    ]);
  });
});
