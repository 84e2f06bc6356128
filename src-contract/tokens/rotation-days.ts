/** How many days before a token expires its replacement may begin by itself. `suggested` is what the window offers first. */
export const rotationDays = { min: 1, max: 90, suggested: 14 } as const;
