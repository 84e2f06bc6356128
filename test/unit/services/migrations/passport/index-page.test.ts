import { expect, it, test } from 'vitest';
import { indexCsv, indexPage } from '../../../../../src-main/services/migrations/passport/index-page.ts';
import { migratingStates, type MigratingState } from '../../../../../src-contract/migrations/migration.ts';
import type {
  AcceptedLoss,
  FinishPart,
  PassportIndex,
} from '../../../../../src-contract/migrations/passport-schema.ts';

type Row = PassportIndex['projects'][number];

const acceptedLoss: AcceptedLoss = {
  ...{ what: 'issues line 1: #1', relation: 'issues', lost: 'on-import', accepted: 1, missing: 1 },
  ...{ note: 'Not needed', at: '2026-11-21T11:00:00.000Z', failure: null },
};

const part = (outcome: FinishPart['outcome']): FinishPart => ({ outcome, at: '2026-11-21T11:00:00.000Z' });

function row(sourcePath: string, parts: { mark?: FinishPart; note?: FinishPart } = {}): Row {
  const finish = {
    ...{ jobId: 'j1', askedAt: '2026-11-21T11:00:00.000Z', endedAt: '2026-11-21T11:00:01.000Z' },
    ...{ mark: parts.mark ?? null, note: parts.note ?? null, newPlace: null, error: null },
  };
  return {
    ...{
      sourceId: 1,
      sourcePath,
      state: 'arrived',
      depth: 'contents',
      outcome: 'arrived',
      wave: 1,
      wanted: sourcePath,
      targetPath: sourcePath,
    },
    ...{
      targetUrl: `https://new.example/${sourcePath}`,
      sha256: 'ab'.repeat(32),
      openFailures: 0,
      failures: 0,
      hasUnlistedFailures: false,
      unlistedFailureCount: null,
    },
    ...{
      missing: 0,
      reconciled: true,
      accepted: [],
      changedSince: null,
      error: null,
      html: 'p.html',
      json: 'p.json',
    },
    finishes: Object.keys(parts).length === 0 ? [] : [finish],
  };
}

function index(projects: Row[], freeze = false): PassportIndex {
  const side = (name: string) => ({
    name,
    url: `https://${name}.example`,
    username: 'root',
    version: '18.5.0',
  });
  const counts = Object.fromEntries(migratingStates.map((state) => [state, 0]));
  return {
    ...{ schemaVersion: 1, madeAt: '2026-11-21T12:00:00.000Z', appVersion: '1.0.0', projects, jobs: [] },
    requests: [],
    migration: {
      ...{ id: 'm1', name: 'Move', createdAt: '2026-11-21T10:00:00.000Z', status: 'ended', freeze },
      ...{ source: side('old'), target: side('new') },
      projects: { ...counts, arrived: projects.length } as PassportIndex['migration']['projects'],
      comparedInPart: projects.filter(({ depth }) => depth !== 'contents').length,
    },
  };
}

const sources = (page: string): string | undefined => /<dt>Sources<\/dt>\s*<dd>([^<]*)<\/dd>/.exec(page)?.[1];

test.for<[string, Row[], boolean, string]>([
  ['left as they were', [row('a/one')], false, 'left as they were'],
  ['marked before', [row('a/one')], true, 'marked as archived before their export'],
  [
    'marked and noted afterwards, except for one',
    [
      row('a/one', { mark: part('done'), note: part('done') }),
      row('a/two', { mark: part('already'), note: part('done') }),
      row('a/three', { mark: part('refused'), note: part('done') }),
      row('a/four'),
    ],
    false,
    'left as they were until their projects had moved; afterwards 2 marked as archived (1 not, although requested), 3 with a note of the new place',
  ],
  [
    'marked before and noted afterwards',
    [row('a/one', { note: part('done') })],
    true,
    'marked as archived before their export; afterwards 1 with a note of the new place',
  ],
])('the index page states what was done to the sources: %s', ([, projects, freeze, statement]) => {
  expect(sources(indexPage(index(projects, freeze)))).toBe(statement);
});

