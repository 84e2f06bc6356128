/** @file Compares the passports of a migration with the content of both instances, read directly without a client. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { uncomparedPartNames } from '../../../src-contract/transfers/uncompared-parts.ts';
import { uncountedRelations } from '../../../src-contract/relations.ts';
import type { ChosenDepth } from '../../../src-contract/transfers/import.ts';
import type { ProjectState } from '../../../src-main/sandbox/state.ts';
import type { Passport } from '../../../src-contract/migrations/passport-schema.ts';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import { documentedRelations } from './compared-table.ts';
import type { MigrationScene } from './migration-scene.ts';

interface FieldOfRelation {
  relation: string;
  field: string;
}

/** Functions that count the records of a relation in an instance. */
const countOf: Record<string, (state: ProjectState) => number> = {
  ...Object.fromEntries(
    ['issues', 'merge_requests', 'milestones', 'labels', 'releases', 'ci_pipelines'].map((relation) => [
      relation,
      ({ relations }: ProjectState) => relations[relation]?.length ?? 0,
    ]),
  ),
  issue_notes: ({ notes }) => notes.issues,
  merge_request_notes: ({ notes }) => notes.merge_requests,
  branches: ({ branches }) => branches.length,
  tags: ({ tags }) => tags.length,
  uploads: ({ otherFiles }) => otherFiles.filter((name) => name.startsWith('uploads/')).length,
};
/** Rows that exist if a side has records. A push rule is no list, and `null` without it. */
const countOfOptional: Record<string, (state: ProjectState) => number> = Object.fromEntries(
  [...uncountedRelations, 'commit_notes'].map((relation) => [
    relation,
    ({ relations, relationBytes }: ProjectState) =>
      relation === 'push_rule'
        ? Number((relationBytes[relation]?.toString() ?? 'null') !== 'null')
        : (relations[relation]?.length ?? 0),
  ]),
);
/** Sizes that the state of a sandbox does not contain. */
const uncountedRows = ['lfs_objects_size', 'wiki'];

/** Creates the passports of all projects in that folder. @returns sentences; none if every passport is correct. */
export async function checkPassports(
  scene: MigrationScene,
  migration: string,
  to: string,
): Promise<string[]> {
  const saved = await scene.client.call('migration.passport', { migration, project: null, to });
  const read = (name: string): unknown => JSON.parse(readFileSync(join(saved.folder, name), 'utf8'));
  const { projects } = passportIndexSchema.parse(read('index.json'));
  const wrong: string[] = [];
  for (const { sourcePath, json } of projects) {
    const passport = passportSchema.parse(read(json));
    const here = await scene.source.state.project(sourcePath);
    const there = await scene.target.state.project(sourcePath);
    const archives = join(scene.dataDir, 'archives');
    wrong.push(
      ...differences(passport, here, there, archives).map((what) => `passport of ${sourcePath}: ${what}`),
    );
  }
  return wrong;
}

/**
 * Compares what a passport says was not compared with the table of the page about comparisons, minus what was asked for.
 * @param unread fields that the comparison could not read. @returns sentences; none if they agree.
 */
export function wrongSections(
  { migration, reconciliation }: Passport,
  {
    asked = migration.compare,
    unread = [],
  }: { asked?: ChosenDepth; unread?: readonly FieldOfRelation[] } = {},
): string[] {
  const parts = reconciliation?.notCompared.map(({ part }) => part);
  const wrong = isDeepStrictEqual(parts, uncomparedPartNames)
    ? []
    : [`the parts that are not compared are ${String(parts)} instead of ${String(uncomparedPartNames)}`];
  const expected = documentedRelations(asked).map((each) => {
    const more = unread.flatMap(({ relation, field }) => (relation === each.relation ? [field] : []));
    // Without any LFS objects, their size says everything.
    const hasRow = reconciliation?.rows.some(({ relation }) => relation === 'lfs_objects_size') === true;
    const isEmpty = each.relation === 'lfs_objects' && each.target === 'contents' && !hasRow;
    const depths = isEmpty ? { source: each.target } : {};
    return { ...each, ...depths, fields: [...each.fields, ...more].toSorted() };
  });
  const actual = (reconciliation?.relations ?? []).map((each) => ({
    ...each,
    fields: each.fields.toSorted(),
  }));
  return [
    ...wrong,
    ...expected.flatMap((each) => {
      const found = actual.find(({ relation }) => relation === each.relation);
      return isDeepStrictEqual(found, each)
        ? []
        : [`not compared of ${each.relation}: ${JSON.stringify(found)} instead of ${JSON.stringify(each)}`];
    }),
    ...actual
      .filter(({ relation }) => expected.every((each) => each.relation !== relation))
      .map(({ relation }) => `the page about comparisons does not have ${relation}`),
  ];
}

