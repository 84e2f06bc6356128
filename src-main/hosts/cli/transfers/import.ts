/** @file `packhorse import …`: imports an archive, and inspects any import. */
import { dayMs } from '../../../../src-contract/bounds.ts';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { ImportStatus } from '../../../../src-contract/transfers/import.ts';
import { archiveReference } from '../archives/archive-reference.ts';
import { joinLines, plural, toPrintable, table } from '../terminal/format.ts';
import { registerRelations } from './import-relation.ts';
import { registerRemoteImports } from './import-remote.ts';
import {
  comparisonText,
  declaredText,
  failuresText,
  followImport,
  confirmOverwrite,
  addOverwriteOptions,
  addTargetOptions,
  type TargetOptions,
  importTarget,
  readingProgress,
} from './import-result.ts';
import { lossesText } from '../migrations/difference-text.ts';
import { archiveArgument, parseArchiveReference, usageError } from '../terminal/options.ts';
import { useTokenOption, type Session, type TokenOptions } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { notComparedText } from '../../../../src-contract/words/uncompared-imports.ts';
import { hostLabels } from '../../../../src-contract/words/work.ts';
import type { AppCommand } from '../running/app-command.ts';

interface FileOptions extends TargetOptions {
  allowSuspicious?: boolean;
}

interface StatusOptions extends TokenOptions {
  instance?: string;
  archive?: string;
  watch?: boolean;
}

const pollIntervalMs = 2_000;
const maxWatchMs = dayMs;

export function importCommand(program: AppCommand): void {
  const command = program.subcommand('import', 'import an archive, and inspect any import');

  command
    .subcommand('file', 'import an archive into an instance, follow it to its end and compare what arrived')
    .addArgument(archiveArgument())
    .option('--path <path>', 'path of the new project (default: the original path)')
    .option('--allow-suspicious', 'import an archive with links, devices or other oddities')
    .use(addTargetOptions)
    .use(addOverwriteOptions)
    .operations('import-file')
    .withApp(importFile);

  registerRemoteImports(command);
  registerRelations(command);

  command
    .subcommand(
      'not-arrived',
      'mark an overwriting import as undelivered, so that the next import can be sent',
    )
    .argument('<job>', 'id or its beginning')
    .withApp(async ({ client, terminal }, job: string) => {
      const reply = await client.call('import.markUndelivered', { job, by: hostLabels.cli });
      terminal.result(reply, () => `Packhorse will send the next import to ${reply.target}.`);
    });

  command
    .subcommand('status', 'state and failures of any import, also one started elsewhere')
    .argument('<project>', 'address of the project, or its full path or id on --instance')
    .option('--instance <name>', 'the instance, unless the address contains it')
    .option(
      '--archive <archive>',
      'the imported archive: compares what arrived, and shows the record of each failure',
      parseArchiveReference,
    )
    .option('--watch', 'poll until the import has ended')
    .tokenOptions()
    .operations('get-import-status')
    .withApp(importStatus);
}

async function importFile(session: Session, reference: string, options: FileOptions): Promise<ExitCode> {
  await useTokenOption(session, options.instance, options);
  const confirmation = await confirmOverwrite(session, options);
  const started = await session.client.call(
    'import.start',
    {
      ...importTarget(options),
      archive: archiveReference(reference),
      overwrite: options.overwrite ?? false,
      allowSuspicious: options.allowSuspicious ?? false,
      confirmation,
    },
    readingProgress(session),
  );
  return followImport(session, started);
}

type StatusReply = CallReply<'import.status'>;

const isRunning = ({ state }: ImportStatus): boolean => state === 'scheduled' || state === 'started';

