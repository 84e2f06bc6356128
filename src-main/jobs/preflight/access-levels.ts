/** GitLab's numbers of the roles that matter to exports and imports. */
export const accessLevels = { maintainer: 40, owner: 50 } as const;
