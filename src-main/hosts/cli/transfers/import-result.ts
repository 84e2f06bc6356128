/** @file The shared parts of commands that import: their target, following them to the end, and their results. */
import {
  chosenDepths,
  lacksOnlyContents,
  type ChosenDepth,
  type Comparison,
  type FailureWithRecord,
  type Reconciliation,
} from '../../../../src-contract/transfers/import.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { ImportResult } from '../../../../src-contract/runs/job.ts';
import { importResultSchema } from '../../../../src-contract/runs/job-schema.ts';
import { ignoredAttributeSentence } from '../../../../src-contract/projects/ignored-attribute.ts';
import { maxListedFailures } from '../../../../src-contract/bounds.ts';
import { unlistedFailuresText } from '../../../../src-contract/words/failed-records.ts';
import { unconfirmedText } from '../../../../src-contract/words/relations.ts';
import {
  agreementText,
  comparisonForecastText,
  declaredBesidesGaps,
  gapsOf,
  gapsTitle,
} from '../../../../src-contract/words/depths.ts';
import { lessComparedSentences } from '../../../../src-contract/words/reached-relations.ts';
import { uncomparedSentences } from '../../../../src-contract/words/uncompared-parts.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { requestConfirmation } from '../terminal/confirm.ts';
import { formatDuration, joinLines, plural, toPrintable, table } from '../terminal/format.ts';
import { collectRepeated, usageError } from '../terminal/options.ts';
import { recordText } from '../archives/record-text.ts';
import { type Session, showProgress } from '../running/session.ts';
import type { ExitCode } from '../terminal/terminal.ts';
import type { AppCommand, InstanceOptions } from '../running/app-command.ts';
import { parseOverrides } from '../projects/pairs.ts';
import { followResult } from '../runs/outcome.ts';
import { lossesText } from '../migrations/difference-text.ts';

/** The target of an import, and the attributes of the project there. */
export interface TargetOptions extends InstanceOptions {
  namespace?: string;
  path?: string;
  name?: string;
  override?: string[];
  compare?: ChosenDepth;
  overwrite?: boolean;
  yes?: boolean;
}

export const addTargetOptions = (command: AppCommand): AppCommand =>
  command
    .neededOption('--instance <name>', 'the instance to import into')
    .option('--namespace <path>', 'target group (default: your own namespace)')
    .option('--name <name>', 'name of the new project')
    .option(
      '--override <key=value>',
      'set an attribute of the new project, as with "project edit --set" (repeatable)',
      collectRepeated,
    )
    .choiceOption(
      '--compare <depth>',
      'what is compared after the import: numbers of records, also names, or also contents, the default',
      chosenDepths,
    )
    .tokenOptions();

export const addOverwriteOptions = (command: AppCommand): AppCommand =>
  command
    .option('--overwrite', 'replace the project at --path, after listing its contents')
    .option('--yes', 'skip the confirmation before a project is replaced');

export const importTarget = ({ instance, namespace, path, name, override, compare }: TargetOptions) => ({
  instance,
  namespace: namespace ?? null,
  path: path ?? null,
  name: name ?? null,
  overrideParams: parseOverrides(override),
  compare: compare ?? 'contents',
});

export const readingProgress = (session: Session) => showProgress(session, 'Reading the archive');

/** Returns the confirmation that allows replacing the project at the target; null if nothing is replaced. */
export async function confirmOverwrite(session: Session, options: TargetOptions): Promise<string | null> {
  const { instance, path, namespace } = options;
  if (options.overwrite !== true) return null;
  if (path === undefined)
    throw usageError('The option --overwrite needs --path, the path of the project to replace.');
  const parent = namespace ?? (await session.client.call('instance.check', { name: instance })).username;
  const request = { action: 'import.overwrite', instance, project: `${parent}/${path}` } as const;
  return requestConfirmation(session, request, options);
}

/** Follows the import to its end and prints what arrived; throws the error of a failed import. */
export async function followImport(
  session: Session,
  { comparison, ...started }: CallReply<'import.start'>,
): Promise<ExitCode> {
  if (comparison !== null) session.terminal.note(comparisonForecastText(comparison, formatDuration));
  const { result, exitCode } = await followResult(session, started.runId, importResultSchema);
  session.terminal.result({ ...started, result }, () => resultText(result), { hasMarks: true });
  return exitCode;
}

