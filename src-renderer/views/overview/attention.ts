/** @file Maps each attention entry to a tone by its kind, and to a stable key. */
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

export const isTokenAttention = (
  attention: Attention,
): attention is Extract<Attention, { kind: `token-${string}` }> => attention.kind.startsWith('token-');

/** Returns a stable key for each problem, so that Svelte keeps an entry whose call is still running. */
export function attentionKey(attention: Attention): string {
  switch (attention.kind) {
    case 'archive-damaged':
    case 'older-archive-damaged':
      return `${attention.kind} ${attention.archiveId}`;
    case 'job-failed':
    case 'job-warnings':
      return `${attention.kind} ${attention.jobId}`;
    case 'jobs-failed':
      return `${attention.kind} ${attention.instance} ${attention.jobKind} ${attention.error.code}`;
    case 'plan-failed':
    case 'plan-overdue':
    case 'plan-empty':
      return `${attention.kind} ${attention.planId}`;
    case 'left-scope':
      return `${attention.kind} ${attention.instance} ${attention.projectId}`;
    case 'archives-absent':
    case 'disk-low':
      return `${attention.kind} ${attention.path}`;
    case 'jobs-stuck':
      return attention.kind;
    case 'notice':
      return `${attention.kind} ${attention.text}`;
    default:
      return `${attention.kind} ${attention.instance}`;
  }
}
