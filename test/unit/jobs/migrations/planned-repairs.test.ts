import { describe, expect, it } from 'vitest';
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import {
  repairOfRecord,
  repairOfSetting,
} from '../../../../src-main/jobs/migrations/repairing/planned-repairs.ts';
import { repairStateOf } from '../../../../src-main/jobs/migrations/repairing/repair-state.ts';

const lostField = (
  relation: string,
  name: string,
  values: { expected: string; found: string },
  more: Partial<MissingRecord> = {},
): MissingRecord => ({
  ...{ relation, lost: 'on-import', line: 0, iid: 7, title: 'Seven', part: { name, values } },
  ...more,
});

describe('the repair of a lost record', () => {
  it.each([
    ['issues', 'state', 'closed', { state_event: 'close' }],
    ['issues', 'confidential', true, { confidential: true }],
    ['issues', 'description', null, { description: '' }],
    ['issues', 'weight', null, { weight: null }],
    ['merge_requests', 'title', 'Better', { title: 'Better' }],
    ['milestones', 'state', 'active', { state_event: 'activate' }],
  ])('of %s edits %s', (relation, field, value, body) => {
    const expected = value === null ? '' : String(value);
    const loss = lostField(relation, field, { expected, found: 'other' });
    expect(repairOfRecord(loss, { iid: 7, [field]: value })).toEqual({
      ...{ relation, key: '7', field, expected, found: 'other', body },
    });
  });

  it('never sets the state of a merged merge request, a vote or a time', () => {
    const values = { expected: 'merged', found: 'opened' };
    expect(repairOfRecord(lostField('merge_requests', 'state', values), { state: 'merged' })).toBe(
      'no-request',
    );
    expect(repairOfRecord(lostField('issues', 'upvotes', { expected: '2', found: '0' }), {})).toBe(
      'no-request',
    );
    expect(repairOfRecord(lostField('issues', 'created_at', values), {})).toBe('no-request');
  });

  it('is none if the value is unknown, or the source has another one now', () => {
    const loss = lostField('issues', 'title', { expected: 'Old', found: 'Lost' }, { lost: 'on-export' });
    expect(repairOfRecord(loss, null)).toBe('no-value');
    expect(repairOfRecord(loss, { title: 'New' })).toBe('source-changed');
    expect(repairOfRecord(loss, { title: 'Old' })).toMatchObject({ body: { title: 'Old' } });
  });

  it('adds a protection only if roles have all of its rights', () => {
    const loss = {
      ...lostField('protected_branches', '', { expected: '', found: '' }),
      iid: null,
      part: null,
    };
    const record = (level: object, more: object = {}) => ({
      ...{ name: 'main', push_access_levels: [level], merge_access_levels: [{ access_level: 30 }] },
      ...more,
    });
    expect(repairOfRecord(loss, record({ access_level: 0 }, { allow_force_push: true }))).toMatchObject({
      field: null,
      body: { name: 'main', push_access_level: 0, merge_access_level: 30, allow_force_push: true },
    });
    expect(repairOfRecord(loss, record({ access_level: 40, user_id: 5 }))).toBe('no-request');
    expect(repairOfRecord(loss, record({ access_level: 40, deploy_key_id: 5 }))).toBe('no-request');
  });

  it('gives a protection all of its rights again', () => {
    const loss = lostField(
      'protected_tags',
      'create access level',
      { expected: '30', found: '40' },
      { iid: null, title: 'v*' },
    );
    const record = { name: 'v*', create_access_levels: [{ access_level: 30 }] };
    expect(repairOfRecord(loss, record)).toEqual({
      ...{ relation: 'protected_tags', key: 'v*', field: 'create access level', expected: '30', found: '40' },
      body: { name: 'v*', create_access_level: 30 },
    });
    expect(repairOfRecord(loss, { ...record, create_access_levels: [{ access_level: 0 }] })).toBe(
      'source-changed',
    );
  });

  it('imports whole issues again instead of adding them', () => {
    expect(repairOfRecord({ ...lostField('issues', '', { expected: '', found: '' }), part: null }, {})).toBe(
      'import-again',
    );
  });
});

describe('the repair of a setting', () => {
  const setting = (attribute: string, expected: string, found: string) =>
    repairOfSetting({ attribute, expected, found, lost: 'on-import' });

  it('sends the value with its type', () => {
    expect(setting('visibility', 'private', 'public')).toMatchObject({ body: { visibility: 'private' } });
    expect(setting('lfs_enabled', 'false', 'true')).toMatchObject({ body: { lfs_enabled: false } });
    expect(setting('build_timeout', '7200', '3600')).toMatchObject({ body: { build_timeout: 7200 } });
  });

  it('is none for an attribute that no edit accepts, and for a value of another type', () => {
    expect(setting('container_expiration_policy.cadence', '7d', '1d')).toBe('no-request');
    expect(setting('build_timeout', '', '3600')).toBe('no-request');
  });
});

describe('the state of a repair', () => {
  const edit = {
    ...{ relation: 'issues' as const, key: '7', field: 'title', body: {} },
    ...{ expected: 'Right', found: 'Lost' },
  };

  it.each([
    ['Lost', 'open'],
    ['Right', 'done'],
    ['Edited by a person', 'changed'],
  ])('of a title %s is %s', (title, state) => {
    expect(repairStateOf(edit, { title })).toBe(state);
  });

  it('is open for a record to add until it exists', () => {
    const addition = { ...edit, relation: 'labels' as const, field: null, found: null };
    expect(repairStateOf(addition, null)).toBe('open');
    expect(repairStateOf(addition, { name: '7' })).toBe('done');
  });

  it('of a protection is open without it, because it is removed before it is added', () => {
    const right = {
      ...edit,
      relation: 'protected_branches' as const,
      field: 'force push',
      expected: '0',
      found: '1',
    };
    expect(repairStateOf(right, null)).toBe('open');
    expect(repairStateOf(right, { name: 'main', allow_force_push: true })).toBe('open');
    expect(repairStateOf(right, { name: 'main', allow_force_push: false })).toBe('done');
  });

  it('is gone without the record or the field', () => {
    expect(repairStateOf(edit, null)).toBe('gone');
    expect(repairStateOf(edit, {})).toBe('gone');
  });
});
