/** @file The view of plans shows for each plan what it does, its next run, and the results of past runs. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { exampleInstance, keepAll } from '../../support/overview-examples.ts';
import { expectAccessible, fails, pending } from '../../support/window.ts';
import { button, card, exampleDays, examplePlanStatus, openPlans } from './plans.ts';

const payload = '<img src=x onerror="document.title=\'ran\'">';

test('the list of plans shows that it is loading', async () => {
  await openPlans({ 'plan.list': pending });
  await expect.element(page.getByText('Loading…')).toBeVisible();
  await expectAccessible();
});

test('a load error states what happened, and the list can be loaded again', async () => {
  const bridge = await openPlans({ 'plan.list': fails('catalogue-busy') });
  await expect.element(page.getByText('Another process keeps the catalogue busy.')).toBeVisible();
  bridge.answer('plan.list', { plans: [examplePlanStatus()] });
  await button('Try again').click();
  await expect.element(card('nightly')).toBeVisible();
});

test('an empty list offers to add a plan, or an instance if none has an account', async () => {
  await openPlans({ 'plan.list': { plans: [] } });
  await expect.element(page.getByText('No plans yet')).toBeVisible();
  await expectAccessible();
  await button('Add a plan…').last().click();
  expect(window.location.hash).toBe('#/plans?add=work');
  await openPlans({
    'plan.list': { plans: [] },
    'instance.list': { instances: [exampleInstance({ anonymous: true })] },
  });
  await button('Add an instance…').click();
  expect(window.location.hash).toBe('#/instances?add=instance');
});

test('a plan states in words what it does, when it runs, and when it ran last', async () => {
  await openPlans({
    'plan.list': {
      plans: [
        examplePlanStatus(
          {},
          {
            selection: {
              kind: 'rule',
              scope: 'member',
              group: 'atlas',
              topic: null,
              visibility: 'private',
              markedArchived: false,
              activeWithinDays: 30,
              starred: null,
              owned: null,
              name: payload,
              except: ['atlas/old'],
            },
            schedule: { kind: 'weekly', weekdays: [5, 1], at: '04:15', timeZone: 'UTC' },
            retention: { ...keepAll, keepLast: 3, withinDays: 2, weekly: 4, monthly: 12 },
          },
        ),
        examplePlanStatus(
          { nextRunAt: null, lastRun: null },
          { id: 'p2', name: 'off', enabled: false, instance: 'lab', skipUnchanged: false },
        ),
      ],
    },
  });
  const words = card('nightly');
  await expect
    .element(
      words.getByText(
        `Projects in atlas, called ${payload}, that are private, not marked as archived, active within 30 days, except atlas/old`,
      ),
    )
    .toBeVisible();
  await expect.element(words.getByText('Every Mon and Fri at 04:15 UTC')).toBeVisible();
  await expect
    .element(
      words.getByText(
        'Keeps the newest 3, everything of the last 2 days, one per week for 4 weeks and one per month for 12 months',
      ),
    )
    .toBeVisible();
  await expect.element(words.getByText('Skipped, for at most 7 days')).toBeVisible();
  await expect.element(card('off').getByText('Backed up each time')).toBeVisible();
  await expect.element(words.getByText(/Next run\s+in 5 hours/)).toBeVisible();
  await expect
    .element(words.getByRole('link', { name: '19 hours ago' }))
    .toHaveAttribute('href', '#/activity?run=r1');
  await expect.element(card('off').getByText('Switched off')).toBeVisible();
  await expect.element(card('off').getByText(/None yet/)).toBeVisible();
  expect(document.querySelector('img')).toBeNull();
  await expectAccessible();
});

test('the forecast of the next run is fetched on request and shows the first projects in the time zone of the plan', async () => {
  const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 1, 30 + minute)).toISOString();
  const bridge = await openPlans({
    'plan.list': {
      plans: [
        examplePlanStatus({}, { schedule: { kind: 'daily', at: '01:30', timeZone: 'UTC' } }),
        examplePlanStatus({ nextRunAt: null, lastRun: null }, { id: 'p2', name: 'off', enabled: false }),
      ],
    },
    'plan.forecast': {
      count: 1000,
      forecast: {
        startsAt: at(0),
        endsAt: at(160),
        known: 990,
        projects: Array.from({ length: 500 }, (_, index) => ({
          project: `group/p${index}`,
          startsAt: at(index / 6),
          endsAt: at(index / 6 + 2),
        })),
      },
    },
    'run.forecast': {
      forecast: {
        startsAt: at(-1440),
        endsAt: at(-1280),
        count: 990,
        known: 990,
        came: {
          endedAt: at(-1268),
          furthestOff: [{ project: 'group/big', expectedMs: 60_000, tookMs: 600_000 }],
        },
      },
    },
  });
  const words = card('nightly');
  await expect
    .element(
      words.getByText(
        /^The run ended 12 mins? later than expected .*group\/big took 10 mins? instead of 1 min\.$/,
      ),
    )
    .toBeVisible();
  await expect.element(words.getByText(/UTC, here /)).toBeVisible();
  expect(bridge.asked('plan.forecast')).toEqual([]);
  await words.getByText('Forecast of the next run').click();
  await expect
    .element(words.getByText(/^1,000 projects, from Sat,? 21 Nov 2026,? 01:30 to about 04:10 \(UTC\)\./))
    .toBeVisible();
  await expect.element(words.getByText(/^Local start: Sat,? 21 Nov 2026,? 02:30\.$/)).toBeVisible();
  await expect.element(words.getByText(/^10 projects were never backed up/)).toBeVisible();
  await expect.element(words.getByRole('row', { name: /^group\/p6 .*01:31 01:33$/ })).toBeVisible();
  expect(words.getByRole('row').elements()).toHaveLength(21);
  await expect.element(words.getByText('and 980 more')).toBeVisible();
  await expectAccessible();
  expect(card('off').getByText('Forecast of the next run').elements()).toEqual([]);
  bridge.answer('plan.forecast', { count: 4, forecast: null });
  bridge.emit('plan.changed', { planId: 'p1', revision: 2 });
  await expect.element(words.getByText(/^4 projects\. The duration is unknown/)).toBeVisible();
  bridge.answer('plan.forecast', fails('token-missing'));
  bridge.emit('plan.changed', { planId: 'p1', revision: 3 });
  await expect.element(words.getByRole('alert')).toBeVisible();
});

test('an overdue plan has its own state and shows the reason', async () => {
  const error = { code: 'token-expired', message: 'x', retry: 'never', details: {} } as const;
  await openPlans({
    'plan.list': {
      plans: [examplePlanStatus({ overdue: { since: '2026-11-19T23:30:00.000Z', error } })],
    },
    // The day still links to an earlier run.
    'plan.history': {
      plans: [
        {
          planId: 'p1',
          days: exampleDays({ outcome: 'succeeded', runId: 'r1' }, { outcome: 'succeeded', runId: 'r2' }),
        },
      ],
    },
  });
  await expect.element(card('nightly').getByText('Overdue', { exact: true })).toBeVisible();
  await expect.element(card('nightly').getByText('The token has expired.')).toBeVisible();
  const days = page.getByRole('toolbar', { name: 'The last days of nightly' });
  await expect
    .element(days.getByRole('link', { name: '20 Nov 2026: overdue', exact: true }))
    .toHaveTextContent('«');
  await expect.element(days.getByRole('link', { name: '19 Nov 2026: done' })).toBeVisible();
  const legend = page.getByRole('list', { name: 'What the days mean' });
  await expect.element(legend.getByRole('listitem').filter({ hasText: 'Overdue' })).toBeVisible();
  await expect
    .element(card('nightly').getByText(/Was due\s+Fri,? 20 Nov 2026,? 00:30 Europe\/Berlin$/))
    .toBeVisible();
  await expectAccessible();
});

test('each day shows its state by a symbol and in words, and a day with a run opens that run', async () => {
  await openPlans({
    'plan.history': {
      plans: [
        {
          planId: 'p1',
          days: exampleDays(
            { outcome: 'succeeded', runId: 'r1' },
            { outcome: 'partly-failed', runId: 'r2' },
            { outcome: 'warnings', runId: 'r3' },
            { outcome: 'missed', runId: null },
            { outcome: 'running', runId: 'r5' },
          ),
        },
      ],
    },
  });
  const strip = page.getByRole('toolbar', { name: 'The last days of nightly' });
  const day = (name: string) => strip.getByRole('link', { name });
  await expect.element(strip.getByRole('img', { name: '19 Nov 2026: missed' })).toHaveTextContent('?');
  await expect.element(day('17 Nov 2026: partly failed')).toHaveTextContent('½');
  expect(strip.getByRole('img', { name: /nothing was due$/ }).elements()).toHaveLength(25);
  const legend = page.getByRole('list', { name: 'What the days mean' });
  expect(
    legend
      .getByRole('listitem')
      .elements()
      .map((item) => item.textContent.trim().replace(/\s+/g, ' ')),
  ).toEqual(['✓ Done', '! Done with warnings', '½ Partly failed', '? Missed', '… Running']);
  await expectAccessible();

  // The days are one tab stop; arrow keys move from run to run.
  (day('20 Nov 2026: running').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(day('18 Nov 2026: done with warnings')).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(day('16 Nov 2026: done')).toHaveFocus();
  expect(strip.element().querySelectorAll('a[tabindex="0"]')).toHaveLength(1);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => window.location.hash).toBe('#/activity?run=r1');
});

test('an address that names a plan focuses that plan and scrolls to it, even behind many others', async () => {
  const plans = Array.from({ length: 12 }, (_, at) =>
    examplePlanStatus({}, { id: `p${at}`, name: `plan ${at}` }),
  );
  await openPlans({ 'plan.list': { plans } }, { parameters: { plan: 'p9' } });
  const heading = page.getByRole('heading', { name: 'plan 9' });
  await expect.element(heading).toHaveFocus();
  await expect.element(heading).toBeInViewport();
});
