/** @file The version of the export format, as archives state it and as GitLab compares it. */

/** The first three numbers, which are all that GitLab compares (peers: `Gitlab::VersionInfo`); null without them. */
export const comparedVersion = (text: string): string | null => /\d+\.\d+\.\d+/.exec(text)?.[0] ?? null;
