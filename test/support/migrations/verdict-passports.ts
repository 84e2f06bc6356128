/** @file Compares the passports of a migration with the content of both instances, read directly without a client. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ProjectState } from '../../../src-main/sandbox/state.ts';
import type { Passport } from '../../../src-contract/migrations/passport-schema.ts';
import { passportIndexSchema, passportSchema } from '../../../src-contract/migrations/passport-schema.ts';
import type { MigrationScene } from './migration-scene.ts';

/** Returns the number of records of each relation in an instance; other relations are read in special ways. */
const heldOf: Record<string, (state: ProjectState) => number> = {
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
/** Sizes that the state of a sandbox does not contain. */
const notHeld = ['lfs_objects_size', 'wiki'];

/** Creates the passports of all projects in that folder. @returns sentences; none if every passport is correct. */
export async function judgePassports(
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

function differences(
  passport: Passport,
  here: ProjectState,
  there: ProjectState,
  archives: string,
): string[] {
  const wrong: string[] = [];
  const same = (what: string, said: unknown, so: unknown): void => {
    if (!isDeepStrictEqual(said, so))
      wrong.push(`${what} ${JSON.stringify(said)} instead of ${JSON.stringify(so)}`);
  };
  const { source, target, archive, reconciliation, failures } = passport;
  same('source', [source.project.id, source.project.fullPath], [here.id, here.fullPath]);
  const hash = createHash('sha256');
  same(
    'archive',
    archive?.sha256,
    hash.update(readFileSync(join(archives, archive?.path ?? ''))).digest('hex'),
  );
  const listed = failures.records.map(({ relation, line, exceptionClass }) => ({
    relation,
    line,
    exceptionClass,
  }));
  same('failures', sorted(listed), sorted(there.importFailures));
  for (const { relation, line, record, text } of failures.records) {
    const { iid, title = null } = here.relations[relation ?? '']?.[line ?? -1] ?? {};
    same(`record of line ${line}`, record, { iid, title });
    if (text?.includes(`"iid":${String(iid)}`) !== true) wrong.push(`line ${line} has the text ${text}`);
  }
  if (there.importStatus !== 'finished') {
    same('state', passport.state, 'failed');
    return wrong;
  }
  same('target', [target.project?.id, target.project?.fullPath], [there.id, there.fullPath]);
  for (const [relation, held] of Object.entries(heldOf)) {
    const row = reconciliation?.rows.find((one) => one.relation === relation);
    same(relation, [row?.source, row?.archive, row?.target], [held(here), held(here), held(there)]);
  }
  const others = reconciliation?.rows.map(({ relation }) => relation).filter((one) => !(one in heldOf));
  same(
    'other numbers',
    others?.filter((relation) => !notHeld.includes(relation)),
    [],
  );
  const arrived = new Set(there.relations['issues']?.map(({ iid }) => iid));
  const lost = (here.relations['issues'] ?? []).map(({ iid }) => iid).filter((iid) => !arrived.has(iid));
  const missing = (reconciliation?.missing ?? []).map(({ relation, lost: where, iid }) => [
    relation,
    where,
    iid,
  ]);
  same('missing', sorted(missing), sorted(lost.map((iid) => ['issues', 'on-import', iid])));
  same('how many are missing', reconciliation?.missingCount, lost.length);
  return wrong;
}

const sorted = (all: readonly unknown[]): string[] => all.map((one) => JSON.stringify(one)).sort();
