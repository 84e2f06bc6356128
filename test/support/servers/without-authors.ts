/** Returns a copy without the names of authors that an import adds to notes if it cannot map the authors. */
export const withoutAuthors = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll(/\\n\\n \*By [^"*]+\*"/g, '"')) as Value;
