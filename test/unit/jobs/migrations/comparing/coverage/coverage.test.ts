/** @file The table of an export's fields agrees with the comparisons that read them, and with the documentation. */
import type { RecordRelation } from '../../../../../../src-contract/relations.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  uncomparedPartNames,
  uncomparedParts,
} from '../../../../../../src-contract/transfers/uncompared-parts.ts';
import {
  uncomparedPartText,
  uncomparedReasonText,
  uncomparedSentences,
} from '../../../../../../src-contract/words/uncompared-parts.ts';
import { fieldsOf } from '../../../../../../src-main/jobs/migrations/comparing/contents/compared-fields.ts';
import { archiveCoverage } from '../../../../../../src-main/jobs/migrations/comparing/coverage/archive-coverage.ts';
import {
  coveredPaths,
  type Coverage,
  type CoverageTable,
} from '../../../../../../src-main/jobs/migrations/comparing/coverage/field-coverage.ts';
import { recordCoverage } from '../../../../../../src-main/jobs/migrations/comparing/coverage/record-coverage.ts';
import {
  addRecord,
  describeUnknownFields,
  noUncomparedContents,
  notComparedParts,
} from '../../../../../../src-main/jobs/migrations/comparing/coverage/uncompared-contents.ts';
import { comparedSettings } from '../../../../../../src-main/jobs/migrations/comparing/settings/setting-table.ts';
import { columnsRead } from '../../../../../support/migrations/columns-read.ts';

const isRead = (coverage: Coverage | CoverageTable): boolean =>
  typeof coverage === 'string'
    ? coverage === 'compared' || coverage === 'key'
    : [...coveredPaths(coverage)].some(([, nested]) => nested === 'compared');

/** Columns that other comparisons read: those of notes, changes, users, and the identities of records. */
const readElsewhere = [
  'notes',
  'merge_request_diff',
  'iid',
  'name',
  'tag',
  'title',
  'created_at',
  'author_id',
  'user_id',
  'closed_by_id',
  'issue_assignees',
  'merge_request_assignees',
  'merge_request_reviewers',
  'approvals',
];

describe.each(Object.entries(recordCoverage) as [RecordRelation, CoverageTable][])(
  'the table of %s',
  (relation, table) => {
    const fields = Object.entries(fieldsOf(relation));
    const read = fields.flatMap(([, { archived }]) => (archived === null ? [] : columnsRead(archived)));
    const unexported = fields.flatMap(([name, { archived }]) => (archived === null ? [name] : []));

    it('counts every column that a comparison reads as compared', () => {
      const columns = read.filter((name) => table[name] === undefined || !isRead(table[name]));
      expect(columns).toEqual([]);
    });

    it('counts no other column as compared', () => {
      const columns = Object.entries(table).flatMap(([name, coverage]) => (isRead(coverage) ? [name] : []));
      const known = [...read, ...unexported, ...readElsewhere];
      expect(columns.filter((name) => !known.includes(name))).toEqual([]);
    });
  },
);

/** Compared with the level of the feature, although it is a column of the project. */
const registrySwitch = 'container_registry_enabled';

it('the tables of settings count exactly the columns as compared that a comparison reads', () => {
  const parts = [
    'project',
    'project_feature',
    'ci_cd_settings',
    'auto_devops',
    'container_expiration_policy',
    'error_tracking_setting',
  ];
  for (const part of parts) {
    const read = comparedSettings
      .filter((setting) => setting.part === part)
      .flatMap(({ read }) => columnsRead(read));
    const table = archiveCoverage[part] as CoverageTable;
    const compared = Object.entries(table).flatMap(([name, coverage]) =>
      coverage === 'compared' ? [name] : [],
    );
    // A migration compares separately whether the project is archived.
    const ofProject = part === 'project' ? ['archived', registrySwitch] : [];
    expect([part, compared.toSorted()]).toEqual([
      part,
      [...new Set([...read.filter((name) => name !== registrySwitch), ...ofProject])].toSorted(),
    ]);
  }
});

