/** @file Checks the shape of a project's full path. The contract rejects more paths than this check. */

/** True if the path has a namespace and no spaces. Only the instance knows whether the project exists. */
export const isFullPath = (input: string): boolean => /^[^/\s\\]+(?:\/[^/\s\\]+)+$/.test(input);
