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

  it('never sets what has a time or an author: a state, a vote or a time', () => {
    const values = { expected: 'closed', found: 'opened' };
    for (const [relation, name] of [
      ['issues', 'state'],
      ['merge_requests', 'state'],
      ['issues', 'upvotes'],
      ['issues', 'created_at'],
    ] as const) {
      expect(repairOfRecord(lostField(relation, name, values), { iid: 7, [name]: 'closed' })).toBe(
        'no-request',
      );
    }
  });

  it('adds labels, so that those of people stay, and sends no description that GitLab would carry out', () => {
    const labels = lostField('issues', 'labels', { expected: 'bug, ui', found: 'ui' });
    const links = ['bug', 'ui'].map((title) => ({ label: { title } }));
    expect(repairOfRecord(labels, { iid: 7, label_links: links })).toMatchObject({
      body: { add_labels: ['bug', 'ui'] },
    });
    const description = 'Text\n/close';
    const text = lostField('issues', 'description', { expected: description, found: '' });
    expect(repairOfRecord(text, { iid: 7, description })).toBe('no-request');
  });

  it('takes its value only from the lost record', () => {
    const loss = lostField('issues', 'title', { expected: 'Right', found: 'Lost' });
    expect(repairOfRecord(loss, { iid: 8, title: 'Right' })).toBe('no-value');
    const branch = {
      ...lostField('protected_branches', '', { expected: '', found: '' }),
      iid: null,
      title: 'main',
    };
    const other = { name: 'other', push_access_levels: [{ access_level: 40 }] };
    expect(repairOfRecord({ ...branch, part: null }, other)).toBe('no-value');
    const milestone = lostField(
      'milestones',
      'title',
      { expected: '7', found: '8' },
      { iid: null, title: '7' },
    );
    expect(repairOfRecord(milestone, { title: '7' })).toBe('no-name');
  });

  it('is none if the value is unknown, or the source has another one now', () => {
    const loss = lostField('issues', 'title', { expected: 'Old', found: 'Lost' }, { lost: 'on-export' });
    expect(repairOfRecord(loss, null)).toBe('no-value');
    expect(repairOfRecord(loss, { iid: 7, title: 'New' })).toBe('source-changed');
    expect(repairOfRecord(loss, { iid: 7, title: 'Old' })).toMatchObject({ body: { title: 'Old' } });
  });

  it('adds a protection only if roles have all of its rights', () => {
    const loss = {
      ...lostField('protected_branches', '', { expected: '', found: '' }),
      ...{ iid: null, title: 'main', part: null },
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

  it('does not change the rights of an existing protection, to which people may have added some', () => {
    const values = { expected: '40', found: '30' };
    const loss = lostField('protected_tags', 'create access level', values, { iid: null, title: 'v*' });
    expect(repairOfRecord(loss, { name: 'v*', create_access_levels: [{ access_level: 40 }] })).toBe(
      'no-request',
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

  it('compares texts exactly, and switches by their meaning', () => {
    const text = { ...edit, field: 'description', expected: 'false', found: '' };
    expect(repairStateOf(text, { description: '' })).toBe('open');
    const setting = {
      ...edit,
      relation: 'settings' as const,
      field: 'lfs_enabled',
      expected: 'false',
      found: 'true',
    };
    expect(repairStateOf(setting, { lfs_enabled: null })).toBe('done');
  });

  it('of labels is done once the target has each of them', () => {
    const labels = { ...edit, field: 'labels', expected: 'bug, ui', found: 'ui' };
    expect(repairStateOf(labels, { labels: ['ui', 'more'] })).toBe('open');
    expect(repairStateOf(labels, { labels: ['more', 'ui', 'bug'] })).toBe('done');
  });

  it('of a label is never one of a group', () => {
    const color = {
      ...edit,
      relation: 'labels' as const,
      field: 'color',
      expected: '#111111',
      found: '#222222',
    };
    const ofGroup = { name: '7', color: '#222222', is_project_label: false };
    expect(repairStateOf(color, ofGroup)).toBe('gone');
    expect(repairStateOf({ ...color, field: null, found: null }, ofGroup)).toBe('changed');
  });

  it('is gone without the record or the field', () => {
    expect(repairStateOf(edit, null)).toBe('gone');
    expect(repairStateOf(edit, {})).toBe('gone');
  });
});
