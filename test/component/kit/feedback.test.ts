import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { AppError, errorCodes } from '../../../src-contract/errors.ts';
import { errorText } from '../../../src-contract/error-messages.ts';
import { jobStatuses, type JobState, type Progress } from '../../../src-contract/runs/job.ts';
import { backupStatuses } from '../../../src-contract/projects/project.ts';
import { runOutcomes } from '../../../src-contract/runs/run.ts';
import { jobStatusText, runOutcomeText, backupStatusText } from '../../../src-contract/words/states.ts';
import { toasts } from '../../../src-renderer/data/toasts.svelte.ts';
import ErrorNotice from '../../../src-renderer/kit/feedback/ErrorNotice.svelte';
import JobStateBadge from '../../../src-renderer/kit/feedback/JobStateBadge.svelte';
import ProgressBar from '../../../src-renderer/kit/feedback/ProgressBar.svelte';
import ProgressMeter from '../../../src-renderer/kit/feedback/ProgressMeter.svelte';
import ProofBadge from '../../../src-renderer/kit/feedback/ProofBadge.svelte';
import RunOutcomeBadge from '../../../src-renderer/kit/feedback/RunOutcomeBadge.svelte';
import BackupStatusBadge from '../../../src-renderer/kit/feedback/BackupStatusBadge.svelte';
import ToastArea from '../../../src-renderer/shell/ToastArea.svelte';

const error = new AppError('connection-refused', 'connect ECONNREFUSED', {
  details: { host: 'gitlab.example.com', port: 443 },
}).toData();

describe('a badge shows in words and by an icon what its colour shows', () => {
  const shows = async (text: string) => {
    const badge = page.getByText(text, { exact: true });
    await expect.element(badge).toBeVisible();
    expect(badge.element().parentElement?.querySelector('.badge-picture')).not.toBeNull();
  };

  test.each(backupStatuses)('backup status %s', async (status) => {
    await render(BackupStatusBadge, { status });
    await shows(backupStatusText[status].text);
  });

  test.each(runOutcomes)('run %s', async (outcome) => {
    await render(RunOutcomeBadge, { outcome });
    await shows(runOutcomeText[outcome]);
  });

  const states: Record<(typeof jobStatuses)[number], [JobState, hint: string | null]> = {
    queued: [{ status: 'queued' }, null],
    running: [{ status: 'running', since: 0 }, null],
    waiting: [
      { status: 'waiting', until: 0, reason: 'rate-limited', text: '' },
      'GitLab limits the rate of requests',
    ],
    cancelling: [{ status: 'cancelling', by: 'you' }, null],
    succeeded: [{ status: 'succeeded', warnings: [] }, null],
    failed: [{ status: 'failed', error }, errorText(error).what],
    cancelled: [{ status: 'cancelled', by: 'you' }, null],
    skipped: [{ status: 'skipped', why: 'nothing changed' }, 'nothing changed'],
  };
  test.each(jobStatuses)('job %s', async (status) => {
    const [state, hint] = states[status];
    await render(JobStateBadge, { state });
    await shows(jobStatusText[status]);
    expect(document.querySelector('.badge')?.getAttribute('title')).toBe(hint);
  });

  test('a job that succeeded with warnings looks like a warning, not like a success', async () => {
    const warnings = [{ code: 'x', severity: 'warning' as const, message: 'x', where: null }];
    await render(JobStateBadge, { state: { status: 'succeeded', warnings } });
    await shows('Done with warnings');
    expect(document.querySelector('.badge.warn')).not.toBeNull();
  });

  test.each([
    ['Not available', { condition: 'damaged', level: 'L3', absent: true }],
    ['Damaged', { condition: 'damaged', level: 'L3', reason: 'its checksum changed' }],
    ['Unusable', { condition: 'unusable', level: 'L1' }],
    ['Incomplete', { condition: 'incomplete', level: 'L2' }],
    ['Suspicious', { condition: 'suspicious', level: 'L2' }],
    ['Proven', { condition: 'complete', level: 'L3' }],
    ['Readable', { condition: 'complete', level: 'L2' }],
    ['Stored', { condition: 'complete', level: 'L1' }],
    ['Not verified', { condition: 'complete', level: null }],
  ] as const)('an archive is shown as %s rather than as anything better', async (text, props) => {
    await render(ProofBadge, props);
    await shows(text);
  });
});

