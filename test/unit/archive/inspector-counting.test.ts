import { describe, expect, it } from 'vitest';
import { archive, exportWith, lines, member } from '../../support/archives/archive-builder.ts';
import { inspectBytes } from '../../support/archives/archive-inspection.ts';

describe('counting', () => {
  const counted = async (content: string): Promise<[number | undefined, number | undefined, string[]]> => {
    const seen = await inspectBytes(
      exportWith({
        './tree/project/issues.ndjson': member({ name: './tree/project/issues.ndjson', content }),
      }),
    );
    return [seen.relations['issues'], seen.notes['issues'], seen.findings.map(({ where }) => where ?? '')];
  };

  it.each<[string, string, number, string[]]>([
    ['nothing', '', 0, []],
    ['a lone null', 'null', 0, []],
    ['a lone null with a newline', 'null\n', 0, []],
    ['one line without a newline', '{}', 1, []],
    ['blank lines between', '{}\n\n  \r\n{}\n', 2, ['1', '2']],
    ['a blank line at the end', '{}\n\n', 1, ['1']],
    ['only blank lines', '\n\n', 0, ['0', '1']],
    ['null among others', '{}\nnull\n', 2, []],
  ])('of %s, and names blank lines', async (_, content, expected, blank) => {
    const places = blank.map((line) => `tree/project/issues.ndjson:${line}`);
    expect(await counted(content)).toEqual([expected, undefined, places]);
  });

  it('names the line of a malformed record, counting from zero', async () => {
    expect(await counted('{}\n\n{"a":\n{}\n{}x\n')).toEqual([
      4,
      undefined,
      [1, 2, 4].map((line) => `tree/project/issues.ndjson:${line}`),
    ]);
  });

  it('takes as user notes only elements of a record’s own notes that are not system notes', async () => {
    const records = lines(
      { notes: [{ system: true }, { system: false }, {}, null, 5, [{ system: true }]] },
      { notes: { a: [{}] }, other: [{ notes: [{}] }] },
      { events: [{ system: true }], notes: [{ note: '"system":true', award_emoji: [{ system: true }] }] },
      { notes: [{ nested: { system: true } }, { a: 1, system: true, b: 2 }] },
    );
    expect(await counted(records)).toEqual([4, 4, []]);
  });
});

describe('the legacy layout', () => {
  const legacy = (content: string): Buffer =>
    archive(member({ name: './VERSION', content: '0.2.4' }), member({ name: './project.json', content }));

  it.each([0, 2])('counts arrays under their keys (indented by %i)', async (indent) => {
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

  it('is suspicious when its document is not JSON', async () => {
    expect(await inspectBytes(legacy('{"issues":['))).toMatchObject({
      verdict: 'suspicious',
      findings: [
        { code: 'document-malformed', severity: 'error', where: 'project.json' },
        { code: 'legacy-layout', severity: 'info' },
      ],
    });
  });
});
