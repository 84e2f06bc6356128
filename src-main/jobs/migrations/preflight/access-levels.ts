export const accessLevels = { maintainer: 40, owner: 50 } as const;
