/** @file Builds the command line that does the same as a button, quoted so that a shell reads it as intended. */

/** Leaves plain words unchanged and puts everything else between single quotes. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Joins `words` with each option that is set: `true` gives the bare flag, `false`, null and undefined leave it out.
 * `commandOf(['backup', 'group/app'], { instance: 'work' })` is `backup group/app --instance work`.
 */
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
