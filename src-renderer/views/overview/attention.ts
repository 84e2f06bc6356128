/** @file The severity of each kind of attention, and its identity. */
import type { Attention } from '../../../src-contract/runs/overview-schema.ts';
import type { Tone } from '../../kit/feedback/tones.ts';

export const attentionTone: Record<Attention['kind'], Tone> = {
  'archives-absent': 'bad',
  'archive-damaged': 'bad',
  'projects-incomplete': 'bad',
  'projects-suspicious': 'warn',
  'older-archive-damaged': 'info',
  'job-failed': 'bad',
  'jobs-failed': 'bad',
  'job-warnings': 'warn',
  'plan-failed': 'bad',
  'plan-overdue': 'warn',
  'plan-empty': 'warn',
  'left-scope': 'warn',
  'token-missing': 'bad',
  'token-refused': 'bad',
  'token-read-only': 'warn',
  'token-expires': 'warn',
  'never-backed-up': 'warn',
  'list-old': 'info',
  'disk-low': 'warn',
  'jobs-stuck': 'bad',
  notice: 'info',
};

export const isAboutToken = (about: Attention): about is Extract<Attention, { kind: `token-${string}` }> =>
  about.kind.startsWith('token-');

/** Returns the same key for the same problem, so that an entry with work in progress is not rendered again. */
export function attentionKey(about: Attention): string {
  switch (about.kind) {
    case 'archive-damaged':
    case 'older-archive-damaged':
      return `${about.kind} ${about.archiveId}`;
    case 'job-failed':
    case 'job-warnings':
      return `${about.kind} ${about.jobId}`;
    case 'jobs-failed':
      return `${about.kind} ${about.instance} ${about.jobKind} ${about.error.code}`;
    case 'plan-failed':
    case 'plan-overdue':
    case 'plan-empty':
      return `${about.kind} ${about.planId}`;
    case 'left-scope':
      return `${about.kind} ${about.instance} ${about.projectId}`;
    case 'archives-absent':
    case 'disk-low':
      return `${about.kind} ${about.path}`;
    case 'jobs-stuck':
      return about.kind;
    case 'notice':
      return `${about.kind} ${about.text}`;
    default:
      return `${about.kind} ${about.instance}`;
  }
}
