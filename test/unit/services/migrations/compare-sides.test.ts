/** @file A comparison of whether a project is archived, of additions to the source after its export, and of records without a key. */
import { comparedRelations } from '../../../../src-contract/relations.ts';
import { describe, expect, it } from 'vitest';
import { noNotes } from '../../../../src-main/services/migrations/comparing/one-by-one/record-notes.ts';
import { noUnreadParts } from '../../../../src-main/services/migrations/comparing/one-by-one/record-parts.ts';
import { withEdits } from '../../../../src-main/services/migrations/comparing/export-moment.ts';
import { compareSides } from '../../../../src-main/services/migrations/comparing/sides/compare-sides.ts';
import type { Sides } from '../../../../src-main/services/migrations/comparing/sides/compared-sides.ts';
import {
  type ArchivedRecord,
  type ListedRecord,
} from '../../../../src-main/jobs/migrations/comparing/losses/naming-losses.ts';
import { agreementOf } from '../../../../src-main/jobs/migrations/settled.ts';
import type { Comparison, Reconciliation } from '../../../../src-contract/transfers/import.ts';

const exportedAt = Date.UTC(2026, 10, 20);
const before = exportedAt - 1_000;
const after = exportedAt + 1_000;
const numbers: Reconciliation = {
  at: '2026-11-20T01:00:00.000Z',
  depth: 'numbers',
  reconciled: true,
  rows: [],
  missing: [],
  missingCount: 0,
  settings: [],
  declared: [],
  notCompared: [],
};
const lists = (changes: object = {}) => ({
  ...Object.fromEntries(comparedRelations.map((relation) => [relation, []])),
  ...changes,
});

/** A ref has no time of creation. */
const branch = (name: string) => ({
  ...{ key: name, title: name, id: null, iid: null, line: 0, notes: null, createdAt: null, updatedAt: null },
  shas: ['c0ffee'],
});

interface Side {
  archived?: boolean;
  lfs?: number;
  uploads?: { name: string; createdAt: number | null }[];
  pipelines?: ListedRecord[];
  /** Null if the branches may not be listed. */
  branches?: string[] | null;
  editedAt?: number;
}

/** Returns a project as an instance shows it. */
function sideOf({
  archived = false,
  lfs = 0,
  uploads = [],
  pipelines = [],
  branches = [],
  editedAt = before,
}: Side) {
  return {
    details: {
      project: { name: 'App' },
      attributes: { archived, updated_at: new Date(editedAt).toISOString() },
      statistics: { lfs_objects_size: lfs, wiki_size: 0 },
    },
    listed: lists({ ci_pipelines: pipelines, branches: branches?.map(branch) ?? null }),
    ...{ members: [], invitations: [] },
    uploads: uploads.map((upload) => ({ bytes: 5, ...upload })),
    protectedRefs: {
      protected_branches: [],
      protected_tags: [],
      protected_environments: [],
      approval_rules: [],
    },
    ...{ wikiPages: [], lfsObjects: new Set<string>() },
    unreadParts: noUnreadParts,
    lostChanges: { missing: [], uncheckedCount: 0 },
    comparedUploads: { missing: [], unread: { count: 0, bytes: 0 } },
    comparedNotes: { ...noNotes, commitNoteCount: 0 },
    ...{ instance: 'test', contradictoryLists: [] },
    ...{ administrator: true, withAccount: new Set<string>() },
  };
}

interface Scenario {
  source?: Side;
  target?: Side;
  archivedInArchive?: boolean;
  lfsInArchive?: number;
  uploadsInArchive?: string[];
  pipelinesInArchive?: ArchivedRecord[];
  branchesInArchive?: string[];
  /** The number of branches that the source counted, both before and after the export. */
  countedBranches?: number;
  /** Null if the overrides of the import are not known. */
  overrides?: Record<string, string> | null;
  settingsMayBeEdited?: boolean;
  isArchivedByUs?: boolean;
  sourceSettings?: Record<string, string>;
  changedSince?: number | null;
  areRecordsReadable?: boolean;
}