async function importStatus(session: Session, project: string, options: StatusOptions): Promise<ExitCode> {
  const { instance = null } = options;
  if (instance !== null) await useTokenOption(session, instance, options);
  else if (options.tokenStdin === true || options.tokenFile !== undefined) {
    throw usageError('Give the instance of this token with --instance');
  }
  const archive = options.archive === undefined ? null : archiveReference(options.archive);
  const request = (withArchive: string | null): Promise<StatusReply> =>
    session.client.call('import.status', { instance, project, archive: withArchive });
  // The first poll already includes the archive, so that a wrong one is reported before a long wait.
  let reply = await request(archive);
  if (options.watch === true && isRunning(reply.status)) {
    reply = await pollUntilEnded(session, project, async () => {
      const latest = await request(null);
      return isRunning(latest.status) ? latest : request(archive);
    });
  }
  const { status, failures, reconciliation } = reply;
  session.terminal.result(reply, () => statusText(reply, options.archive ?? null), { hasMarks: true });
  if (status.state === 'failed' || status.state === 'canceled') return exitCodes.failed;
  const isProven = archive === null || reconciliation?.reconciled === true;
  return failures.length === 0 && isProven ? exitCodes.done : exitCodes.partly;
}

/** Polls until the import has ended, also through short outages. Throws `deadline-passed`. */
async function pollUntilEnded(
  { clock, terminal, signal }: Session,
  project: string,
  request: () => Promise<StatusReply>,
): Promise<StatusReply> {
  const startedAt = clock.monotonic();
  let lastText = '';
  const report = (text: string): void => {
    if (terminal.interactive) terminal.status(text);
    else if (text !== lastText) terminal.note(text);
    lastText = text;
  };
  while (clock.monotonic() - startedAt < maxWatchMs) {
    let waitMs = pollIntervalMs;
    try {
      const reply = await request();
      const { status, failures } = reply;
      if (!isRunning(status)) return reply;
      const failureText =
        failures.length === 0 ? '' : `, ${plural(failures.length, 'failed relation')} so far`;
      report(`${project}: ${status.state}${failureText}`);
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.retry === 'never' || signal.aborted) throw error;
      if (error.retry !== 'later') waitMs = Math.max(pollIntervalMs, error.retry.afterMs);
      report(`${project}: retrying soon. ${errorText(error.toData()).what}`);
    }
    await clock.sleep(waitMs, signal);
  }
  throw new AppError('deadline-passed', 'The import has not ended after one day.');
}

/** @param archive as the user named it; null without one. */
function statusText({ status, failures, reconciliation }: StatusReply, archive: string | null): string {
  const withArchive = archive !== null;
  const stats = Object.keys({ ...status.stats?.fetched, ...status.stats?.imported }).map((name) => [
    name,
    status.stats?.fetched?.[name] ?? null,
    status.stats?.imported?.[name] ?? null,
  ]);
  return joinLines(
    `project         ${status.fullPath} (id ${status.projectId})`,
    `state           ${status.state}${status.state === 'none' ? ' (this project was not made by an import)' : ''}`,
    `source          ${status.importType ?? 'unknown'}`,
    `correlation id  ${status.correlationId ?? 'unknown'}`,
    status.error !== null && `error           ${toPrintable(status.error)}`,
    stats.length > 0 && ['', table(['STATISTICS', 'FETCHED', 'IMPORTED'], stats)],
    '',
    failuresText(failures, withArchive),
    reconciliation !== null && [
      '',
      ...comparisonText(reconciliation, failures.length),
      ...lossesText(reconciliation),
      ...declaredText(reconciliation),
    ],
    archive !== null && reconciliation === null && ['', notComparedText(toPrintable(archive), status.state)],
    statusAdvice(status, failures.length, withArchive),
  );
}

function statusAdvice(status: ImportStatus, failures: number, withArchive: boolean): string[] {
  // Uses the sentence of the error table, so that both commands give the same advice.
  if (status.state === 'failed') return ['', errorText(new AppError('import-failed', '').toData()).todo];
  if (isRunning(status)) return ['', 'It is still running; --watch follows it to its end.'];
  if (status.state !== 'finished' || withArchive) return [];
  return failures === 0
    ? [
        'A finished import may still have lost records, which GitLab does not list: with --archive FILE they are counted.',
      ]
    : ['', 'With --archive FILE the record behind each failure is shown, and what arrived is counted.'];
}
