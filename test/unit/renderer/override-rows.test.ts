import { expect, test } from 'vitest';
import { paramsOf, rowError } from '../../../src-renderer/views/shared/forms/override-rows.ts';

const errorOf = (key: string, value: string): string | null => rowError([{ key, value }], 0);

test('a name that is no attribute of a project is rejected in the form, and the most similar name is suggested', () => {
  expect(errorOf('visiblity', 'private')).toContain('The most similar name is "visibility"');
  expect(paramsOf([{ key: 'visiblity', value: 'private' }])).toBeNull();
});

test('a name that is an attribute of a project is accepted', () => {
  expect(errorOf('visibility', 'private')).toBeNull();
  expect(paramsOf([{ key: ' visibility ', value: 'private' }])).toEqual({ visibility: 'private' });
});
