import { expect, test } from 'vitest';
import {
  noteRefusal,
  RelationValidator,
  dropInvalidNotes,
} from '../../../../src-main/sandbox/importing/import-checks.ts';

const time = '2024-01-01T00:00:00.000Z';

test.each([
  ['issues', { title: 'One', iid: 1, created_at: time }, null],
  ['issues', { iid: 1 }, "title can't be blank"],
  ['issues', { title: ' ', iid: 1 }, "title can't be blank"],
  ['issues', { title: 'x'.repeat(255), iid: 1 }, null],
  ['issues', { title: 'x'.repeat(256), iid: 1 }, 'title is too long'],
  ['issues', { title: '🐢'.repeat(255), iid: 1 }, null],
  ['issues', { title: 'One', iid: 1, due_date: 'NOT A DATE' }, 'due_date is not a date'],
  ['merge_requests', { title: 'One', iid: 1 }, null],
  ['merge_requests', { title: null, iid: 1 }, "title can't be blank"],
  ['milestones', { title: null, iid: 1, created_at: 'NOT A DATE' }, "title can't be blank"],
  ['milestones', { title: 'One', iid: 1, created_at: 'NOT A DATE' }, 'created_at is not a date'],
  ['labels', { title: 'bug', color: '#f00' }, null],
  ['labels', { title: 'bug', color: '#FF0000' }, null],
  ['labels', { title: 'bug', color: 'reddish' }, 'color must be a valid color code'],
  ['labels', { title: 'bug' }, 'color must be a valid color code'],
  ['releases', { name: 'no tag' }, "tag can't be blank"],
  ['releases', { tag: 'v1', released_at: 'soon' }, 'released_at is not a date'],
  ['commit_notes', { note: '' }, "note can't be blank"],
  ['ci_pipelines', { iid: 1, sha: 'abc' }, null],
  ['something_new', { anything: 'goes' }, null],
  ['something_new', 'a text', 'not an object'],
])('the validation of %s %o returns the reason: %s', (relation, record, reason) => {
  expect(new RelationValidator(relation).validate(record)?.reason ?? null).toBe(reason);
});

test('only saved records occupy an iid', () => {
  const check = new RelationValidator('milestones');

  expect(check.validate({ title: null, iid: 1 })).not.toBeNull();
  expect(check.validate({ title: 'First', iid: 1 })).toBeNull();
  expect(check.validate({ title: 'Second', iid: 1 })?.exceptionClass).toBe('ActiveRecord::RecordNotUnique');
  expect(check.validate({ title: 'Third', iid: 2 })).toBeNull();
});

test.each([
  [{ note: 'text' }, null],
  [{ note: '' }, "note can't be blank"],
  [{}, "note can't be blank"],
  [{ note: 'text', type: 'DiffNote' }, "position can't be blank"],
  [{ note: 'text', type: 'DiffNote', position: null }, "position can't be blank"],
  [{ note: 'text', type: 'DiffNote', position: { new_line: 1 } }, null],
  [{ note: 'text', type: 'LegacyDiffNote' }, null],
])('the validation of the note %o returns the reason: %s', (note, reason) => {
  expect(noteRefusal(note)).toBe(reason);
});

test('only the invalid notes of a record are dropped, and a valid record is not changed', () => {
  const good = { note: 'kept' };

  expect(dropInvalidNotes({ title: 'One', notes: [good] })).toBeNull();
  expect(dropInvalidNotes({ title: 'One', notes: [good, { note: '' }] })).toEqual({
    record: { title: 'One', notes: [good] },
    dropped: ["note can't be blank"],
  });
});
