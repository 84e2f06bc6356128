/** @file What a full path of a project looks like; the contract is stricter only about what a page cannot mean. */

/** Below a namespace, without spaces; whether it is there is asked of the instance. */
export const isFullPath = (typed: string): boolean => /^[^/\s\\]+(?:\/[^/\s\\]+)+$/.test(typed);
