/** @file The key of a project on an instance, as used in the address. Pure. */

export interface ProjectReference {
  instance: string;
  project: string;
}

/** Returns `instance/full/path`; names of instances contain no slash. */
export const projectKey = ({ instance, project }: ProjectReference): string => `${instance}/${project}`;

export function parseProjectKey(key: string | null): ProjectReference | null {
  const slash = key?.indexOf('/') ?? -1;
  if (key === null || slash < 1 || slash === key.length - 1) return null;
  return { instance: key.slice(0, slash), project: key.slice(slash + 1) };
}
