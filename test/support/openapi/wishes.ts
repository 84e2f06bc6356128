/**
 * @file A value for each described attribute of a project, and the field by which the sandbox shows that it was stored.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Parameter } from './description.ts';
import type { OpenApiScene, Row } from './scene.ts';
import { otherValue } from './values.ts';

export interface AttributeCase {
  value: unknown;
  /** Other required parameters. */
  otherParameters: Row;
  isStored(row: Row): boolean | Promise<boolean>;
}

/** Fields that show the effect of a parameter of another name. */
const shownAs: Record<string, string> = { public_builds: 'public_jobs' };

/** @param before the project, or a similar one, before the request. @param isNew whether the project is created. */
export async function attributeCase(
  scene: OpenApiScene,
  name: string,
  parameter: Parameter,
  before: Row,
  isNew: boolean,
): Promise<AttributeCase> {
  const field = shownAs[name] ?? name;
  const special = await specialWish(scene, name, isNew);
  const value = special?.value ?? otherValue(parameter, before[field]);
  const isShown = (row: Row): boolean => isDeepStrictEqual(row[field], value);
  return {
    value,
    otherParameters: {},
    async isStored(row) {
      if (isShown(row)) return true;
      // Some attributes are stored but not part of the record, or only of a fork's.
      const { attributes } = await scene.sandbox.state.project(String(row['path_with_namespace']));
      return !Object.hasOwn(row, field) && isDeepStrictEqual(attributes[name], value);
    },
    ...special,
  };
}

async function specialWish(
  scene: OpenApiScene,
  name: string,
  isNew: boolean,
): Promise<Partial<AttributeCase> | null> {
  const template = { use_custom_template: true, template_name: 'compass' };
  const isCloned = (row: Row): boolean => row['import_status'] !== 'none';
  const group = async (path: string) => (await scene.row('GET', `/groups/${path}`))['id'];
  switch (name) {
    case 'name':
    case 'path':
      return { value: scene.name() };
    case 'default_branch':
      return isNew
        ? { value: 'trunk', otherParameters: { initialize_with_readme: true } }
        : { value: (await scene.branches(scene.edited)).find((branch) => branch !== 'main') };
    case 'namespace_id': {
      const value = await group('borealis');
      return { value, isStored: (row) => (row['namespace'] as Row)['id'] === value };
    }
    case 'initialize_with_readme':
      return { value: true, isStored: (row) => row['empty_repo'] === false };
    case 'import_url':
      return isNew
        ? { value: `${scene.sandbox.url}/atlas/compass.git`, isStored: isCloned }
        : { value: 'https://origin.example/a.git' };
    case 'template_name':
      return { value: 'rails', isStored: (row) => row['empty_repo'] === false };
    case 'use_custom_template':
      return { value: true, otherParameters: template, isStored: isCloned };
    case 'template_project_id': {
      const { id } = await scene.row('GET', '/projects/atlas%2Fcompass');
      return { value: id, otherParameters: { use_custom_template: true }, isStored: isCloned };
    }
    case 'group_with_project_templates_id':
      return { value: await group('atlas'), otherParameters: template, isStored: isCloned };
    case 'avatar':
      return {
        value: new File(['image'], 'face.png'),
        isStored: (row) => String(row['avatar_url']).endsWith('/face.png'),
      };
    case 'ci_restrict_pipeline_cancellation_role':
      // Described as a text; gitlab-facts 14.3 has three words for it.
      return { value: 'maintainer' };
    case 'container_expiration_policy_attributes':
      return { value: { keep_n: 25 }, isStored: (row) => policyOf(row)['keep_n'] === 25 };
    default:
      return null;
  }
}

/** Returns a part of the expiration policy, because imports describe each part separately. */
export function policyCase(part: string, parameter: Parameter): AttributeCase {
  const value = otherValue(parameter, false);
  return { value, otherParameters: {}, isStored: (row) => isDeepStrictEqual(policyOf(row)[part], value) };
}

const policyOf = (row: Row): Row => row['container_expiration_policy'] as Row;
