import { expect, test } from 'vitest';
import { projectAttributes } from '../../../../src-contract/projects/project-attributes.ts';
import {
  labelOfField,
  attributeTextOf,
} from '../../../../src-renderer/views/projects/panel/changing/attribute-names.text.ts';
import { groupedAttributes } from '../../../../src-renderer/views/projects/panel/changing/attribute-groups.ts';

const offered = [...new Set((['create', 'createFor', 'edit'] as const).flatMap(groupedAttributes))];

test('every attribute that the form offers has its own label, which is not its name in GitLab', () => {
  for (const use of ['create', 'createFor', 'edit'] as const) {
    for (const group of new Set(groupedAttributes(use).map((entry) => entry.group))) {
      const labels = groupedAttributes(use)
        .filter((entry) => entry.group === group)
        .map(({ attribute }) => attributeTextOf(attribute.name).label);
      expect(new Set(labels).size).toBe(labels.length);
    }
  }
  const bare = offered
    .map(({ attribute }) => attribute.name)
    .filter((name) => attributeTextOf(name).label === name);
  expect(bare).toEqual([]);
});

test('every part of an attribute that the form offers has a label', () => {
  const fields = projectAttributes.flatMap(({ fields = [] }) =>
    fields.filter((entry) => entry.replacedBy === undefined),
  );
  expect(fields.filter(({ name }) => labelOfField(name) === name)).toEqual([]);
  expect(fields.length).toBeGreaterThan(0);
});
