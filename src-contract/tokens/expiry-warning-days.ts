/** The overview and the checks warn this many days before a token expires. */
export const tokenExpiryWarningDays = 14;
