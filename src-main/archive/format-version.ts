/** @file The version of the export format, as archives state it and as GitLab compares it. */

/** Returns the three numbers that GitLab compares (`Gitlab::VersionInfo`); null if they are missing. */
export const parseFormatVersion = (text: string): string | null => /\d+\.\d+\.\d+/.exec(text)?.[0] ?? null;
