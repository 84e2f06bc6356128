import { expect, test } from 'vitest';
import { paramsOf, rowError } from '../../../src-renderer/views/shared/forms/override-rows.ts';

const wrong = (key: string, value: string): string | null => rowError([{ key, value }], 0);

test('a name that no edit of a project knows is refused in the form, with the one that was meant', () => {
  expect(wrong('visiblity', 'private')).toContain('The most similar name is "visibility"');
  expect(paramsOf([{ key: 'visiblity', value: 'private' }])).toBeNull();
});

test('a setting that an edit knows is taken', () => {
  expect(wrong('visibility', 'private')).toBeNull();
  expect(paramsOf([{ key: ' visibility ', value: 'private' }])).toEqual({ visibility: 'private' });
});
