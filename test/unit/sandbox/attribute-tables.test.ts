/**
 * @file Compares the sandbox's table of attributes, the product's, and GitLab's own description. They are written
 * separately, so that a wrong name in one of them is noticed.
 */
import { describe, expect, test } from 'vitest';
import {
  acceptedAttributes,
  type Attribute,
  type AttributeUse,
} from '../../../src-main/sandbox/projects/attribute-table.ts';
import {
  projectAttributes,
  type Attribute as ProductAttribute,
} from '../../../src-contract/projects/project-attributes.ts';
import { described, withoutDescription } from '../../support/openapi/description.ts';

const accepted = new Map(acceptedAttributes.map((attribute) => [attribute.name, attribute]));
const namesOf = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name).toSorted();
const minus = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name));

test('the sandbox lists each attribute once, and replaces each deprecated one by a listed one that is not deprecated', () => {
  expect(accepted.size).toBe(acceptedAttributes.length);
  for (const { name, replacedBy } of acceptedAttributes) {
    if (replacedBy === undefined) continue;
    expect(accepted.has(replacedBy), name).toBe(true);
    expect(accepted.get(replacedBy)?.replacedBy, name).toBeUndefined();
  }
});

describe('the sandbox accepts what the product offers', () => {
  /** Texts for which the sandbox accepts only a few values. */
  const freeText = ['build_git_strategy', 'repository_object_format'];
  const tiers = { higher: 'premium', highest: 'ultimate' } as const;

  test.each(projectAttributes.map((attribute) => [attribute.name, attribute] as const))(
    '%s',
    (name, product) => {
      const sandbox = accepted.get(name);
      expect(sandbox, 'the sandbox has no attribute of this name').toBeDefined();
      const facts = ({ type, tier, since, administratorsOnly, replacedBy }: ProductAttribute) => ({
        type: type === 'text' && freeText.includes(name) ? 'choice' : type,
        tier: tier === undefined ? undefined : tiers[tier],
        since,
        administratorsOnly,
        replacedBy,
      });

      expect(sandbox).toMatchObject(withoutUndefined(facts(product)));
      expect(sandbox?.uses).toEqual(expect.arrayContaining([...product.uses]));
      expect(sandbox?.values ?? []).toEqual(expect.arrayContaining([...(product.values ?? [])]));
      expect(namesOf(sandbox?.fields ?? [])).toEqual(namesOf(product.fields ?? []));
    },
  );

  test('and nothing else', () => {
    expect(namesOf(acceptedAttributes)).toEqual(namesOf(projectAttributes));
  });

  const withoutUndefined = (fields: object): object =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
});

describe.skipIf(withoutDescription)("the sandbox accepts what GitLab's description contains", () => {
  const operations: Record<AttributeUse, string> = {
    create: 'POST /projects',
    createFor: 'POST /projects/user/{user_id}',
    edit: 'PUT /projects/{id}',
  };
  /** Differences for which the specification is correct. */
  const differences: Record<AttributeUse, { more: string[]; less: string[] }> = {
    create: { more: ['merge_pipelines_enabled', 'merge_trains_enabled'], less: [] },
    createFor: { more: [], less: ['container_expiration_policy_attributes', 'template_project_id'] },
    edit: { more: [], less: [] },
  };
  const parametersOf = (use: AttributeUse) =>
    Object.entries(described[operations[use]]?.params ?? {}).filter(([, { in: place }]) => place !== 'path');
  const acceptedFor = (use: AttributeUse): Attribute[] =>
    acceptedAttributes.filter(({ uses }) => uses.includes(use));

  test.each(['create', 'createFor', 'edit'] as const)('%s: the same names', (use) => {
    const official = parametersOf(use).map(([name]) => name);
    const own = namesOf(acceptedFor(use));

    expect(minus(own, official)).toEqual(differences[use].more);
    expect(minus(official, own).toSorted()).toEqual(differences[use].less);
  });

  test.each(['create', 'createFor', 'edit'] as const)('%s: the same types and values', (use) => {
    const typeOf: Record<Attribute['type'], string> = {
      boolean: 'boolean',
      integer: 'integer',
      text: 'string',
      choice: 'string',
      list: 'array',
      hash: 'object',
      file: 'file',
    };
    for (const [name, parameter] of parametersOf(use)) {
      const own = acceptedFor(use).find((attribute) => attribute.name === name);
      if (own === undefined) continue;
      expect([name, typeOf[own.type]]).toEqual([name, parameter.type]);
      if (parameter.enum === undefined) continue;
      expect([name, own.values?.toSorted()]).toEqual([name, parameter.enum.map(String).toSorted()]);
    }
  });
});
