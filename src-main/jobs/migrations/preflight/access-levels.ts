/** GitLab's numbers of the roles that exports and imports require. */
export const accessLevels = { maintainer: 40, owner: 50 } as const;
