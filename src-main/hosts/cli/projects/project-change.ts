/** @file `packhorse project fork`, `star`, `unstar`, `set-archived`, `delete` and `restore`. */
import type { Command } from 'commander';
import { changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import { visibilities } from '../../../../src-contract/projects/project-details.ts';
import { addOperationsHelp } from '../instances/asks-gitlab.ts';
import { change, placeOf, succeeded } from './changes.ts';
import { confirmed } from '../terminal/confirm.ts';
import { followRun } from '../runs/follow.ts';
import { addProjectArgument, type InstanceOptions } from '../instances/on-instance.ts';
import { choice } from '../terminal/options.ts';
import { runWithApp, takeToken, type Session } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';

interface ForkOptions extends InstanceOptions {
  namespace?: string;
  path?: string;
  name?: string;
  description?: string;
  visibility?: (typeof visibilities)[number];
  branches?: string;
  mrTargetSelf?: boolean;
  wait?: boolean;
}

export function registerChanges(project: Command): void {
  const command = (name: string, description: string): Command =>
    addProjectArgument(project.command(name).description(description));
  /** A command that only names the project. */
  const simple = async (
    command: Command,
    options: InstanceOptions,
    work: (session: Session) => Promise<ExitCode>,
  ): Promise<void> => {
    await runWithApp(command, async (session) => {
      await takeToken(session, options.instance, options);
      return work(session);
    });
  };

  addOperationsHelp(
    command('fork', 'copy a project into a namespace')
      .option('--namespace <path>', 'where to (full path or id; default: your own)')
      .option('--path <path>', 'path of the fork (default: as the source has it)')
      .option('--name <name>', 'name of the fork')
      .option('--description <text>', 'description of the fork')
      .addOption(choice('--visibility <level>', 'who sees it', visibilities))
      .option('--branches <name>', 'copy this branch only')
      .option('--mr-target-self', 'merge requests go to the fork itself')
      .option('--wait', 'until the copy is complete'),
    'fork-project',
  ).action(async (path: string, options: ForkOptions, command: Command) => {
    await simple(command, options, (session) => fork(session, path, options));
  });

  addOperationsHelp(command('star', 'give it your star'), 'star-project').action(
    async (path: string, options: InstanceOptions, command: Command) => {
      await simple(command, options, (session) =>
        change(session, options, path, { kind: 'star' }, (result) => `Starred ${placeOf(result)}.`),
      );
    },
  );

  addOperationsHelp(command('unstar', 'take your star back'), 'unstar-project').action(
    async (path: string, options: InstanceOptions, command: Command) => {
      await simple(command, options, (session) =>
        change(session, options, path, { kind: 'unstar' }, (result) => `Unstarred ${placeOf(result)}.`),
      );
    },
  );

  addOperationsHelp(
    command('set-archived', 'mark it as archived on GitLab: it can be read, but not changed').option(
      '--off',
      'take the mark off',
    ),
    'archive-project',
    'unarchive-project',
  ).action(async (path: string, options: InstanceOptions & { off?: boolean }, command: Command) => {
    const archived = options.off !== true;
    await simple(command, options, (session) =>
      change(session, options, path, { kind: 'set-archived', archived }, (result) =>
        archived
          ? `Marked ${placeOf(result)} as archived.`
          : `${placeOf(result)} is no longer marked as archived.`,
      ),
    );
  });

  addOperationsHelp(
    command('delete', 'delete it: most instances only mark it first, and "project restore" undoes that')
      .option('--permanently', 'at once and for good; only one that is marked for deletion already')
      .option('--yes', 'do not ask for its full path'),
    'delete-project',
  ).action(
    async (
      path: string,
      options: InstanceOptions & { permanently?: boolean; yes?: boolean },
      command: Command,
    ) => {
      await simple(command, options, async (session) => {
        const { instance, permanently = false } = options;
        const request = { action: 'project.delete', instance, project: path } as const;
        const confirmation = await confirmed(session, request, { ...options, typed: true });
        const wanted = { kind: 'delete', permanently } as const;
        const says = `Deleted ${path}.`;
        return change(
          session,
          options,
          path,
          wanted,
          (result) =>
            result.deletion === null
              ? says
              : `Marked ${placeOf(result)} for deletion. Unless this instance is set otherwise, it can be restored until ${result.deletion.finalOn}.`,
          confirmation,
        );
      });
    },
  );

  addOperationsHelp(command('restore', 'take back that it is marked for deletion'), 'restore-project').action(
    async (path: string, options: InstanceOptions, command: Command) => {
      await simple(command, options, (session) =>
        change(session, options, path, { kind: 'restore' }, (result) => `Restored ${placeOf(result)}.`),
      );
    },
  );
}

/** Without `--wait` the command ends while GitLab copies; the same command with it continues from there. */
async function fork(session: Session, project: string, options: ForkOptions): Promise<ExitCode> {
  const { instance, namespace = null, path = null, name = null, description = null } = options;
  const wanted = {
    kind: 'fork',
    namespace,
    path,
    name,
    description,
    visibility: options.visibility ?? null,
    branches: options.branches ?? null,
    mergeIntoItself: options.mrTargetSelf ?? null,
  } as const;
  if (options.wait === true) {
    return change(session, options, project, wanted, (result) => `Forked as ${placeOf(result)}.`);
  }
  const started = await session.client.call('project.change', { instance, project, change: wanted });
  const jobs = await followRun(session, started.runId, (job) => job.step === 'follow');
  const isComplete = jobs.every(({ step }) => step === null);
  const result = isComplete ? changeResultSchema.parse(succeeded(jobs).result) : null;
  session.terminal.result({ ...started, result }, () =>
    result === null
      ? 'GitLab took the fork on and copies the repository; the same command with --wait follows that to its end.'
      : `Forked as ${placeOf(result)}.`,
  );
  return exitCodes.done;
}
