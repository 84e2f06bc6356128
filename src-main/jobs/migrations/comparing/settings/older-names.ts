/** @file Settings that older versions of GitLab have under another name (gitlab-facts 5.6). Pure. */

type Attributes = Readonly<Record<string, unknown>>;

/** Returns the value as newer versions have it; undefined if the attributes have no older name. */
type ReadOlderName = (attributes: Attributes) => unknown;

const operations = 'operations_access_level';

/** Features that GitLab 15 separated from operations. An import does not convert the level. */
export const formerOperations: readonly string[] = [
  'environments',
  'feature_flags',
  'infrastructure',
  'monitor',
];

const olderNames: Readonly<Record<string, ReadOlderName>> = {
  ...Object.fromEntries(
    formerOperations.map((feature): [string, ReadOlderName] => [
      `${feature}_access_level`,
      ({ [operations]: level }) => level,
    ]),
  ),
  container_registry_access_level: ({ container_registry_enabled: isEnabled }) =>
    typeof isEnabled === 'boolean' ? (isEnabled ? 'enabled' : 'disabled') : undefined,
  // The older switch is null in a project that never used it.
  emails_enabled: ({ emails_disabled: isDisabled }) =>
    isDisabled === undefined ? undefined : isDisabled !== true,
};

/** Returns the value that an instance or an archive has under its present or its older name; undefined without both. */
export function readByAnyName(attributes: Attributes, name: string): unknown {
  const value = attributes[name];
  return value === undefined ? olderNames[name]?.(attributes) : value;
}
