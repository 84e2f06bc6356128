/** @file The rule that decides whether the heartbeat of a run may be sent. Programs after the run receive its result. */
import type { Run, RunOutcome } from '../../../src-contract/runs/run.ts';
import { pluralize } from '../../../src-contract/words/counted.ts';
import { noHeartbeatText } from '../../../src-contract/words/plans/heartbeat.ts';
import { leftOutCount } from './out-of-scope-projects.ts';

/** Returns why the heartbeat of a run may not be sent, as the end of a sentence; null if it may be sent. */
export function whyNoHeartbeat(run: Run): string | null {
  const reason = noHeartbeatText[run.outcome];
  if (reason !== undefined) return reason;
  const count = leftOutCount(run);
  if (count > 0) return `${pluralize(count, 'project was', 'projects were')} not backed up`;
  if (hasJobs(run)) return null;
  return run.skippedWhy === null ? 'the run had no project' : 'the run was skipped';
}

/** Returns the outcome for programs: `nothing` for a run that backed up no project and left none out. */
export const outcomeForPrograms = (run: Run): RunOutcome =>
  run.outcome === 'warnings' && !hasJobs(run) && leftOutCount(run) === 0 ? 'nothing' : run.outcome;

const hasJobs = ({ jobs }: Run): boolean => Object.keys(jobs).length > 0;
