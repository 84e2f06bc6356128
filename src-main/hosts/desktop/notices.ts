/** @file What a notification says of a run that has ended, and whether it is said. Needs no Electron. */
import { errorText } from '../../../src-preload/contract/error-messages.ts';
import type { Job } from '../../../src-preload/contract/job.ts';
import type { Preferences } from '../../../src-preload/contract/settings.ts';
import { words } from './words.ts';

export interface Notice {
  title: string;
  body: string;
}

/** One notice for the whole run, or null. What a person cancelled is known to that person. */
export function noticeOf(jobs: readonly Job[], level: Preferences['notifications']): Notice | null {
  const told = jobs.filter(({ state }) => state.status === 'succeeded' || state.status === 'failed');
  const [first] = told;
  if (first === undefined || level === 'none') return null;
  const says = words.notice[first.kind];
  const only = told.length === 1 ? first : null;
  const failed = told.filter(({ state }) => state.status === 'failed');
  const warned = told.filter(({ state }) => state.status === 'succeeded' && state.warnings.length > 0);
  if (failed.length > 0) {
    const title = only === null ? says.failedSome(failed.length, told.length) : says.failed(only.project);
    return { title, body: sharedReason(failed) ?? words.notice.look };
  }
  if (warned.length > 0) {
    const title = only === null ? says.warningsSome(warned.length, told.length) : says.warnings(only.project);
    return { title, body: words.notice.look };
  }
  if (level === 'problems') return null;
  return { title: only === null ? says.doneAll(told.length) : says.done(only.project), body: '' };
}

/** What happened, where the same happened to all that failed. */
function sharedReason(failed: readonly Job[]): string | null {
  const reasons = new Set(
    failed.map(({ state }) => (state.status === 'failed' ? errorText(state.error).what : '')),
  );
  const [reason] = reasons;
  return reasons.size === 1 && reason !== undefined ? reason : null;
}
