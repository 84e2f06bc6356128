/** @file Groups the attributes of a project in the form, so that a long table is easy to read. */
import {
  attributesFor,
  type Attribute,
  type AttributeUse,
} from '../../../../../src-contract/projects/project-attributes.ts';

export const attributeGroups = [
  'general',
  'start',
  'features',
  'merging',
  'pipelines',
  'templates',
  'mirroring',
  'more',
] as const;
export type AttributeGroup = (typeof attributeGroups)[number];

export interface GroupedAttribute {
  attribute: Attribute;
  group: AttributeGroup;
}

const general = ['name', 'path', 'description', 'visibility', 'default_branch', 'topics', 'avatar'];
const start = [
  'default_branch',
  'import_url',
  'initialize_with_readme',
  'repository_object_format',
  'use_custom_template',
  'template_name',
  'template_project_id',
  'group_with_project_templates_id',
];

/** Tried in this order; an attribute that matches none is in `more`. */
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

const mergePattern = /^only_allow_merge|^allow_merge|^merge_/;

function groupOf({ name }: Attribute, use: AttributeUse): AttributeGroup {
  if (use !== 'edit' && start.includes(name)) return 'start';
  if (general.includes(name)) return 'general';
  if (mergePattern.test(name) && !/_template$|_access_level$/.test(name)) return 'merging';
  return rules.find(([, pattern]) => pattern.test(name))?.[0] ?? 'more';
}

/** The attributes in the order of the table, without deprecated ones and the namespace, which has its own field. */
export const groupedAttributes = (use: AttributeUse): readonly GroupedAttribute[] =>
  attributesFor(use)
    .filter(({ name, deprecated }) => deprecated !== true && name !== 'namespace_id')
    .map((attribute) => ({ attribute, group: groupOf(attribute, use) }));
