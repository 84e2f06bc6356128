/**
 * @file The words for states of projects, archives, jobs, runs and findings. Window, command line, tray and passports use them, so that
 * a state has one name everywhere. `text` begins with a capital letter; `lowerFirst` puts it into a sentence.
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
  absent: { text: 'Not available', hint: 'The folder that its newest archive is in is not there.' },
  damaged: { text: 'Damaged', hint: 'Its newest archive changed or is missing on disk.' },
  incomplete: {
    text: 'Incomplete',
    hint: 'Its newest archive lacks records that the project had. Every run of a plan backs it up again.',
  },
  suspicious: { text: 'Suspicious', hint: 'Its newest archive holds what no export should.' },
  failed: { text: 'Failed', hint: 'The newest backup failed and nothing newer is stored.' },
  never: { text: 'Never backed up', hint: 'There is no readable archive of it.' },
  changed: { text: 'Changed', hint: 'Something happened in it since its newest archive.' },
  current: { text: 'Current', hint: 'Nothing happened in it since its newest archive.' },
  'not-allowed': { text: 'Not allowed', hint: 'The role of the account is too low for an export.' },
};

/** The words for the distinctions of the overview within a status. */
export const protectionText = {
  lastFailed: { text: 'Last backup failed', hint: 'The newest backup failed; an earlier archive is kept.' },
  newCopy: {
    text: 'New copy',
    hint: 'Imported in the last day from an archive that is kept here. It has no backup of its own yet.',
  },
} satisfies Record<string, StateText>;

/** The status of one project as its badge says it. `held`: an archive of it is kept. */
export function backupStatusWords(of: {
  backupStatus: BackupStatus;
  held: boolean;
  newCopy?: boolean | undefined;
}): StateText {
  if (of.held && of.backupStatus === 'failed') return protectionText.lastFailed;
  return of.newCopy === true ? protectionText.newCopy : backupStatusText[of.backupStatus];
}

/** The condition of an archive: whether it can be read, and whether its contents are complete. */
export const conditionText: Record<ArchiveCondition, StateText> = {
  complete: { text: 'Sound', hint: 'It can be read to the end, and nothing is known to be missing in it.' },
  suspicious: { text: 'Suspicious', hint: 'It can be read, but holds what an export should not hold.' },
  incomplete: { text: 'Incomplete', hint: 'It lacks records that its source had.' },
  damaged: { text: 'Damaged', hint: 'The file changed or is missing since it was stored.' },
  unusable: { text: 'Unusable', hint: 'It is cut, damaged, or not an export.' },
};

/** The level to which an archive was verified, or why it cannot be relied on. */
export const proofText = {
  absent: { text: 'Not available', hint: 'The archive folder it is in is not there at the moment.' },
  damaged: conditionText.damaged,
  unusable: conditionText.unusable,
  incomplete: conditionText.incomplete,
  suspicious: conditionText.suspicious,
  L3: { text: 'Proven', hint: 'It was imported, and its contents were compared with those of its source.' },
  L2: { text: 'Readable', hint: 'It was read to the end, every record of it.' },
  L1: { text: 'Stored', hint: 'Its size and checksum are right.' },
  none: { text: 'Not verified', hint: 'Nobody has looked at it since it was stored.' },
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
  'rate-limited': 'GitLab asked to slow down',
  pace: 'Keeping to the limits of the instance',
  network: 'Waiting for the network',
  'server-unavailable': 'GitLab does not answer',
  'answer-lost': 'A reply was lost; checking whether GitLab received the request',
  interrupted: 'Was interrupted; continues soon',
  'token-missing': 'No token is available',
  keychain: 'Waiting for the keychain',
};

export const runOutcomeText: Record<RunOutcome, string> = {
  running: 'Running',
  succeeded: 'Done',
  warnings: doneWithWarnings,
  incomplete: 'Incomplete archives',
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
