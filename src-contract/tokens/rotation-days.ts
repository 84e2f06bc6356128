/** How many days before its expiry a token may be replaced automatically. The window proposes `suggested`. */
export const rotationDays = { min: 1, max: 90, suggested: 14 } as const;
