/**
 * @file The words for states of projects, archives, jobs, runs and findings. The window, the command line, the tray and
 * passports use them, so that a state has one name everywhere. `text` begins with a capital letter; `lowerFirst` adapts
 * it for use within a sentence.
 */
import type { ArchiveCondition } from '../archives/archive-quality.ts';
import type { Finding } from '../archives/archive.ts';
import type { JobStatus } from '../runs/job.ts';
import type { WaitReason } from '../runs/wait-reasons.ts';
import type { BackupStatus } from '../projects/project.ts';
import type { RunOutcome } from '../runs/run.ts';

/** The name of a state, and a sentence that explains it. */
export interface StateText {
  text: string;
  hint: string;
}

/** How well a project is backed up. */
export const backupStatusText: Record<BackupStatus, StateText> = {
  absent: { text: 'Not available', hint: 'The folder of its newest archive does not exist at the moment.' },
  damaged: { text: 'Damaged', hint: 'Its newest archive changed or is missing on disk.' },
  incomplete: {
    text: 'Incomplete',
    hint: 'Its newest archive lacks records that the project had. Every run of a plan backs it up again.',
  },
  suspicious: { text: 'Suspicious', hint: 'Its newest archive contains something that no export should.' },
  failed: { text: 'Failed', hint: 'The newest backup failed, and no newer archive is stored.' },
  never: { text: 'Never backed up', hint: 'It has no readable archive.' },
  changed: { text: 'Changed', hint: 'It had activity since its newest archive.' },
  current: {
    text: 'Current',
    hint: 'GitLab recorded no activity since its newest archive. GitLab records activity at most once an hour, so the archive may lack work from the hour after the last recorded activity.',
  },
  'not-allowed': { text: 'Not allowed', hint: 'The role of the account is too low for an export.' },
};

/** The texts for special cases of a backup status that the overview shows separately. */
export const overviewStatusText = {
  lastFailed: { text: 'Last backup failed', hint: 'The newest backup failed; an earlier archive is stored.' },
  newCopy: {
    text: 'New copy',
    hint: 'Imported in the last day from a stored archive. It has no backup of its own yet.',
  },
} satisfies Record<string, StateText>;

/** Returns the words for the badge of one project. `hasArchive` is true if an archive of it is stored. */
export function backupBadgeText(summary: {
  backupStatus: BackupStatus;
  hasArchive: boolean;
  newCopy?: boolean | undefined;
}): StateText {
  if (summary.hasArchive && summary.backupStatus === 'failed') return overviewStatusText.lastFailed;
  return summary.newCopy === true ? overviewStatusText.newCopy : backupStatusText[summary.backupStatus];
}

/** The condition of an archive: whether it can be read, and whether its contents are complete. */
export const conditionText: Record<ArchiveCondition, StateText> = {
  complete: { text: 'Sound', hint: 'It can be read to the end, and nothing is known to be missing.' },
  suspicious: { text: 'Suspicious', hint: 'It can be read, but contains something that no export should.' },
  incomplete: { text: 'Incomplete', hint: 'It lacks records that its source had.' },
  damaged: { text: 'Damaged', hint: 'The file changed after it was stored, or is missing.' },
  unusable: { text: 'Unusable', hint: 'It is truncated, damaged, or not an export.' },
};

/** The level to which an archive was verified, or why the archive is unreliable. */
export const proofText = {
  absent: { text: 'Not available', hint: 'Its archive folder does not exist at the moment.' },
  damaged: conditionText.damaged,
  unusable: conditionText.unusable,
  incomplete: conditionText.incomplete,
  suspicious: conditionText.suspicious,
  L3: { text: 'Proven', hint: 'It was imported, and its contents were compared with those of its source.' },
  L2: { text: 'Readable', hint: 'Every record was read.' },
  L1: { text: 'Stored', hint: 'Its size and checksum are correct.' },
  none: { text: 'Not verified', hint: 'It was not verified since it was stored.' },
} satisfies Record<string, StateText>;

export const jobStatusText: Record<JobStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting',
  cancelling: 'Cancelling',
  succeeded: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  skipped: 'Skipped',
};

export const doneWithWarnings = 'Done with warnings';

export const waitReasonText: Record<WaitReason, string> = {
  'server-working': 'GitLab is working on it',
  'rate-limited': 'GitLab limits the rate of requests',
  pace: 'Keeping to the limits of the instance',
  network: 'Waiting for the network',
  'server-unavailable': 'GitLab does not respond',
  'answer-lost': 'A response was lost; checking whether GitLab received the request',
  interrupted: 'Was interrupted; continues soon',
  'token-missing': 'No token is available',
  keychain: 'Waiting for the keychain',
};

export const runOutcomeText: Record<RunOutcome, string> = {
  running: 'Running',
  succeeded: 'Done',
  warnings: doneWithWarnings,
  incomplete: 'Incomplete or suspicious archives',
  'partly-failed': 'Partly failed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  skipped: 'Nothing new',
  nothing: 'Nothing to do',
};

export const severityText: Record<Finding['severity'], string> = {
  info: 'Note',
  warning: 'Warning',
  error: 'Error',
};
