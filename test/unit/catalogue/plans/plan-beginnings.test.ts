import { beforeEach, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src-main/catalogue/database.ts';
import { heartbeatMs, PlanPreparations } from '../../../../src-main/catalogue/plans/plan-preparations.ts';
import { ownIdentity } from '../../../../src-main/platform/process-identity.ts';
import { catalogueForTest } from '../../../support/catalogue/catalogue.ts';

const began = Date.UTC(2026, 10, 20, 2, 30);
/** Higher than any process id. */
const noPid = 2 ** 30;

let catalogue: Catalogue;
let ours: PlanPreparations;
/** A process on another machine. */
let elsewhere: PlanPreparations;
beforeEach(() => {
  catalogue = catalogueForTest();
  ours = new PlanPreparations(catalogue);
  elsewhere = new PlanPreparations(catalogue, { ...ownIdentity(), bootId: 'another boot' });
});

test('a plan has one preparation at a time, in whichever process, until the process that began it ends it', () => {
  expect(elsewhere.begin('p1', began)).toBe(true);
  expect([ours.begin('p1', began), elsewhere.begin('p1', began), ours.begin('p2', began)]).toEqual([
    false,
    false,
    true,
  ]);
  const first = { planId: 'p1', beganAt: began, cancelledBy: null };
  expect(ours.findForPlan('p1', began)).toEqual(first);
  expect(ours.list(began)).toEqual([first, { ...first, planId: 'p2' }]);
  ours.end('p1');
  expect(ours.findForPlan('p1', began)).toEqual(first);
  elsewhere.end('p1');
  expect(ours.findForPlan('p1', began)).toBeNull();
});

test('a preparation of a dead process does not count', () => {
  const dead = new PlanPreparations(catalogue, { ...ownIdentity(), pid: noPid });
  dead.begin('p1', began);
  expect([ours.findForPlan('p1', began), ours.list(began)]).toEqual([null, []]);
  expect(ours.cancel('p1', 'somebody', began)).toBe(false);
  expect(ours.begin('p1', began)).toBe(true);
  dead.end('p1');
  expect(ours.findForPlan('p1', began)).not.toBeNull();
});

test('a preparation of a process on another machine counts until it misses heartbeats for three intervals', () => {
  elsewhere.begin('p1', began);
  expect(ours.findForPlan('p1', began + 3 * heartbeatMs)).not.toBeNull();
  expect(ours.findForPlan('p1', began + 3 * heartbeatMs + 1)).toBeNull();
  elsewhere.heartbeat('p1', began + 2 * heartbeatMs);
  expect(ours.findForPlan('p1', began + 5 * heartbeatMs)).toMatchObject({ beganAt: began });
});

test('a preparation of a living process on this machine counts even without heartbeats', () => {
  ours.begin('p1', began);
  const later = began + 60 * heartbeatMs;
  expect([
    ours.findForPlan('p1', later)?.beganAt,
    new PlanPreparations(catalogue).begin('p1', later),
  ]).toEqual([began, false]);
});

test('a preparation keeps the name of the first user who cancelled it', () => {
  elsewhere.begin('p1', began);
  expect([ours.cancel('p1', 'one', began), ours.cancel('p1', 'another', began)]).toEqual([true, true]);
  expect(elsewhere.findForPlan('p1', began)?.cancelledBy).toBe('one');
});
