/** @file `packhorse demo`: backup and migration between two embedded instances, with planted faults to be found. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveSummary } from '../../../../src-contract/archives/archive.ts';
import { AppError } from '../../../../src-contract/errors.ts';
import type { Comparison } from '../../../../src-contract/transfers/import.ts';
import type { ImportResult, Job } from '../../../../src-contract/runs/job.ts';
import { importResultSchema } from '../../../../src-contract/runs/job-schema.ts';
import { lowerFirst } from '../../../../src-contract/words/first-letter.ts';
import { gapsOf, gapsTitle } from '../../../../src-contract/words/depths.ts';
import { comparisonVerdictText } from '../../../../src-contract/words/migrations.ts';
import { relationText } from '../../../../src-contract/words/relations.ts';
import { proofText } from '../../../../src-contract/words/states.ts';
import { formatBytes } from '../../../../src-contract/words/sizes.ts';
import { composeApp } from '../../../compose/compose.ts';
import type { Sandbox } from '../../../services/sandbox/embedded-sandbox.ts';
import { inProcessClient } from '../../../bridge/transports/in-process.ts';
import { systemClock } from '../../../platform/clock.ts';
import { jobStatusWord } from '../runs/job-words.ts';
import { followRun } from '../runs/follow.ts';
import { joinLines, formatDuration, plural, tableOf, wrapText } from '../terminal/format.ts';
import { stateText } from '../migrations/migration-text.ts';
import { recordText } from '../archives/record-text.ts';
import type { Session } from './session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import type { AppCommand } from './app-command.ts';
import { followJob } from '../runs/outcome.ts';

const projectCount = 8;

interface DemoImport {
  archive: ArchiveSummary;
  job: Job;
  result: ImportResult | null;
}

export function demoCommand(program: AppCommand): void {
  program
    .subcommand('demo', 'try backup and migration between two built-in sandboxes')
    .withoutApp(async (terminal, signal) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'packhorse-demo-'));
      await using resources = new AsyncDisposableStack();
      const app = await composeApp({ dataDir, env: {} });
      resources.defer(() => app.close());
      // Loaded only when needed, as by `serve`.
      const { openSandbox, addUnimportableRecord } =
        await import('../../../services/sandbox/embedded-sandbox.ts');
      const source = await openSandbox({ projectCount, seed: 1 });
      resources.defer(() => source.close());
      await addUnimportableRecord(source);
      const target = await openSandbox({ projectCount: 0, seed: 2 });
      resources.defer(() => target.close());
      const client = inProcessClient(app.dispatch, signal);
      return await runDemo({ app, client, terminal, clock: systemClock, signal }, source, target, dataDir);
    });
}

/** Plants two faults besides the unimportable record, each in its own project. The checks find them unaided. */
async function plantFaults(source: Sandbox, target: Sandbox): Promise<void> {
  const projects = await Promise.all(source.state.paths.map((path) => source.state.project(path)));
  const [issueProject, noteProject] = [
    projects.findLast(({ notes, relations }) => notes.issues === 0 && (relations['issues']?.length ?? 0) > 0),
    projects.findLast(({ notes }) => notes.merge_requests > 0),
  ];
  if (issueProject === undefined || noteProject === undefined) {
    throw new AppError('internal', 'The sandbox has no projects to plant faults in.');
  }
  source.faults.add({
    match: { project: issueProject.fullPath },
    action: { kind: 'drop-records', relation: 'issues', count: 1 },
  });
  target.faults.add({
    match: { project: noteProject.fullPath },
    action: { kind: 'drop-notes', relation: 'merge_requests', count: 1 },
  });
}

async function runDemo(
  session: Session,
  source: Sandbox,
  target: Sandbox,
  dataDir: string,
): Promise<ExitCode> {
  const { client, terminal, clock } = session;
  const startedAt = clock.monotonic();
  terminal.line('This uses two built-in sandboxes; no real GitLab is contacted.');
  terminal.line(`Everything happens in ${dataDir}; tokens stay in memory.\n`);
  await plantFaults(source, target);

  for (const [name, sandbox] of [
    ['source', source],
    ['target', target],
  ] as const) {
    await client.call('instance.setToken', { name, token: sandbox.tokens.maintainer, keep: 'session' });
    const { url } = sandbox;
    const request = { name, url, caFile: null, pace: 'sandbox', keep: 'session' } as const;
    const { check } = await client.call('instance.add', request);
    terminal.line(
      `${name === 'source' ? '1.' : '  '} Registered "${name}": ${url}, GitLab ${check.version ?? '?'}, as ${check.username}.`,
    );
  }

  const backup = { instance: 'source', projects: 'all', keepExisting: false } as const;
  const started = await client.call('backup.start', backup);
  terminal.line(`2. Backing up ${plural(started.jobIds.length, 'project')} of "source" …`);
  const exports = await followRun(session, started.runId);
  const { archives } = await client.call('archive.list', { limit: 500 });
  archives.sort((a, b) => a.fullPath.localeCompare(b.fullPath));

  terminal.line(`3. Reading ${plural(archives.length, 'archive')} again to the end …`);
  const provenIds = new Set<string>();
  for (const archive of archives) {
    const { damaged } = await client.call('archive.verify', { archive: archive.path, level: 'L2' });
    if (damaged === null) provenIds.add(archive.id);
  }

  terminal.line('4. Importing every archive into "target" and comparing numbers, names and fields …');
  const imports: DemoImport[] = [];
  for (const archive of archives) {
    const slash = archive.fullPath.lastIndexOf('/');
    const imported = await client.call('import.start', {
      instance: 'target',
      archive: archive.path,
      namespace: archive.fullPath.slice(0, slash),
      path: null,
      name: null,
      overwrite: false,
      allowSuspicious: false,
      overrideParams: {},
    });
    const job = await followJob(session, imported.runId);
    const result = importResultSchema.safeParse(job.result);
    imports.push({ archive, job, result: result.success ? result.data : null });
  }

  const imported = imports.flatMap(({ result }) => (result === null ? [] : [result]));
  const reconciled = imported.filter((result) => result.reconciliation.reconciled).length;
  const { archiveRoot } = await client.call('host.describe', {});
  const document = {
    projects: exports.length,
    archives: archives.length,
    readable: provenIds.size,
    imported: imported.length,
    failedRelations: imported.reduce((sum, result) => sum + result.failures.length, 0),
    lost: imported.reduce((sum, result) => sum + totalLostRecords(result), 0),
    reconciled,
    contentsCompared: imported.every(({ reconciliation }) => reconciliation.depth === 'contents'),
    differing: imported.length - reconciled,
    archiveRoot,
  };
  terminal.result(document, () => {
    const duration = formatDuration(clock.monotonic() - startedAt);
    const doneText = `Done in ${duration}.`;
    return joinLines(
      '',
      summary(imports, provenIds),
      '',
      findings(imports),
      '',
      gapsText(imports),
      doneText,
      commands(imports, dataDir),
    );
  });
  const isComplete = provenIds.size === exports.length && imported.length === exports.length;
  return isComplete ? exitCodes.done : exitCodes.failed;
}

