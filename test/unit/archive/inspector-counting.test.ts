import { describe, expect, it } from 'vitest';
import { archive, exportWith, gnuLong, lines, member } from '../../support/archives/archive-builder.ts';
import { lintArchive } from '../../../src-main/archive/lint.ts';
import { inspectBytes } from '../../support/archives/archive-inspection.ts';

const ignoredFields = { sha256: '', sizeBytes: 0 };

describe('the inspection of an archive', () => {
  const counted = async (content: string): Promise<[number | undefined, number | undefined, string[]]> => {
    const seen = await inspectBytes(
      exportWith({
        './tree/project/issues.ndjson': member({ name: './tree/project/issues.ndjson', content }),
      }),
    );
    return [seen.relations['issues'], seen.notes['issues'], seen.findings.map(({ where }) => where ?? '')];
  };

  it.each<[string, string, number, string[]]>([
    ['an empty file', '', 0, []],
    ['a lone null', 'null', 0, []],
    ['a lone null with a newline', 'null\n', 0, []],
    ['one line without a newline', '{}', 1, []],
    ['a file with blank lines between its records', '{}\n\n  \r\n{}\n', 2, ['1', '2']],
    ['a file with a blank line at its end', '{}\n\n', 1, ['1']],
    ['a file of blank lines', '\n\n', 0, ['0', '1']],
    ['a file with null among its records, which GitLab skips', '{}\nnull\n null \r\n{"a":null}\n', 2, []],
    ['a file with null before its first record', 'null\n{}\n', 1, []],
  ])('counts the records of %s, and reports its blank lines', async (_, content, expected, blank) => {
    const places = blank.map((line) => `tree/project/issues.ndjson:${line}`);
    expect(await counted(content)).toEqual([expected, undefined, places]);
  });

  it('reports the line of a malformed record, counting from zero', async () => {
    expect(await counted('{}\n\n{"a":\n{}\n{}x\n')).toEqual([
      4,
      undefined,
      [1, 2, 4].map((line) => `tree/project/issues.ndjson:${line}`),
    ]);
  });

  it('counts the last "notes" of a record that has the key twice, as JSON parsers do', async () => {
    expect(await counted('{"notes":[{},{}],"a":1,"notes":[{}]}\n{"notes":[{}],"notes":null}\n')).toEqual([
      2,
      1,
      [],
    ]);
  });

  it('recognises keys that are written with escapes', async () => {
    const escaped = String.raw`{"\u006eotes":[{"s\u0079stem":true},{}],"x\"notes":[{}]}`;
    expect(await counted(`${escaped}\n`)).toEqual([1, 1, []]);
  });

  it.each(['0.2.4', 'v0.2.4', '0.2.4-foo', '0.2.4.1', ' 0.2.4\n'])(
    'accepts the VERSION %j, because GitLab compares only the first three numbers',
    async (content) => {
      const version = member({ name: './VERSION', content });
      const seen = await inspectBytes(exportWith({ './VERSION': version }));
      expect(seen.verdict).toBe('sound');
      expect(lintArchive({ ...seen, ...ignoredFields }, null).map(({ code }) => code)).not.toContain(
        'format-version',
      );
    },
  );

  it('reports a file whose name is too long for a disk, which GitLab leaves out', async () => {
    const name = `./uploads/${'a'.repeat(32)}/${'n'.repeat(256)}`;
    const long = Buffer.concat([gnuLong('L', name), member({ name: 'short', content: 'x', gnu: true })]);
    const seen = await inspectBytes(exportWith({ [name]: long }));
    expect(seen.findings).toMatchObject([{ code: 'name-too-long', severity: 'info' }]);
    expect(lintArchive({ ...seen, ...ignoredFields }, null)).toContainEqual(
      expect.objectContaining({ code: 'name-too-long', severity: 'warning' }),
    );
  });

  it('counts only what GitLab reads if the archive has both layouts', async () => {
    const legacy = member({
      name: './project.json',
      content: '{"issues":[{},{"notes":[{}]}],"labels":[{}]}',
    });
    const issues = member({ name: './tree/project/issues.ndjson', content: '{}\n' });
    const seen = await inspectBytes(
      exportWith({ './project.json': legacy, './tree/project/issues.ndjson': issues }),
    );
    expect([seen.layout, seen.relations['issues'], seen.notes['issues']]).toEqual(['ndjson', 1, undefined]);
  });

  it('counts as user notes only elements of a record’s own notes that are not system notes', async () => {
    const records = lines(
      { notes: [{ system: true }, { system: false }, {}, null, 5, [{ system: true }]] },
      { notes: { a: [{}] }, other: [{ notes: [{}] }] },
      { events: [{ system: true }], notes: [{ note: '"system":true', award_emoji: [{ system: true }] }] },
      { notes: [{ nested: { system: true } }, { a: 1, system: true, b: 2 }] },
    );
    expect(await counted(records)).toEqual([4, 4, []]);
  });
});

describe('an archive of the legacy layout', () => {
  const legacy = (content: string): Buffer =>
    archive(member({ name: './VERSION', content: '0.2.4' }), member({ name: './project.json', content }));

  it.each([0, 2])('has its arrays counted by their keys (indented by %i)', async (indent) => {
    const content = JSON.stringify(
      {
        description: '"issues":[1,2]',
        ci_id: null,
        labels: [],
        issues: [{ notes: [{ system: true }, { system: false }] }, { title: 'x', labels: [1, 2] }],
        project_feature: { a: [1, 2, 3], notes: [{}] },
        snippets: [{ notes: [{}] }],
      },
      null,
      indent,
    );
    expect(await inspectBytes(legacy(content), { pieceBytes: 13 })).toMatchObject({
      verdict: 'sound',
      layout: 'legacy',
      relations: { labels: 0, issues: 2, project_feature: 1, snippets: 1 },
      notes: { issues: 1, snippets: 1 },
    });
  });

  it('is suspicious if its document is not JSON', async () => {
    expect(await inspectBytes(legacy('{"issues":['))).toMatchObject({
      verdict: 'suspicious',
      findings: [
        { code: 'document-malformed', severity: 'error', where: 'project.json' },
        { code: 'legacy-layout', severity: 'info' },
      ],
    });
  });
});
