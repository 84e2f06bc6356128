/** @file Which of a list fits best to what was typed: every word of it must begin a word, or at least occur. */

/** Best first; all, in their order, where nothing was typed. */
export function rank<Entry>(
  query: string,
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...entries];
  return entries
    .map((entry, index) => ({ entry, index, score: scoreOf(words, textOf(entry).toLowerCase()) }))
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
