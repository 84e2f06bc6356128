/** @file Messages about a plan's run that ended badly or looks suspicious. */
import { countJobs, type Run } from '../../src-contract/runs/run.ts';
import { formatNumber } from '../kit/format.ts';
import { common } from '../kit/common.text.ts';

export const planRunToastText = {
  planMessage: (plan: string, what: string) => `${plan}: ${what}`,
  failed: (failed: number, run: Run): string =>
    run.project === null
      ? `${formatNumber(failed)} of ${common.projects(countJobs(run).all)} ${failed === 1 ? 'was' : 'were'} not backed up.`
      : `${run.project} was not backed up.`,
  suspicious: (archives: number, project: string, why: string) =>
    archives === 1
      ? `The new archive of ${project} looks suspicious. ${why}`
      : `${common.archives(archives)} of this run look suspicious. ${project}: ${why}`,
  incomplete: 'a run stored archives that are incomplete or suspicious.',
  warnings: 'a run ended with warnings.',
  show: 'Show the run',
} as const;
