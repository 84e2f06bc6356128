/**
 * @file Losses of every kind, on either side of a migration, are found and named.
 *
 * Slow, because a loss is found by comparing a whole export with a whole import. A project therefore loses several items
 * of different relations or settings on either side (see `planLosses`), and each loss that the sandboxes record is
 * counted for the kind and side that planned it. The tallies of all kinds must be exact, so no loss can pass for another.
 */
import { expect, it } from 'vitest';
import {
  distinctVariants,
  lossKindNames,
  sides,
  type LossKind,
} from '../../support/migrations/loss-kinds.ts';
import {
  maxLosingProjectsPerMigration,
  migrateWithLosses,
} from '../../support/migrations/losing-migrations.ts';
import { lossCount, planLosses } from '../../support/migrations/planned-losses.ts';
import { approvalCounts } from '../../support/migrations/lost-settings.ts';
import { changedPeople, changedProtections, changedValues } from '../../support/migrations/changed-values.ts';
import type { Detection } from '../../support/migrations/verdict-losses.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Projects without a loss in each migration. */
const clean = 3;
/** Projects that share losses need half the time. In `npm run bench -- loss`, each project loses one item. */
const maxLossesPerProject = 8;

/** How a loss of each kind is found, and assigned to the right side. */
const expected: Record<LossKind, Detection> = {
  records: 'named',
  notes: 'named',
  'system notes': 'named',
  uploads: 'named',
  'contents of uploads': 'named',
  avatar: 'named',
  'wiki pages': 'named',
  'LFS objects': 'named',
  refs: 'named',
  'moved refs': 'named',
  members: 'named',
  memberships: 'named',
  invitations: 'named',
  'changed invitations': 'named',
  labels: 'named',
  settings: 'differs',
  'custom attributes': 'differs',
  'approval settings': 'differs',
  'error tracking': 'differs',
  contents: 'named',
  'users of reactions and changes': 'named',
  'details of jobs': 'named',
  'entries of records': 'named',
  'details of approval rules': 'named',
  'epics and iterations': 'named',
  'emptied parts': 'named',
  'contents of notes': 'named',
  diffs: 'named',
  duplicates: 'named',
};

/** Every variant of each kind is lost on each side; `npm run bench -- loss` causes 2,000 losses. */
const lossesOfAll = (kind: LossKind, side: (typeof sides)[number]): number =>
  Array.from({ length: distinctVariants(kind) }, (_, variant) => lossCount({ kind, variant, side })).reduce(
    (sum, each) => sum + each,
  );

/** Several fields may have one column, such as the lists of a board with their limits. */
const columnsOf = (fields: Record<string, Record<string, unknown>>): string[] => [
  ...new Set(Object.values(fields).flatMap(Object.keys)),
];

const { labels, releases, boards, snippets, project_badges: badges, push_rule: pushRule } = changedValues;
const { protected_environments: environments, approval_rules: rules } = changedProtections;
const silentFields =
  /^(labels|milestone|upvotes|downvotes|emoji|approvers|label_events|milestone_events|latest_build_.*|first_deployed_.*)$/;
/**
 * These lists have no time of the last change, and a protected environment or approval rule changes without a new time of
 * its project. Labels and milestones are renamed without the records that name them, and
 * votes, reactions and approvals change without a new time.
 */
const uncertainFieldCount =
  [labels, releases, boards, badges, pushRule, environments, rules].flatMap(columnsOf).length +
  [changedValues.issues, changedValues.merge_requests, changedPeople['merge_requests'] ?? {}, snippets]
    .map((fields) => Object.entries(fields).filter(([field]) => silentFields.test(field)))
    .flatMap((fields) => columnsOf(Object.fromEntries(fields))).length;

function expectedFindings(kind: LossKind, side: (typeof sides)[number]): Partial<Record<Detection, number>> {
  const count = lossesOfAll(kind, side);
  // An attribute, error tracking, a role or an approval rule may have been changed after the export.
  if (
    [
      ...['custom attributes', 'error tracking', 'memberships', 'changed invitations'],
      'details of approval rules',
    ].includes(kind) &&
    side === 'export'
  )
    return { declared: count };
  // The source may force what it shows; the target may force the value of a new project, which an import gets.
  if (kind === 'approval settings') {
    const { maybeForced, forcedEitherWay, notForced } = approvalCounts;
    return side === 'export'
      ? { differs: notForced, declared: maybeForced + forcedEitherWay }
      : { differs: maybeForced, declared: notForced + forcedEitherWay };
  }
  // A wiki that is lost completely is counted.
  if (kind === 'wiki pages') return { named: count / 2, counted: count / 2 };
  // Only the total size shows the loss of an object that the export also drops from its list.
  if (kind === 'LFS objects' && side === 'export') return { named: count / 2, counted: count / 2 };
  // An epic or iteration is changed, and the latter with its changes deleted, without a new time of the issue.
  // Builds change their times in merge requests without a new time of these.
  // The position of a note, its suggestions, the reactions to it and who resolved it change without a new time of the note.
  // Jobs are erased, and their artifacts kept, without a new time of the pipeline.
  // The last board, badge, protected environment and approval rule may be newer than the export, because they show no time.
  const uncertain =
    {
      contents: uncertainFieldCount,
      'contents of notes': 6,
      'users of reactions and changes': 2,
      'entries of records': 5,
      records: 4,
      'epics and iterations': 3,
      'details of jobs': 3,
      'emptied parts': 3,
    }[kind as string] ?? 0;
  return uncertain > 0 && side === 'export'
    ? { named: count - uncertain, declared: uncertain }
    : { [expected[kind]]: count };
}

it('a migration finds the losses of each project, of every kind on either side, and reports none for a project without losses', async () => {
  const projects = planLosses(distinctVariants, maxLossesPerProject);
  const {
    found,
    wrong,
    losses,
    clean: untouched,
  } = await migrateWithLosses(temporaryFolder(), projects, clean);
  expect(wrong).toEqual([]);
  expect(found).toEqual(
    Object.fromEntries(
      lossKindNames.flatMap((kind) =>
        sides.map((side) => [`${kind} on ${side}`, expectedFindings(kind, side)]),
      ),
    ),
  );
  expect(untouched).toBe(Math.ceil(projects.length / maxLosingProjectsPerMigration) * clean);
  const all = lossKindNames.flatMap((kind) => sides.map((side) => lossesOfAll(kind, side)));
  expect(losses).toBe(all.reduce((sum, each) => sum + each, 0));
}, 600_000);
