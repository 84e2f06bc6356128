/** How many days before a token expires the overview and the checks warn. */
export const tokenWarningDays = 14;