/** Files, and parts that no export contains. */
const withoutFields = [
  'commit_notes',
  'commit_system_notes',
  'mirroring',
  'note_emoji',
  'service_desk_address',
  'wiki_contents',
];

it('every part that is not compared has fields in the table, unless it consists of files', () => {
  const used = new Set<string>([...coveredPaths(archiveCoverage)].map(([, coverage]) => coverage));
  expect(uncomparedPartNames.filter((part) => !used.has(part))).toEqual(withoutFields);
});

it('the document about comparisons lists each part with its reason and its fields', () => {
  const document = readFileSync(
    join(import.meta.dirname, '../../../../../../docs/what-is-compared.md'),
    'utf8',
  );
  const pathsOf = (part: string): string[] =>
    [...coveredPaths(archiveCoverage)].flatMap(([path, coverage]) =>
      coverage === part ? [`\`${path}\``] : [],
    );
  const rows = uncomparedPartNames.map((part) => [
    ...[uncomparedPartText(part), uncomparedReasonText[uncomparedParts[part]]],
    pathsOf(part).join(', '),
  ]);
  const listed = [...document.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| ([^|]*?) *\|$/gm)].map((row) =>
    row.slice(1, 4),
  );
  expect(listed).toEqual(expect.arrayContaining(rows));
});

describe('a comparison', () => {
  const inspection = { relations: { services: 2 }, lfsObjects: 0, bundles: [] };
  const contents = noUncomparedContents();
  addRecord(contents, 'issues', {
    iid: 1,
    award_emoji: [{ name: 'tada', user_id: 1 }],
    events: [],
    timelogs: [],
  });
  addRecord(contents, 'issues', {
    iid: 2,
    award_emoji: [],
    notes: [{ note: 'x', mood: 'good' }],
    weather: 1,
  });

  it('lists every part that is not compared, with the number of records that contain it', () => {
    const parts = notComparedParts(contents, { project: { pages_https_only: true } }, inspection);
    expect(parts.map(({ part }) => part)).toEqual(uncomparedPartNames);
    expect(parts.filter(({ records }) => records > 0)).toEqual([
      { part: 'integrations', records: 2 },
      { part: 'pages_https', records: 1 },
    ]);
  });

  it('counts pipelines with earlier attempts of jobs that are not compared, and stages of external statuses', () => {
    const partsOf = (list: string, job: object) => {
      const found = noUncomparedContents();
      addRecord(found, 'ci_pipelines', { iid: 1, stages: [{ name: 'test', [list]: [job] }] });
      return [...found.counts.keys()];
    };
    expect(partsOf('builds', { name: 'lint', stage: 'test', retried: true })).toEqual(['job_queues']);
    expect(partsOf('bridges', { name: 'deploy', retried: true })).toEqual(['job_attempts']);
    expect(partsOf('bridges', { name: 'deploy', retried: false })).toEqual([]);
    expect(partsOf('generic_commit_statuses', { retried: true, stage: 'deploy' })).toEqual([
      ...['job_attempts', 'pipeline_jobs'],
    ]);
  });

  it('names the fields that this version does not know', () => {
    expect(describeUnknownFields(contents)).toEqual([
      'The archive contains fields that this version does not know, so they were not compared: issues.notes.mood, issues.weather.',
    ]);
    expect(describeUnknownFields(noUncomparedContents())).toEqual([]);
  });

  it('says which parts the archive contains, and which not', () => {
    expect(
      uncomparedSentences([
        { part: 'external_pull_requests', records: 1 },
        { part: 'designs', records: 0 },
      ]),
    ).toEqual([
      'The archive contains these parts, which were not compared: external pull requests (1).',
      'Not compared either: 1 part in which the archive has no content. The option --json lists them.',
    ]);
    expect(uncomparedSentences([])).toEqual([]);
  });
});
