/** @file `packhorse import …`: imports an archive, and inspects any import. */
import { dayMs } from '../../../../src-contract/bounds.ts';
import type { Command } from 'commander';
import type { CallReply } from '../../../../src-contract/calls.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { ImportStatus } from '../../../../src-contract/transfers/import.ts';
import { archiveReference } from '../archives/archive-reference.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { plural, printable, table } from '../terminal/format.ts';
import { registerRelations } from './import-relation.ts';
import { registerRemote } from './import-remote.ts';
import {
  comparisonText,
  failuresText,
  followImport,
  overwriteConfirmed,
  overwriteOptions,
  targetOptions,
  type ImportTarget,
} from './import-result.ts';
import { archiveArgument, archiveWord } from '../terminal/options.ts';
import { overridesIn } from '../projects/pairs.ts';
import {
  runWithApp,
  showProgress,
  takeToken,
  tokenOptions,
  type Session,
  type TokenOptions,
} from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { misused } from '../terminal/misused.ts';
import { askedBy } from '../../../../src-contract/words/work.ts';

interface FileOptions extends ImportTarget {
  allowSuspicious?: boolean;
}

interface StatusOptions extends TokenOptions {
  instance?: string;
  archive?: string;
  watch?: boolean;
}

const watchMs = 2_000;
const maxWatchMs = dayMs;

export function importCommand(program: Command): void {
  const importing = program.command('import').description('import an archive, and look at any import');

  addOperationsHelp(
    overwriteOptions(
      targetOptions(
        importing
          .command('file')
          .description('import an archive into an instance, follow it to its end and compare what arrived')
          .addArgument(archiveArgument())
          .option('--path <path>', 'path of the new project (default: as it was called)')
          .option('--allow-suspicious', 'import an archive with links, devices or other oddities'),
      ),
    ),
    'import-file',
  ).action(async (typed: string, options: FileOptions, command: Command) => {
    await runWithApp(command, (session) => importFile(session, typed, options));
  });

  registerRemote(importing);
  registerRelations(importing);

  importing
    .command('not-arrived')
    .description(
      'say that an import that was to replace a project did not arrive, so that the next one is sent',
    )
    .argument('<job>', 'id or its beginning')
    .action(async (job: string, _options: unknown, command: Command) => {
      await runWithApp(command, async (session) => {
        const said = await session.client.call('import.markUndelivered', { job, by: askedBy.cli });
        session.terminal.result(said, () => `The next import to ${said.target} is sent.`);
        return exitCodes.done;
      });
    });

  const status = tokenOptions(
    importing
      .command('status')
      .description('state and failures of any import, also one started elsewhere')
      .argument('<project>', 'address of the project, or its full path or id on --instance')
      .option('--instance <name>', 'the instance, unless the address tells it')
      .option(
        '--archive <archive>',
        'the archive it came from: shows the record behind each failure',
        archiveWord,
      )
      .option('--watch', 'look again until it has ended'),
  );
  addOperationsHelp(status, 'get-import-status').action(
    async (project: string, options: StatusOptions, command: Command) => {
      await runWithApp(command, (session) => importStatus(session, project, options));
    },
  );
}

async function importFile(session: Session, typed: string, options: FileOptions): Promise<ExitCode> {
  await takeToken(session, options.instance, options);
  const confirmation = await overwriteConfirmed(session, options);
  const started = await session.client.call(
    'import.start',
    {
      instance: options.instance,
      archive: archiveReference(typed),
      namespace: options.namespace ?? null,
      path: options.path ?? null,
      name: options.name ?? null,
      overwrite: options.overwrite ?? false,
      allowSuspicious: options.allowSuspicious ?? false,
      overrideParams: overridesIn(options.override),
      confirmation,
    },
    showProgress(session, 'Reading the archive'),
  );
  return followImport(session, started);
}

type Looked = CallReply<'import.status'>;

const running = ({ state }: ImportStatus): boolean => state === 'scheduled' || state === 'started';

