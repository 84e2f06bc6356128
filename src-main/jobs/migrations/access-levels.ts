/** @file GitLab's numbers of the roles that decide what an import may do. */
export const accessLevels = { maintainer: 40, owner: 50 } as const;