describe('an error', () => {
  test.each(errorCodes)('%s states what happened and what to do', async (code) => {
    const thrown = new AppError(code, 'the message').toData();
    await render(ErrorNotice, { error: thrown });
    const alert = page.getByRole('alert').element();
    expect(alert.textContent).toContain(errorText(thrown).what);
    expect(alert.textContent).toContain(errorText(thrown).todo);
  });

  test('shows its details on request and offers to copy it and to try again', async () => {
    const onretry = vi.fn();
    const copied: string[] = [];
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => {
      copied.push(text);
      return Promise.resolve();
    });
    try {
      await render(ErrorNotice, { error, onretry });
      await expect.element(page.getByText(/ECONNREFUSED/)).not.toBeVisible();
      await page.getByText('Details').click();
      await expect.element(page.getByText(/ECONNREFUSED/)).toBeVisible();
      await page.getByRole('button', { name: 'Copy' }).click();
      await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(copied[0]).toContain('connection-refused');
      expect(copied[0]).toContain('port: 443');
      await page.getByRole('button', { name: 'Try again' }).click();
      expect(onretry).toHaveBeenCalledOnce();
    } finally {
      write.mockRestore();
    }
  });

  test('shows the text of a server as text, never as markup', async () => {
    const serverMessage = '<img src=x onerror="document.title=1">';
    await render(ErrorNotice, {
      error: new AppError('export-refused', serverMessage, { details: { serverMessage } }).toData(),
    });
    await expect.element(page.getByRole('alert')).toMatchTextContent('onerror');
    expect(document.querySelector('img')).toBeNull();
  });
});

describe('progress', () => {
  test('shows how much of the total is done, or no value if the total is unknown', async () => {
    const { rerender } = await render(ProgressBar, { label: 'Reading', done: 25, total: 100 });
    const bar = page.getByRole('progressbar', { name: 'Reading' });
    await expect.element(bar).toHaveAttribute('aria-valuenow', '25');
    await rerender({ label: 'Reading', done: 25, total: null });
    await expect.element(bar).not.toHaveAttribute('aria-valuenow');
  });

  test('shows amount, rate and remaining time, and measures each step separately', async () => {
    const now = vi.spyOn(performance, 'now');
    try {
      const at = (ms: number, progress: Progress) => {
        now.mockReturnValue(ms);
        return { label: 'Downloading', progress };
      };
      const bytes = { step: 'download', unit: 'bytes', total: 100_000_000 } as const;
      const { rerender } = await render(ProgressMeter, at(0, { ...bytes, done: 0 }));
      await expect.element(page.getByText('0 B of 100 MB')).toBeVisible();
      await rerender(at(2000, { ...bytes, done: 20_000_000 }));
      await expect.element(page.getByText('20 MB of 100 MB · 10 MB/s · 8 secs left')).toBeVisible();
      await rerender(at(4000, { step: 'read', unit: 'records', done: 10, total: null }));
      await expect.element(page.getByText('10 records', { exact: true })).toBeVisible();
      await rerender(at(6000, { step: 'read', unit: 'records', done: 1010, total: null }));
      await expect.element(page.getByText('1,010 records · 500 per second')).toBeVisible();
    } finally {
      now.mockRestore();
    }
  });
});

describe('a notification at the edge of the window', () => {
  test('disappears on its own unless it reports an error, and can offer one action', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const run = vi.fn();
      await render(ToastArea);
      toasts.show('good', 'It was removed.', { label: 'Undo', run });
      toasts.show('info', 'It goes on.');
      toasts.show('bad', 'It could not be saved.');
      await expect.element(page.getByRole('status')).toMatchTextContent('It was removed.');
      await vi.advanceTimersByTimeAsync(7000);
      expect(toasts.list.map(({ text }) => text)).toEqual(['It was removed.', 'It could not be saved.']);
      await page.getByRole('button', { name: 'Undo' }).click();
      expect(run).toHaveBeenCalledOnce();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(toasts.list.map(({ text }) => text)).toEqual(['It could not be saved.']);
      await userEvent.click(page.getByRole('button', { name: 'Dismiss' }));
      expect(toasts.list).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});