async function importStatus(session: Session, project: string, options: StatusOptions): Promise<ExitCode> {
  const { instance = null } = options;
  if (instance !== null) await takeToken(session, instance, options);
  else if (options.tokenStdin === true || options.tokenFile !== undefined) {
    throw misused('Say with --instance whose token this is');
  }
  const archive = options.archive === undefined ? null : archiveReference(options.archive);
  const look = (withArchive: string | null): Promise<Looked> =>
    session.client.call('import.status', { instance, project, archive: withArchive });
  // The first poll already includes the archive, so that a wrong one is reported before a long wait.
  let looked = await look(archive);
  if (options.watch === true && running(looked.status)) {
    looked = await lookUntilEnded(session, project, async () => {
      const seen = await look(null);
      return running(seen.status) ? seen : look(archive);
    });
  }
  const { state } = looked.status;
  session.terminal.result(looked, () => statusText(looked, archive !== null));
  if (state === 'failed' || state === 'canceled') return exitCodes.failed;
  const whole = looked.failures.length === 0 && looked.reconciliation?.reconciled !== false;
  return whole ? exitCodes.done : exitCodes.partly;
}

/**
 * Polls until the import has ended; short outages of the network or the server are waited out. Throws
 * `deadline-passed`.
 */
async function lookUntilEnded(
  { clock, terminal, signal }: Session,
  project: string,
  look: () => Promise<Looked>,
): Promise<Looked> {
  const startedAt = clock.monotonic();
  let told = '';
  const tell = (text: string): void => {
    if (terminal.interactive) terminal.status(text);
    else if (text !== told) terminal.note(text);
    told = text;
  };
  while (clock.monotonic() - startedAt < maxWatchMs) {
    let waitMs = watchMs;
    try {
      const looked = await look();
      const { status, failures } = looked;
      if (!running(status)) return looked;
      const failed = failures.length === 0 ? '' : `, ${plural(failures.length, 'failed relation')} so far`;
      tell(`${project}: ${status.state}${failed}`);
    } catch (thrown) {
      const error = AppError.from(thrown);
      if (error.retry === 'never' || signal.aborted) throw error;
      if (error.retry !== 'later') waitMs = Math.max(watchMs, error.retry.afterMs);
      tell(`${project}: looking again soon. ${errorText(error.toData()).what}`);
    }
    await clock.sleep(waitMs, signal);
  }
  throw new AppError('deadline-passed', 'The import has not ended after a day of watching.');
}

function statusText({ status, failures, reconciliation }: Looked, withArchive: boolean): string {
  const stats = Object.keys({ ...status.stats?.fetched, ...status.stats?.imported }).map((name) => [
    name,
    status.stats?.fetched?.[name] ?? null,
    status.stats?.imported?.[name] ?? null,
  ]);
  return [
    `project         ${status.fullPath} (id ${status.projectId})`,
    `state           ${status.state}${status.state === 'none' ? ' (this project was not made by an import)' : ''}`,
    `source          ${status.importType ?? 'not said'}`,
    `correlation id  ${status.correlationId ?? 'not said'}`,
    ...(status.error === null ? [] : [`error           ${printable(status.error)}`]),
    ...(stats.length === 0 ? [] : ['', table(['STATISTICS', 'FETCHED', 'IMPORTED'], stats)]),
    '',
    ...failuresText(failures, withArchive),
    ...(reconciliation === null ? [] : ['', ...comparisonText(reconciliation)]),
    ...statusAdvice(status, failures.length, withArchive),
  ].join('\n');
}

function statusAdvice(status: ImportStatus, failures: number, withArchive: boolean): string[] {
  // Uses the sentence of the error table, so that both commands give the same advice.
  if (status.state === 'failed') return ['', errorText(new AppError('import-failed', '').toData()).todo];
  if (running(status)) return ['', 'It is still running; --watch follows it to its end.'];
  if (status.state !== 'finished') return [];
  if (withArchive) return [];
  return failures === 0
    ? [
        'A finished import may still have lost records, which GitLab does not list: with --archive FILE they are counted.',
      ]
    : ['', 'With --archive FILE the record behind each failure is shown, and what arrived is counted.'];
}
