/** @file Decides whether a run that has ended gets a notification, and writes its text. Needs no Electron. */
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { NotificationTarget } from '../../../../src-contract/host.ts';
import type { Job } from '../../../../src-contract/runs/job.ts';
import { reasonNotStarted, shrunkArchives } from '../../../../src-contract/runs/run-notifications.ts';
import type { Preferences } from '../../../../src-contract/settings.ts';
import type { ReportedRun } from './run-watch.ts';
import { desktopTexts } from './desktop-texts.ts';

export interface Notice {
  title: string;
  body: string;
  /** The place that a click on the notice opens. */
  target: NotificationTarget;
}

type Level = Preferences['notifications'];
type NoticeText = Omit<Notice, 'target'>;

/** Returns one notice for a whole run that no plan started, or null. Jobs that the user cancelled are not reported. */
export function noticeOf(jobs: readonly Job[], level: Level): Notice | null {
  const message =
    level === 'none' ? null : (problemOf(jobs) ?? (level === 'all' ? successMessageOf(jobs) : null));
  const runId = jobs[0]?.runId;
  return message === null || runId === undefined ? null : { ...message, target: { what: 'run', id: runId } };
}

/** Returns the notice for a plan's run, or null. A run of a plan may have no job, and may get further notes later. */
export function planNoticeOf(reportedRun: ReportedRun, level: Level): Notice | null {
  const message = level === 'none' ? null : planMessageOf(reportedRun, level);
  if (message === null) return null;
  return {
    title: desktopTexts.notice.ofPlan(reportedRun.planName, message.title),
    body: message.body,
    target: { what: 'run', id: reportedRun.run.id },
  };
}

function planMessageOf({ run, kind, warnings, jobs }: ReportedRun, level: Level): NoticeText | null {
  const notesMessage =
    warnings.length === 0 ? null : { title: desktopTexts.notice.endedWithWarning, body: warnings.join(' ') };
  if (kind === 'notes') return notesMessage;
  const refusal = reasonNotStarted(run);
  if (refusal !== null)
    return refusal.isCancelled ? null : { title: desktopTexts.notice.nothingBackedUp, body: refusal.message };
  return problemOf(jobs) ?? notesMessage ?? (level === 'all' ? successMessageOf(jobs) : null);
}

const reportedJobs = (jobs: readonly Job[]): Job[] =>
  jobs.filter(({ state }) => state.status === 'succeeded' || state.status === 'failed');

function problemOf(jobs: readonly Job[]): NoticeText | null {
  const reported = reportedJobs(jobs);
  const [first] = reported;
  if (first === undefined) return null;
  const texts = desktopTexts.notice[first.kind];
  const only = reported.length === 1 ? first : null;
  const failed = reported.filter(({ state }) => state.status === 'failed');
  if (failed.length > 0) {
    const title =
      only === null ? texts.failedSome(failed.length, reported.length) : texts.failed(only.project);
    return { title, body: sharedReason(failed) ?? desktopTexts.notice.openActivity };
  }
  const shrunk = shrunkArchives(reported);
  const [firstShrunk] = shrunk;
  if (firstShrunk !== undefined) {
    const { project, finding } = firstShrunk;
    const { suspiciousSome, suspicious } = desktopTexts.notice;
    return shrunk.length === 1
      ? { title: suspicious(project), body: finding.message }
      : { title: suspiciousSome(shrunk.length), body: `${project}: ${finding.message}` };
  }
  const warned = reported.filter(({ state }) => state.status === 'succeeded' && state.warnings.length > 0);
  if (warned.length === 0) return null;
  const title =
    only === null ? texts.warningsSome(warned.length, reported.length) : texts.warnings(only.project);
  return { title, body: desktopTexts.notice.openActivity };
}

function successMessageOf(jobs: readonly Job[]): NoticeText | null {
  const reported = reportedJobs(jobs);
  const [first] = reported;
  if (first === undefined) return null;
  const texts = desktopTexts.notice[first.kind];
  return {
    title: reported.length === 1 ? texts.done(first.project) : texts.doneAll(reported.length),
    body: '',
  };
}

/** Returns the reason if it is the same for all failed jobs, else null. */
function sharedReason(failed: readonly Job[]): string | null {
  const reasons = new Set(
    failed.map(({ state }) => (state.status === 'failed' ? errorText(state.error).what : '')),
  );
  const [reason] = reasons;
  return reasons.size === 1 && reason !== undefined ? reason : null;
}
