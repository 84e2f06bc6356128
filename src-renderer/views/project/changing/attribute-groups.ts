/** @file How the attributes of a project are put together in the form, so that a long table can be looked through. */
import {
  attributesFor,
  type Attribute,
  type AttributeUse,
} from '../../../../src-contract/projects/project-attributes.ts';

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
/** What the repository of a new project begins with. */
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

const allOnlyMerge = /^only_allow_merge|^allow_merge|^merge_/;

function groupOf({ name }: Attribute, use: AttributeUse): AttributeGroup {
  if (use !== 'edit' && start.includes(name)) return 'start';
  if (general.includes(name)) return 'general';
  if (allOnlyMerge.test(name) && !/_template$|_access_level$/.test(name)) return 'merging';
  return rules.find(([, pattern]) => pattern.test(name))?.[0] ?? 'more';
}

/**
 * What the use takes, in the order of the table. Deprecated ones are left out, since something else does the same, and the
 * namespace of a new project, which is asked for by its path.
 */
export const groupedAttributes = (use: AttributeUse): readonly GroupedAttribute[] =>
  attributesFor(use)
    .filter(({ name, deprecated }) => deprecated !== true && name !== 'namespace_id')
    .map((attribute) => ({ attribute, group: groupOf(attribute, use) }));
