/** @file Follows a job that restores a part of a migrated project, and the comparison after it. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import { hasEnded, type Job } from '../../../../src-contract/runs/job.ts';
import { followChanges } from '../running/follow-changes.ts';
import type { Session } from '../running/session.ts';
import { jobStateText } from '../runs/job-words.ts';
import { joinLines } from '../terminal/format.ts';
import { exitCodes, type ExitCode } from '../terminal/terminal.ts';
import { listMigrationProjects } from './migration-projects.ts';
import { projectsText } from './migration-text.ts';

/** Prints the project once it was compared again. `name`: what the job restores, for the line of progress. */
export function followRetry(session: Session, id: string, jobId: string, name: string): Promise<ExitCode> {
  const { client, app, terminal } = session;
  app.startJobs((job) => app.belongsToMigration(job, id), { migrationId: id });
  return followChanges(session, {
    isRelevant: (event, payload) => event === 'migration.changed' || payload.jobId === jobId,
    async read() {
      const job = await client.call('job.show', { job: jobId });
      const projects = await listMigrationProjects(session, id);
      const retried = projects.find(({ retryJobs }) => retryJobs.includes(jobId));
      if (!hasEnded(job.state) || retried?.state === 'finishing') {
        terminal.status(`${name}: ${jobStateText(job.state)}`);
        return null;
      }
      terminal.status(null);
      terminal.result({ job, project: retried ?? null }, () =>
        joinLines(projectsText(retried === undefined ? [] : [retried]), remarksOf(job)),
      );
      if (job.state.status !== 'succeeded') return exitCodes.failed;
      const isFine = retried?.state === 'arrived' && job.state.warnings.length === 0;
      return isFine ? exitCodes.done : exitCodes.partly;
    },
  });
}

function remarksOf({ state }: Job): string[] {
  if (state.status === 'failed') {
    const { what, todo } = errorText(state.error, 'command-line');
    return [`It failed: ${what} ${todo}`];
  }
  return state.status === 'succeeded' ? state.warnings.map(({ message }) => message) : [];
}
