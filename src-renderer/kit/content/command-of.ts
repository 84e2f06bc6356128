/** @file Builds the command line that does the same as a button, quoted so that a shell reads it as intended. */

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Adds the options that are set: `commandOf(['backup', 'group/app'], { all: true })` is `backup group/app --all`. */
export function commandOf(
  words: readonly string[],
  options: Readonly<Record<string, string | number | boolean | null | undefined>> = {},
): string {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, String(value)];
  });
  return [...words, ...flags].map(quoted).join(' ');
}