function differences(
  passport: Passport,
  here: ProjectState,
  there: ProjectState,
  archives: string,
): string[] {
  const wrong: string[] = [];
  const compare = (what: string, actual: unknown, expected: unknown): void => {
    if (!isDeepStrictEqual(actual, expected))
      wrong.push(`${what} ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  };
  const { source, target, archive, reconciliation, failures } = passport;
  compare('source', [source.project.id, source.project.fullPath], [here.id, here.fullPath]);
  const hash = createHash('sha256');
  compare(
    'archive',
    archive?.sha256,
    hash.update(readFileSync(join(archives, archive?.path ?? ''))).digest('hex'),
  );
  const listed = failures.records.map(({ relation, line, exceptionClass }) => ({
    relation,
    line,
    exceptionClass,
  }));
  compare('failures', sorted(listed), sorted(there.importFailures));
  for (const { relation, line, record, text } of failures.records) {
    const { iid, title = null } = here.relations[relation ?? '']?.[line ?? -1] ?? {};
    compare(`record of line ${line}`, record, { iid, title });
    if (text?.includes(`"iid":${String(iid)}`) !== true) wrong.push(`line ${line} has the text ${text}`);
  }
  if (there.importStatus !== 'finished') {
    compare('state', passport.state, 'failed');
    return wrong;
  }
  const lacksType = here.relations['issues']?.some(
    ({ issue_type: type, work_item_type: workItem }) => (type ?? workItem) === undefined,
  );
  const unread = lacksType === true ? [{ relation: 'issues', field: 'issue_type' }] : [];
  wrong.push(...wrongSections(passport, { unread }));
  compare('target', [target.project?.id, target.project?.fullPath], [there.id, there.fullPath]);
  for (const [relation, count] of Object.entries(countOf)) {
    const row = reconciliation?.rows.find((candidate) => candidate.relation === relation);
    compare(relation, [row?.source, row?.archive, row?.target], [count(here), count(here), count(there)]);
  }
  for (const [relation, count] of Object.entries(countOfOptional)) {
    const row = reconciliation?.rows.find((candidate) => candidate.relation === relation);
    const counts = [count(here), count(here), count(there)];
    if (row !== undefined || counts.some((number) => number > 0))
      compare(relation, [row?.source, row?.archive, row?.target], counts);
  }
  const others = reconciliation?.rows
    .map(({ relation }) => relation)
    .filter((relation) => !(relation in countOf) && !(relation in countOfOptional));
  compare(
    'other numbers',
    others?.filter((relation) => !uncountedRows.includes(relation)),
    [],
  );
  const arrived = new Set(there.relations['issues']?.map(({ iid }) => iid));
  const lost = (here.relations['issues'] ?? []).map(({ iid }) => iid).filter((iid) => !arrived.has(iid));
  const missing = (reconciliation?.missing ?? []).map(({ relation, lost: where, iid }) => [
    relation,
    where,
    iid,
  ]);
  compare('missing', sorted(missing), sorted(lost.map((iid) => ['issues', 'on-import', iid])));
  compare('how many are missing', reconciliation?.missingCount, lost.length);
  return wrong;
}

const sorted = (all: readonly unknown[]): string[] => all.map((value) => JSON.stringify(value)).sort();
