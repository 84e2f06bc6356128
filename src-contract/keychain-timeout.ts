/** The longest time for one call of the operating system's keychain, in milliseconds; its error states it. */
export const keychainTimeoutMs = 10_000;
