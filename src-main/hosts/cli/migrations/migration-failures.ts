/**
 * @file `packhorse migration failures`, `failure`, `accept`, `reopen` and `retry`: what failed, why, and what is done
 * about it.
 */
import { Option } from 'commander';
import { collectByOffset } from '../../reply-pages.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import {
  failureStates,
  type FailureState,
  type ImportFailure,
} from '../../../../src-contract/migrations/failure.ts';
import {
  recordAbsenceText,
  undecidableFailureText,
  unlistedFailuresText,
} from '../../../../src-contract/words/failed-records.ts';
import { importableRelations, type ImportableRelation } from '../../../../src-contract/transfers/transfer.ts';
import { joinLines, plural, toPrintable, tableOf, firstNames } from '../terminal/format.ts';
import { followRetry } from './follow-retry.ts';
import { migrationArgument, listMigrationProjects } from './migration-projects.ts';
import { markRequired } from '../terminal/options.ts';
import { removeMembersOption } from '../transfers/import-relation.ts';
import { recordName, recordText } from '../archives/record-text.ts';
import type { Session } from '../running/session.ts';
import { exitCodes } from '../terminal/terminal.ts';
import type { AppCommand } from '../running/app-command.ts';

interface ListOptions {
  project?: string;
  state?: FailureState;
  relation?: string;
  limit: number;
}

interface RetryOptions {
  relation: ImportableRelation;
  allRecords?: boolean;
  removeMembers?: boolean;
}

export function registerFailures(migration: AppCommand): void {
  migration
    .subcommand('failures', 'the records that GitLab listed as failed, with an explanation')
    .addArgument(migrationArgument())
    .option('--project <project>', 'its full path on the target')
    .choiceOption('--state <state>', 'only those in this state', failureStates)
    .option('--relation <relation>', 'for example issues')
    .limitOption(100)
    .withApp(async (session, migration: string, options: ListOptions) => {
      const { client, terminal } = session;
      const { project = null, relation = null, state = null } = options;
      const found = await collectByOffset(options.limit, 'failures', (range) =>
        client.call('failure.list', { migration, project, relation, state, ...range }),
      );
      const isFiltered = [project, relation, state].some((filter) => filter !== null);
      const { name, projects } = await client.call('migration.show', { migration });
      const differing = await differingWithoutFailure(session, migration);
      const others = otherLosses(name, projects.failed, differing);
      terminal.result({ ...found, differing }, () =>
        joinLines(
          found.total > 0 || isFiltered || others === null
            ? listText(found)
            : 'GitLab listed no failed record.',
          others,
        ),
      );
      return others !== null || found.groups.some(({ open }) => open > 0) ? exitCodes.partly : exitCodes.done;
    });

  migration
    .subcommand('failure', 'show one failure with its record, what looks wrong with it, and what to do')
    .argument('<ref>', 'its ref from "migration failures"')
    .withApp(async ({ client, terminal }, ref: string) => {
      const found = await client.call('failure.show', { failure: ref });
      terminal.result(found, () => failureText(found));
    });

  for (const [word, state, description] of [
    ['accept', 'accepted', 'accept failures and losses, with a reason'],
    ['reopen', 'open', 'reopen accepted losses'],
  ] as const) {
    const subcommand = migration
      .subcommand(word, description)
      .argument('<refs...>', 'refs from "migration failures" or "migration reconcile"');
    if (state === 'accepted') subcommand.neededOption('--note <text>', 'the reason');
    subcommand.withApp(async ({ client, terminal }, refs: string[], options: { note?: string }) => {
      const { note = null } = options;
      const reply = await client.call('failure.settle', { failures: refs, state, note });
      const areFailures = refs.every((ref) => /^\d+$/.test(ref));
      const [one, many] = areFailures ? ['failure', 'failures'] : ['loss', 'losses'];
      terminal.result(reply, () => `${plural(reply.changed, one, many)} ${state}.`);
    });
  }

  migration
    .subcommand(
      'retry',
      'import a relation again, from just the records that are missing or failed, and follow it',
    )
    .addArgument(migrationArgument())
    .argument('<project>', 'its full path on the source, or its id there')
    .addOption(
      markRequired(
        new Option('--relation <relation>', 'the relation to import').choices([...importableRelations]),
      ),
    )
    .option('--all-records', 'send all records of the relation; GitLab adds the missing ones')
    .addOption(removeMembersOption())
    .withApp(async (session, migration: string, project: string, options: RetryOptions) => {
      const { client } = session;
      const { relation, allRecords = false, removeMembers = false } = options;
      const { id } = await client.call('migration.show', { migration });
      const records = allRecords ? 'all' : 'missing';
      const request = { migration: id, project, relation, records, removeMembers } as const;
      const { jobId } = await client.call('migration.retry', request);
      return followRetry(session, id, jobId, relation);
    });
}

