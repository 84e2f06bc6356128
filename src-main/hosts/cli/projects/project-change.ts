/** @file `packhorse project fork`, `star`, `unstar`, `set-archived`, `delete` and `restore`. */
import type { ChangeResult } from '../../../../src-contract/projects/change.ts';
import { changeResultSchema } from '../../../../src-contract/projects/change-schema.ts';
import { visibilities } from '../../../../src-contract/projects/project-details.ts';
import { changeAndPrint, projectLabel } from './changes.ts';
import { requestConfirmation } from '../terminal/confirm.ts';
import type { Session } from '../running/session.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import type { AppCommand, InstanceOptions } from '../running/app-command.ts';
import { followJob, resultOf } from '../runs/outcome.ts';

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

interface DeleteOptions extends InstanceOptions {
  permanently?: boolean;
  yes?: boolean;
}

export function registerChanges(project: AppCommand): void {
  const command = (name: string, description: string): AppCommand =>
    project.subcommand(name, description).projectArgument();
  command('fork', 'copy a project into a namespace')
    .option('--namespace <path>', 'target namespace (full path or id; default: your own)')
    .option('--path <path>', 'path of the fork (default: the path of the source)')
    .option('--name <name>', 'name of the fork')
    .option('--description <text>', 'description of the fork')
    .choiceOption('--visibility <level>', 'who can see it', visibilities)
    .option('--branches <name>', 'copy this branch only')
    .option('--mr-target-self', 'merge requests go to the fork itself')
    .option('--wait', 'wait until the copy is complete')
    .operations('fork-project')
    .withToken(fork);

  const plainChange = (kind: 'star' | 'unstar' | 'restore', description: string, done: string): AppCommand =>
    command(kind, description)
      .operations(`${kind}-project`)
      .withToken((session, project: string, options: InstanceOptions) => {
        const describe = (result: ChangeResult): string => `${done} ${projectLabel(result)}.`;
        return changeAndPrint(session, options, project, { kind }, describe);
      });
  plainChange('star', 'star a project', 'Starred');
  plainChange('unstar', 'remove your star from a project', 'Unstarred');

  command('set-archived', 'mark a project as archived on GitLab: it can be read, but not changed')
    .option('--off', 'unarchive it')
    .operations('archive-project', 'unarchive-project')
    .withToken((session, project: string, options: InstanceOptions & { off?: boolean }) => {
      const archived = options.off !== true;
      return changeAndPrint(session, options, project, { kind: 'set-archived', archived }, (result) =>
        archived
          ? `Marked ${projectLabel(result)} as archived.`
          : `${projectLabel(result)} is no longer marked as archived.`,
      );
    });

  command('delete', 'delete a project: most instances only mark it first, and "project restore" undoes that')
    .option(
      '--permanently',
      'delete at once and for good; only for a project that is already marked for deletion',
    )
    .option('--yes', 'do not ask for its full path as confirmation')
    .operations('delete-project')
    .withToken(async (session, project: string, options: DeleteOptions) => {
      const { instance, permanently = false } = options;
      const request = { action: 'project.delete', instance, project } as const;
      const confirmation = await requestConfirmation(session, request, { ...options, requiresPath: true });
      const describe = (result: ChangeResult): string =>
        result.deletion === null
          ? `Deleted ${project}.`
          : `Marked ${projectLabel(result)} for deletion. Unless this instance is set otherwise, it can be restored until ${result.deletion.finalOn}.`;
      return changeAndPrint(
        session,
        options,
        project,
        { kind: 'delete', permanently },
        describe,
        confirmation,
      );
    });

  plainChange('restore', 'restore a project that is marked for deletion', 'Restored');
}

/** Without `--wait` the command ends while GitLab copies. The same command with `--wait` continues from there. */
async function fork(session: Session, project: string, options: ForkOptions): Promise<ExitCode> {
  const change = {
    kind: 'fork',
    namespace: options.namespace ?? null,
    path: options.path ?? null,
    name: options.name ?? null,
    description: options.description ?? null,
    visibility: options.visibility ?? null,
    branches: options.branches ?? null,
    mergeIntoItself: options.mrTargetSelf ?? null,
  } as const;
  if (options.wait === true) {
    return changeAndPrint(
      session,
      options,
      project,
      change,
      (result) => `Forked as ${projectLabel(result)}.`,
    );
  }
  const started = await session.client.call('project.change', {
    instance: options.instance,
    project,
    change,
  });
  const job = await followJob(session, started.runId, ({ step }) => step === 'follow');
  const result = job.step === null ? resultOf(job, changeResultSchema) : null;
  session.terminal.result({ ...started, result }, () =>
    result === null
      ? 'GitLab accepted the fork and copies the repository; the same command with --wait follows the copy to its end.'
      : `Forked as ${projectLabel(result)}.`,
  );
  return exitCodes.done;
}
