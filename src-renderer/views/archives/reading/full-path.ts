/** @file Checks the shape of a project's full path. The contract also rejects what this check lets through. */

/** True for a path below a namespace without spaces. Only the instance knows whether it exists. */
export const isFullPath = (typed: string): boolean => /^[^/\s\\]+(?:\/[^/\s\\]+)+$/.test(typed);