async function differingWithoutFailure(session: Session, migration: string): Promise<string[]> {
  return (await listMigrationProjects(session, migration))
    .filter(({ state, failures }) => state === 'differs' && failures.open === 0)
    .map(({ sourcePath }) => sourcePath);
}

const maxNamed = 10;

/** Describes losses besides the listed failures, and the command that lists them. Returns null if there are none. */
function otherLosses(name: string, failed: number, differing: readonly string[]): string | null {
  const lines = [
    failed > 0 &&
      `${plural(failed, 'project')} failed without a list of failures: see "packhorse migration status ${name}".`,
    differing.length > 0 &&
      `${plural(differing.length, 'project')} ${differing.length === 1 ? 'differs' : 'differ'} but no open failure is listed: ${firstNames(differing, maxNamed)}; see "packhorse migration reconcile ${name} PROJECT".`,
  ];
  return joinLines(lines) || null;
}

function placeOf({ relation, line }: Pick<ImportFailure, 'relation' | 'line'>): string | null {
  if (relation === null) return null;
  return line === null ? relation : `${relation}:${line}`;
}

function listText({
  failures,
  total,
  groups,
  hasUnlisted,
  unlistedCount,
}: CallReply<'failure.list'>): string {
  if (total === 0) return 'No failure.';
  return joinLines(
    tableOf(failures, (one) => ({
      REF: one.ref,
      PROJECT: one.project,
      WHERE: placeOf(one),
      RECORD: one.record && (recordName(one.record) || null),
      EXCEPTION: one.exceptionClass,
      STATE: one.state,
    })),
    '',
    groups.flatMap(({ relation, exceptionClass, open, total: all, meaning, advice }) => [
      `${relation ?? 'no relation'}, ${exceptionClass}: ${open} of ${all} open`,
      `  ${meaning}`,
      `  ${advice}`,
    ]),
    failures.length < total && `${failures.length} of ${total} are shown.`,
    hasUnlisted && unlistedFailuresText(unlistedCount),
  );
}

function failureText({
  failure,
  meaning,
  advice,
  record,
  recordAbsence,
  findings,
  notLookedFor,
  sourceUrl,
}: CallReply<'failure.show'>): string {
  const { ref, project, exceptionClass, state, note, createdAt } = failure;
  return joinLines(
    `Failure ${ref} of ${project}: ${placeOf(failure) ?? 'no relation'}, ${exceptionClass}`,
    `${meaning} ${advice}`,
    `State: ${state}${note === null ? '' : ` (${toPrintable(note)})`}; GitLab recorded it at ${createdAt}`,
    sourceUrl !== null && `Original: ${sourceUrl}`,
    '',
    record !== null && recordText(record, findings),
    recordAbsence !== null && recordAbsenceText(failure, recordAbsence),
    recordAbsence === 'no-such-line' && state === 'open' && undecidableFailureText,
    findings.map(({ path, message, advice: todo }) => `${path === '' ? '' : `${path}: `}${message} ${todo}`),
    notLookedFor,
  );
}
