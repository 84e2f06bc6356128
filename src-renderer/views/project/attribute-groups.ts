/** @file How the attributes of a project are put together in the form, so that a long table can be looked through. */
import { attributesFor, type Attribute } from '../../../src-preload/contract/project-attributes.ts';

export const attributeGroups = [
  'general',
  'features',
  'merging',
  'pipelines',
  'templates',
  'mirroring',
  'more',
] as const;
export type AttributeGroup = (typeof attributeGroups)[number];

const general = ['name', 'path', 'description', 'visibility', 'default_branch', 'topics', 'avatar'];

/** Tried in this order; what fits none is `more`. */
const rules: [AttributeGroup, RegExp][] = [
  ['features', /_access_level$|^(lfs|packages|service_desk|emails|request_access)_enabled$/],
  ['templates', /_template$|_message$/],
  ['mirroring', /mirror/],
  [
    'pipelines',
    /^(ci|build|auto_devops|auto_cancel)_|runners_enabled|pipeline|public_jobs|latest_artifact|user_defined_variables/,
  ],
  ['merging', /merge|squash|discussions|jira|mr_/],
];

const groupOf = ({ name }: Attribute): AttributeGroup =>
  general.includes(name) ? 'general' : (rules.find(([, pattern]) => pattern.test(name))?.[0] ?? 'more');

const allOnlyMerge = /^only_allow_merge|^allow_merge|^merge_/;

/** What editing takes, in the order of the table; deprecated ones are left out, since something else does the same. */
export const editable: readonly { attribute: Attribute; group: AttributeGroup }[] = attributesFor('edit')
  .filter(({ deprecated }) => deprecated !== true)
  .map((attribute) => ({
    attribute,
    group:
      allOnlyMerge.test(attribute.name) &&
      !attribute.name.endsWith('_template') &&
      !attribute.name.endsWith('_access_level')
        ? 'merging'
        : groupOf(attribute),
  }));
