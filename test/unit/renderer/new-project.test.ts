/** @file The form for a new project: the path derived from a name, the groups of attributes, the fields of an error. */
import { describe, expect, test } from 'vitest';
import { AppError, type ErrorDetails } from '../../../src-contract/errors.ts';
import { checkAttributes } from '../../../src-contract/projects/project-attribute-values.ts';
import { attributesFor, attributeUses } from '../../../src-contract/projects/project-attributes.ts';
import { fieldErrorsFrom } from '../../../src-renderer/views/projects/panel/changing/attribute-errors.ts';
import { groupedAttributes } from '../../../src-renderer/views/projects/panel/changing/attribute-groups.ts';
import { slugifyName } from '../../../src-renderer/views/projects/panel/changing/slugify-name.ts';

test.each([
  ['North Star', 'north-star'],
  ['compass', 'compass'],
  ['Compass_2.0', 'Compass_2.0'],
  ['Żóbr & Co.', 'zobr-co'],
  ['  - odd -- name - ', 'odd-name'],
  ['.hidden', 'hidden'],
  ['星', ''],
  ['', ''],
])('the path derived from the name "%s" is "%s"', (name, path) => {
  expect(slugifyName(name)).toBe(path);
});

test('a path derived from a name is valid', () => {
  for (const name of ['North Star', 'a--b', '_x_', '9 lives!', 'ÀÉÎ õü', 'x'.repeat(90)]) {
    expect(() => checkAttributes('create', { path: slugifyName(name) })).not.toThrow();
  }
});

describe.each(attributeUses)('the form for %s', (use) => {
  test('has every attribute once, except deprecated ones and the namespace', () => {
    const names = groupedAttributes(use).map(({ attribute }) => attribute.name);
    const expected = attributesFor(use).filter(
      ({ name, deprecated }) => deprecated !== true && name !== 'namespace_id',
    );
    expect(names).toEqual(expected.map(({ name }) => name));
  });
});

test('the attributes of the initial repository are one group, for new projects only', () => {
  const startAttributes = (use: 'create' | 'edit') =>
    groupedAttributes(use).flatMap(({ attribute, group }) => (group === 'start' ? [attribute.name] : []));
  expect(startAttributes('create')).toContain('initialize_with_readme');
  expect(startAttributes('create')).toContain('default_branch');
  expect(startAttributes('edit')).toEqual([]);
});

describe('an error is shown at the fields that it concerns', () => {
  const fields = (code: ConstructorParameters<typeof AppError>[0], details: ErrorDetails = {}) =>
    Object.keys(
      fieldErrorsFrom(new AppError(code, 'no', { details }).toData(), [
        'name',
        'path',
        'visibility',
        'build_timeout',
      ]),
    );

  test.each([
    ['path-taken', {}, ['path']],
    ['name-taken', {}, ['name']],
    ['namespace-missing', {}, ['namespace']],
    ['not-found', {}, ['forUser']],
    ['invalid-input', { attributes: 'name, path' }, ['name', 'path']],
    ['request-refused', { serverMessage: 'namespace is not valid' }, ['namespace']],
    [
      'request-refused',
      {
        serverMessage:
          'visibility_level public is not allowed in a private group., build_timeout needs to be between',
      },
      ['visibility', 'build_timeout'],
    ],
    ['request-refused', { serverMessage: 'the name is odd' }, []],
    ['request-refused', {}, []],
    ['forbidden', { serverMessage: 'name' }, []],
  ] as const)('%s with the details %j is shown at %j', (code, details, expected) => {
    expect(fields(code, details)).toEqual(expected);
  });

  test('without an error no field shows one', () => {
    expect(fieldErrorsFrom(null, ['name'])).toEqual({});
  });
});
