/** @file Ranks entries by a search text: each of its words must start a word of the entry, or at least occur in it. */

/**
 * Returns the best match first; all entries if the text is empty. An entry that ends with the whole text wins ("Go to
 * Projects").
 */
export function rank<Entry>(
  query: string,
  entries: readonly Entry[],
  textOf: (entry: Entry) => { title: string; keywords?: string | undefined },
): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ending = ` ${words.join(' ')}`;
  const score = ({ title, keywords = '' }: ReturnType<typeof textOf>): number => {
    const bonus = ` ${title.toLowerCase()}`.endsWith(ending) ? 4 : 0;
    const points = scoreOf(words, `${title} ${keywords}`.toLowerCase());
    return points === 0 ? 0 : points + bonus;
  };
  if (words.length === 0) return [...entries];
  return entries
    .map((entry, index) => ({ entry, index, score: score(textOf(entry)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ entry }) => entry);
}

function scoreOf(words: readonly string[], text: string): number {
  let score = 0;
  for (const word of words) {
    if (text.startsWith(word)) score += 4;
    else if (text.includes(` ${word}`)) score += 2;
    else if (text.includes(word)) score += 1;
    else return 0;
  }
  return score;
}
