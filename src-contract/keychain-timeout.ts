/** The longest time for one call of the operating system's keychain, in milliseconds. The error message names it. */
export const keychainTimeoutMs = 10_000;