function lostRecords(row: Comparison): number {
  const archive = row.archive ?? 0;
  const lostOnExport = row.source === null ? 0 : Math.max(0, row.source - archive);
  const lostOnImport = row.target === null ? 0 : Math.max(0, archive - row.target);
  return lostOnExport + lostOnImport;
}

const totalLostRecords = (result: ImportResult): number =>
  result.reconciliation.rows.reduce((sum, row) => sum + lostRecords(row), 0);

function summary(imports: DemoImport[], provenIds: Set<string>): string {
  return tableOf(imports, ({ archive, job, result }) => ({
    PROJECT: archive.fullPath,
    ARCHIVE: formatBytes(archive.sizeBytes),
    PROOF: lowerFirst(proofText[provenIds.has(archive.id) ? 'L2' : 'damaged'].text),
    TARGET: result === null ? jobStatusWord(job.state) : 'imported',
    FAILED: result?.failures.length ?? null,
    LOST: result === null ? null : totalLostRecords(result),
    COMPARISON:
      result === null
        ? ''
        : stateText({
            state: result.reconciliation.reconciled ? 'arrived' : 'differs',
            depth: result.reconciliation.depth,
          }),
  }));
}

function findings(imports: DemoImport[]): string[] {
  const losses = imports.flatMap(({ archive, result }) =>
    (result?.reconciliation.rows ?? [])
      .filter((row) => lostRecords(row) > 0)
      .map(({ relation, verdict, source, archive: archived, target }) => {
        const what = `${relationText(relation)} ${lowerFirst(comparisonVerdictText[verdict])}`;
        const counts = `source ${source ?? '?'}, archive ${archived ?? '?'}, target ${target ?? '?'}`;
        return `  ${archive.fullPath}: ${what} (${counts})`;
      }),
  );
  const failures = imports.flatMap(({ archive, result }) =>
    (result?.failures ?? []).map((failure) => ({ archive, ...failure })),
  );
  return [
    'GitLab called every one of these exports and imports "finished". Counting shows otherwise:',
    ...losses,
    ...failures.flatMap(({ archive, failure, record }) => [
      '',
      ...wrapText(
        `${archive.fullPath}: GitLab refused a record (${failure.exceptionClass}) and does not say which one. This is the record in the local archive:`,
        '',
      ),
      ...(record === null ? [] : [recordText(record).replace(/^/gm, '  ')]),
    ]),
  ];
}

/** Returns the reasons why contents were compared only in part, each with its projects if these are not all. */
function gapsText(imports: DemoImport[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { archive, result } of imports)
    for (const gap of result === null ? [] : gapsOf(result.reconciliation))
      paths.set(gap, [...(paths.get(gap) ?? []), archive.fullPath]);
  if (paths.size === 0) return [];
  const lines = [...paths].flatMap(([gap, projects]) => {
    const [first = '', ...rest] = wrapText(
      projects.length === imports.length ? gap : `${gap} (${projects.join(', ')})`,
      '    ',
    );
    return [first.replace(/^ {4}/, '  - '), ...rest];
  });
  return [`${gapsTitle}:`, ...lines, ''];
}

function commands(imports: DemoImport[], dataDir: string): string[] {
  const packhorse = `npm run --silent packhorse -- --data-dir '${dataDir}'`;
  const lines = ['Look for yourself; the archives stay until you delete the folder:'];
  const incomplete = imports.find(({ result }) =>
    result?.reconciliation.rows.some(({ verdict }) => verdict === 'lost-on-export'),
  );
  if (incomplete !== undefined) {
    const path = incomplete.archive.absolutePath;
    lines.push(`${packhorse} archive inspect '${path}'`, `${packhorse} archive verify '${path}'`);
  }
  const failedImport = imports.find(({ result }) => (result?.failures.length ?? 0) > 0);
  const failure = failedImport?.result?.failures[0]?.failure;
  if (failedImport !== undefined && failure !== undefined) {
    const where = `${failure.relation ?? ''} ${failure.line ?? 0}`;
    lines.push(`${packhorse} archive record '${failedImport.archive.absolutePath}' ${where}`);
  }
  return lines;
}