test.for<[string, Partial<Record<MigratingState, number>>, string, string, number?]>([
  ['if all arrived', { arrived: 2 }, 'good', 'Every project arrived'],
  [
    'if all were compared in part',
    { arrived: 2 },
    'good',
    'Every project arrived, contents compared in part',
    2,
  ],
  [
    'if some were compared in part',
    { arrived: 3 },
    'good',
    'Every project arrived, 2 of them with contents compared in part',
    2,
  ],
  [
    'if some were left out',
    { arrived: 1, 'left-out': 1 },
    'good',
    'Every project that was not left out arrived, contents compared in part',
    1,
  ],
  ['if all were left out', { 'left-out': 2 }, 'warn', 'No project was moved'],
  ['if one failed', { arrived: 1, failed: 1 }, 'bad', 'Not every project arrived completely'],
])('the index page shows its verdict on the projects %s', ([, counts, tone, headline, inPart = 0]) => {
  const states = migratingStates.flatMap((state) => Array<MigratingState>(counts[state] ?? 0).fill(state));
  const depthOf = (at: number) => (at < inPart ? 'fields' : 'contents');
  const shown = index(states.map((state, at) => ({ ...row(`a/p${at}`), state, depth: depthOf(at) })));
  shown.migration.projects = { ...shown.migration.projects, arrived: 0, ...counts };
  const [, verdict, text] = /<div class="verdict (\w+)">\s*([^<]*?)\s*</.exec(indexPage(shown)) ?? [];
  expect([verdict, text]).toEqual([tone, headline]);
});

test('the index page says for each project how far its contents were compared', () => {
  const page = indexPage(
    index([
      row('a/one'),
      { ...row('a/two'), depth: 'fields' },
      { ...row('a/three'), reconciled: false, accepted: [acceptedLoss] },
      // A failure that the comparison itself resolved is no accepted loss.
      { ...row('a/four'), reconciled: false },
    ]),
  );
  const tags = [...page.matchAll(/<span class="tag \w+"\s*>([^<]*)<\/span\s*>/g)].map(([, word]) => word);
  expect(tags).toEqual([
    'arrived',
    'arrived, contents compared in part',
    'arrived, with losses that were accepted',
    'arrived',
  ]);
});

test.for<[string, Partial<Row>, string, string | null, string]>([
  ['listed all failures', {}, 'good', null, ''],
  ['listed a hundred', { hasUnlistedFailures: true }, 'warn', 'unknown', 'unknown'],
  ['left out about 20', { hasUnlistedFailures: true, unlistedFailureCount: 20 }, 'warn', 'about 20', '20'],
])(
  'the list of passports is good only if GitLab listed all failures: it %s',
  ([, change, tone, cell, csv]) => {
    const shown = index([{ ...row('a/one'), ...change }]);
    const page = indexPage(shown);
    const tones = [...page.matchAll(/class="(?:verdict|tag) (\w+)"/g)].map(([, found]) => found);
    expect(tones).toEqual([tone, tone]);
    const cells = [...page.matchAll(/<td class="short">([^<]*)<\/td>/g)].map(([, text]) => text);
    expect(cells).toEqual(cell === null ? [] : [cell]);
    expect(indexCsv(shown).split('\r\n')[1]?.split(',').at(-1)).toBe(csv);
  },
);

it('paths are broken after their slashes, and within a part only if it is too long', () => {
  const page = indexPage(index([row(`company/al-manac/${'x'.repeat(60)}`)]));
  const shown = `<span class="part">company/</span><wbr /><span class="part">al-manac/</span><wbr /><span class="long">${'x'.repeat(60)}</span><wbr />`;
  const cells = [...page.matchAll(/<td class="path"><a href="([^"]*)"[^>]*>(.*?)<\/a><\/td>/g)];
  expect(cells.map(([, href, text]) => [href, text])).toEqual([
    ['p.html', shown],
    [`https://new.example/company/al-manac/${'x'.repeat(60)}`, shown],
  ]);
  // Only a part that is too long for any table may be broken elsewhere.
  const rules = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
  expect(rules).toContain('.part { white-space: nowrap; } .long { overflow-wrap: anywhere; }');
  expect(rules).toContain('td.path, td.path a { overflow-wrap: normal; }');
});