/** @param failureCount the number of failures that GitLab lists. */
export function comparisonText(reconciliation: Reconciliation, failureCount: number): string[] {
  const rows = reconciliation.rows
    .filter((row) => (row.source ?? 0) + (row.archive ?? 0) + (row.target ?? 0) > 0)
    .map((row) => [row.relation, row.source, row.archive, row.target, verdictWords(row)]);
  const hasLosses = reconciliation.rows.some((row) => row.verdict.startsWith('lost'));
  const gaps = gapsOf(reconciliation);
  const unconfirmed = gaps.length > 0 ? null : unconfirmedText(reconciliation.unproven);
  const agreement = agreementText[reconciliation.depth];
  return [
    ...(rows.length === 0 ? [] : [table(['RELATION', 'SOURCE', 'ARCHIVE', 'TARGET', ''], rows), '']),
    reconciliation.reconciled || lacksOnlyContents(reconciliation, failureCount)
      ? `${agreement.title}: ${lowerFirst(agreement.text)}`
      : hasLosses
        ? 'Not all of it arrived: see the rows that say "lost".'
        : reconciliation.missingCount + reconciliation.settings.length > 0
          ? 'Not everything arrived unchanged: see below.'
          : 'No loss is known, but it is not proven that everything arrived.',
    ...(unconfirmed === null ? [] : [unconfirmed]),
    ...(gaps.length === 0 ? [] : [`${gapsTitle}:`, ...gaps.map((gap) => `  ${toPrintable(gap)}`)]),
  ];
}

/** Returns the verdict in words. Without counts of the source, `equal` only means that target and archive agree. */
const verdictWords = ({ verdict, source }: Comparison): string =>
  verdict === 'equal' && source === null ? 'as archived' : verdict;

/** Returns sentences about differences that are no losses, and about everything that was not compared. */
export function declaredText(reconciliation: Reconciliation): string[] {
  const sentences = [
    ...declaredBesidesGaps(reconciliation),
    ...lessComparedSentences(reconciliation),
    ...uncomparedSentences(reconciliation.notCompared),
  ];
  return sentences.length === 0 ? [] : ['', ...sentences];
}

function failureLines({ failure, record }: FailureWithRecord, withArchive: boolean): string {
  const place =
    failure.relation === null ? 'no relation named' : `${failure.relation}:${failure.line ?? '?'}`;
  const head = toPrintable(
    `${place}  ${failure.exceptionClass}  ${failure.exceptionMessage ?? '(GitLab gives no reason)'}`,
  );
  if (record === null && withArchive && failure.line !== null) {
    return `${head}\n    The archive has no such line; is it the imported archive?`;
  }
  return record === null ? head : `${head}\n${recordText(record).replace(/^/gm, '    ')}`;
}

/**
 * Returns failed relations as GitLab lists them. If `withArchive` is true, the archive was searched for their records.
 */
export function failuresText(failures: FailureWithRecord[], withArchive: boolean): string[] {
  if (failures.length === 0) return ['No failed relation is listed.'];
  const lines = [
    `${plural(failures.length, 'failed relation')}:`,
    ...failures.map((failure) => failureLines(failure, withArchive)),
  ];
  if (failures.length >= maxListedFailures) lines.push(unlistedFailuresText(null));
  return lines;
}

function overridesText({ notTaken }: ImportResult): string[] {
  if (notTaken === null) return ['', 'The overrides of the new project could not be checked.'];
  return notTaken.length === 0 ? [] : ['', ...notTaken.map(ignoredAttributeSentence)];
}

export function resultText(result: ImportResult): string {
  return joinLines(
    `Imported as ${result.fullPath} (id ${result.projectId}), ${result.webUrl}`,
    '',
    comparisonText(result.reconciliation, result.failures.length),
    lossesText(result.reconciliation),
    declaredText(result.reconciliation),
    '',
    failuresText(result.failures, true),
    overridesText(result),
  );
}