function compare(scenario: Scenario): Reconciliation {
  const {
    archivedInArchive = false,
    lfsInArchive = 0,
    uploadsInArchive = [],
    changedSince = null,
    areRecordsReadable = true,
    branchesInArchive = [],
    countedBranches = null,
  } = scenario;
  const sides = {
    moment: {
      requestedAt: exportedAt,
      countsAround: (relation: string) =>
        relation === 'branches'
          ? { before: countedBranches, after: countedBranches }
          : { before: null, after: null },
    },
    archiveRecords: {
      records: lists({
        ci_pipelines: scenario.pipelinesInArchive ?? [],
        branches: branchesInArchive.map(branch),
      }),
      ...{ members: [], invitations: [] },
      protectedRefs: {
        protected_branches: [],
        protected_tags: [],
        protected_environments: [],
        approval_rules: [],
      },
      lfsObjects: [],
      uploads: uploadsInArchive.map((name) => ({ name, bytes: 5, createdAt: null })),
      ...{ diffs: new Map(), commitNotes: new Map() },
    },
    archivedSettings: { project: { archived: archivedInArchive } },
    inspection: {
      bundles: [],
      relations: {},
      uploads: uploadsInArchive.length,
      lfsObjects: lfsInArchive > 0 ? 1 : 0,
      lfsBytes: lfsInArchive,
    },
    failures: [],
    unlistedFailures: { hasUnlisted: false, unlistedCount: null },
    source: sideOf(scenario.source ?? {}),
    noSourceReason: null,
    ...{ depth: 'contents', totals: null, isPrompt: true, knownLosses: [] },
    sourceSettings: scenario.sourceSettings ?? {},
    target: sideOf(scenario.target ?? {}),
    overrides: scenario.overrides === undefined ? {} : scenario.overrides,
    settingsMayBeEdited: scenario.settingsMayBeEdited ?? false,
    requestedName: null,
    isArchivedByUs: scenario.isArchivedByUs ?? false,
  };
  const branchRow: Comparison = {
    ...{ relation: 'branches', source: countedBranches, target: branchesInArchive.length },
    ...{ archive: branchesInArchive.length, verdict: 'lost-on-export' },
  };
  const readable = areRecordsReadable ? sides : { ...sides, archiveRecords: null };
  const counts = countedBranches === null ? numbers : { ...numbers, rows: [branchRow] };
  const compared = readable as unknown as Sides;
  const { requestedAt } = compared.moment;
  const change = withEdits({ changedSince, declared: [] }, compared.source, requestedAt);
  return compareSides(counts, compared, change);
}

describe('a setting that differs from the archive, and may be replaced or edited', () => {
  const scenario: Scenario = { source: { archived: true }, archivedInArchive: true, overrides: null };

  it('is no known loss, but the comparison does not call the project reconciled', () => {
    expect(compare(scenario)).toMatchObject({
      reconciled: false,
      settings: [],
      declared: expect.arrayContaining([
        expect.stringMatching(/^These settings differ from the archive.*archived/) as string,
      ]) as unknown,
    });
  });

  it('is no known loss either if somebody may have edited it after an import with known overrides', () => {
    expect(compare({ ...scenario, overrides: {}, settingsMayBeEdited: true })).toMatchObject({
      reconciled: false,
      settings: [],
      declared: expect.arrayContaining([
        expect.stringMatching(
          /^These settings differ from the archive.*may have lost them.*archived/,
        ) as string,
      ]) as unknown,
    });
  });

  it('is the only reason: a project with the settings of the archive is reconciled', () => {
    expect(compare({ ...scenario, target: { archived: true } }).reconciled).toBe(true);
  });
});

describe('the archived state', () => {
  const differs = (expected: string, found: string, lost: string | null) => [
    { attribute: 'archived', expected, found, lost },
  ];
  it.each<[string, Scenario, unknown[]]>([
    [
      'that is the same everywhere is no loss',
      { source: { archived: true }, archivedInArchive: true, target: { archived: true } },
      [],
    ],
    [
      'that the target lacks was lost on import',
      { source: { archived: true }, archivedInArchive: true },
      differs('true', 'false', 'on-import'),
    ],
    [
      'that the archive lacks was lost on export',
      { source: { archived: true }, archivedInArchive: false },
      differs('true', 'false', 'on-export'),
    ],
    [
      'that only the target has was added on import',
      { target: { archived: true } },
      differs('false', 'true', 'on-import'),
    ],
    [
      'that the migration set on the source is expected to be absent on the target',
      { source: { archived: true }, archivedInArchive: true, isArchivedByUs: true },
      [],
    ],
    [
      'that the migration set on the source and left on the target differs',
      {
        source: { archived: true },
        archivedInArchive: true,
        target: { archived: true },
        isArchivedByUs: true,
      },
      differs('false', 'true', 'on-import'),
    ],
    [
      'that an override sets is compared with the override',
      { source: { archived: true }, overrides: { archived: 'false' } },
      [],
    ],
    [
      'of a source that was edited after the export is expected as in the archive',
      { source: { archived: true, editedAt: after } },
      [],
    ],
    [
      'that the export lost, and that was repaired on the target, is no loss',
      {
        source: { archived: true, editedAt: after },
        sourceSettings: { archived: 'true' },
        target: { archived: true },
      },
      [],
    ],
  ])('%s', (_rule, scenario, settings) => {
    const compared = compare(scenario);
    expect(compared.settings).toEqual(settings);
    expect(compared.reconciled).toBe(settings.length === 0);
  });
});

