/** @file Settings that older versions of GitLab have under another name (gitlab-facts 5.6). Pure. */

type Attributes = Readonly<Record<string, unknown>>;

/** Returns the value as newer versions have it; undefined if the attributes have no older name. */
type ReadOlderName = (attributes: Attributes) => unknown;

export const operations = 'operations_access_level';

/** Features that GitLab 15 separated from operations. An import does not convert the level. */
export const formerOperations: readonly string[] = [
  'environments',
  'feature_flags',
  'infrastructure',
  'monitor',
];

const formerOperationsNames = formerOperations.map((feature) => `${feature}_access_level`);

/**
 * Returns the names of the level of operations that a comparison leaves out: the older name if a side has one of the
 * newer names, and otherwise the newer names.
 * @param sides the attributes of the instances, and the columns of the archive.
 */
export const omittedOperationsNames = (sides: readonly Attributes[]): readonly string[] =>
  sides.some((attributes) => formerOperationsNames.some((name) => attributes[name] !== undefined))
    ? [operations]
    : formerOperationsNames;

const olderNames: Readonly<Record<string, ReadOlderName>> = {
  ...Object.fromEntries(
    formerOperationsNames.map((name): [string, ReadOlderName] => [name, ({ [operations]: level }) => level]),
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