describe('an addition to the source after its export', () => {
  const rowOf = ({ rows }: Reconciliation, name: string) => rows.find(({ relation }) => relation === name);

  it('is no lost upload, and an addition before the export is', () => {
    const uploads = (createdAt: number) => [
      { name: 'a.png', createdAt: before },
      { name: 'b.png', createdAt },
    ];
    const withUpload = {
      uploadsInArchive: ['a.png'],
      target: { uploads: [{ name: 'a.png', createdAt: null }] },
    };
    const later = compare({ ...withUpload, source: { uploads: uploads(after) } });
    expect(rowOf(later, 'uploads')).toMatchObject({ source: 1, archive: 1, target: 1, verdict: 'equal' });
    expect(later).toMatchObject({ reconciled: true, missing: [] });

    const lost = compare({ ...withUpload, source: { uploads: uploads(before) } });
    expect(rowOf(lost, 'uploads')).toMatchObject({ source: 2, verdict: 'lost-on-export' });
    expect(lost.missing).toMatchObject([
      { relation: 'uploads', lost: 'on-export', title: 'b.png (5 bytes)' },
    ]);
  });

  it('is no lost LFS object if the source has changed since its export', () => {
    const pushed = { source: { lfs: 30 }, lfsInArchive: 20, target: { lfs: 20 } };
    const later = compare({ ...pushed, changedSince: after });
    expect(rowOf(later, 'lfs_objects_size')).toMatchObject({ source: null, verdict: 'equal' });
    expect(later.reconciled).toBe(true);
    expect(rowOf(compare(pushed), 'lfs_objects_size')).toMatchObject({
      source: 30,
      verdict: 'lost-on-export',
    });
  });
});

describe('records of the archive without a key', () => {
  const pipeline = (iid: number | null): ListedRecord => ({
    ...{ id: iid, key: iid === null ? null : String(iid), iid, title: 'main', notes: null },
    ...{ createdAt: before, updatedAt: before },
  });
  const source = { pipelines: [pipeline(1), pipeline(2)] };

  it('may be any records that the archive seems to lack, so that none of those is reported as missing', () => {
    const keyless = [1, null].map((iid, line) => ({ ...pipeline(iid), line }));
    expect(compare({ source, target: source, pipelinesInArchive: keyless }).missing).toEqual([]);
    const onlyFirst = [{ ...pipeline(1), line: 0 }];
    expect(compare({ source, target: source, pipelinesInArchive: onlyFirst }).missing).toMatchObject([
      { relation: 'ci_pipelines', lost: 'on-export', iid: 2 },
    ]);
  });
});

it('a comparison that could not read the records of the archive says so, and is no proof that the project arrived', () => {
  expect(compare({})).toMatchObject({ reconciled: true, depth: 'fields' });
  const compared = compare({ areRecordsReadable: false });
  expect(compared).toMatchObject({ reconciled: false, depth: 'numbers' });
  expect(compared.declared).toContain('The records of the archive could not be read one by one.');
  expect(agreementOf(compared, [])).toBe('uncompared');
});

describe('a branch that the archive lacks', () => {
  const branches = ['main', 'topic'];
  const scenario = {
    source: { branches: [...branches, 'new'] },
    target: { branches },
    branchesInArchive: branches,
  };

  it('was lost on export if the source already counted it', () => {
    expect(compare({ ...scenario, countedBranches: 3 })).toMatchObject({
      missing: [{ relation: 'branches', lost: 'on-export', title: 'new' }],
      reconciled: false,
    });
  });

  it('may be newer if the source counted more branches than it lists, because that count is wrong', () => {
    const { missing, declared, reconciled, rows } = compare({ ...scenario, countedBranches: 5 });
    expect({ missing, reconciled }).toEqual({ missing: [], reconciled: true });
    expect(rows.find(({ relation }) => relation === 'branches')).toMatchObject({ source: null });
    expect(declared.join(' ')).toMatch(
      /counted 5 branches .* show only 3 .*may be newer than the export.*branches \(1\)/,
    );
  });
});

it('records that the source counted around the export, but refuses to list later, are named as not compared with it', () => {
  const refused = { source: { branches: null }, target: { branches: ['main'] }, branchesInArchive: ['main'] };
  const sentence = /only their numbers .* not their names and contents: branches\./;
  expect(compare({ ...refused, countedBranches: 1 }).declared.join(' ')).toMatch(sentence);
  const shown = { ...refused, source: { branches: ['main'] } };
  expect(compare({ ...shown, countedBranches: 1 }).declared.join(' ')).not.toMatch(sentence);
});
