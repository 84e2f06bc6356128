/** @file The words that differ between two values of a field. Pure. */
import { diffWords, diffWordsWithSpace } from 'diff';
import { maxTextLength, readStoredText } from './shortened-text.ts';

/** Adjacent words of one or both values. */
export interface Piece {
  text: string;
  /** The values that contain the text. */
  in: 'both' | 'expected' | 'found';
  /** False for a text in both values, and for a text whose place in the other value is past its known beginning. */
  isChanged: boolean;
}

export interface ChangedWords {
  /** In the order of a text that contains both values. A removed text comes before the text that replaces it. */
  pieces: readonly Piece[];
  /** A sentence about the words that are not known; null if both values are known completely. */
  limit: string | null;
}

/** Divides languages without spaces, such as Japanese, into words, too. */
const intlSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * Returns the words that only one of two values has. The pieces of a side are its complete value. A long text is stored
 * shortened: its pieces are the words of its beginning and the ending with its length.
 */
export function changedWords(expected: string, found: string): ChangedWords {
  const [from, to] = [readStoredText(expected), readStoredText(found)];
  const pieces = withoutGaps(compareWords(from.beginning, to.beginning));
  const ends: Piece[] = [
    { text: from.ending, in: 'expected', isChanged: false },
    { text: to.ending, in: 'found', isChanged: false },
  ];
  const isCut = { expected: from.ending !== '', found: to.ending !== '' };
  return {
    pieces: [...withUnknownEnd(pieces, isCut), ...ends.filter(({ text }) => text !== '')],
    limit: limitText(from.beginning === to.beginning, isCut),
  };
}

/** Returns the pieces of one value, in its order. */
export const piecesOf = (pieces: readonly Piece[], side: 'expected' | 'found'): Piece[] =>
  pieces.filter((piece) => piece.in === 'both' || piece.in === side);

const joinPieces = (pieces: readonly Piece[], side: 'expected' | 'found'): string =>
  piecesOf(pieces, side)
    .map(({ text }) => text)
    .join('');

function compareWords(expected: string, found: string): Piece[] {
  const pieces = toPieces(diffWords(expected, found, { intlSegmenter }));
  // Words are compared without the spaces around them, which is wrong if these differ.
  const isExact = joinPieces(pieces, 'expected') === expected && joinPieces(pieces, 'found') === found;
  return isExact ? pieces : toPieces(diffWordsWithSpace(expected, found));
}

const toPieces = (changes: readonly { value: string; added: boolean; removed: boolean }[]): Piece[] =>
  changes.map(({ value, added, removed }) => ({
    text: value,
    in: removed ? 'expected' : added ? 'found' : 'both',
    isChanged: removed || added,
  }));

/** Joins changes with only spaces or punctuation between them, because one change of two words reads better than two. */
function withoutGaps(pieces: readonly Piece[]): Piece[] {
  const runs: { expected: string; found: string; isChanged: boolean }[] = [];
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    const isGap = !piece.isChanged && next !== undefined && !/[\p{L}\p{N}]/u.test(piece.text);
    const last = runs.at(-1);
    const expected = piece.in === 'found' ? '' : piece.text;
    const found = piece.in === 'expected' ? '' : piece.text;
    if (last?.isChanged === true && (piece.isChanged || isGap)) {
      last.expected += expected;
      last.found += found;
    } else runs.push({ expected, found, isChanged: piece.isChanged });
  }
  return runs.flatMap(({ expected, found, isChanged }): Piece[] =>
    isChanged
      ? [
          { text: expected, in: 'expected' as const, isChanged },
          { text: found, in: 'found' as const, isChanged },
        ].filter(({ text }) => text !== '')
      : [{ text: expected, in: 'both', isChanged }],
  );
}

/**
 * Unmarks the last words of a value if the other value is cut before it could show them. An example is a word added at the
 * start of a long text, which moves other words past the known beginning.
 */
function withUnknownEnd(pieces: readonly Piece[], isCut: { expected: boolean; found: boolean }): Piece[] {
  const start = pieces.findLastIndex(({ isChanged }) => !isChanged) + 1;
  const end = pieces.slice(start);
  const expected = joinPieces(end, 'expected');
  const found = joinPieces(end, 'found');
  const isUnknown =
    (isCut.found && expected.startsWith(found)) || (isCut.expected && found.startsWith(expected));
  return isUnknown
    ? [...pieces.slice(0, start), ...end.map((piece) => ({ ...piece, isChanged: false }))]
    : [...pieces];
}

function limitText(isEqual: boolean, isCut: { expected: boolean; found: boolean }): string | null {
  if (!isCut.expected && !isCut.found) return null;
  if (isEqual && isCut.expected && isCut.found) {
    return `The first ${maxTextLength} characters are equal. The difference is in the rest, which is not stored.`;
  }
  const cut =
    isCut.expected && isCut.found ? 'both texts' : isCut.expected ? 'the expected text' : 'the found text';
  return `Only the first ${maxTextLength} characters of ${cut} are stored.`;
}

/** Returns the text with marks for spaces and line ends, which are otherwise invisible, in a text that only one value has. */
export function visibleText({ text, isChanged }: Pick<Piece, 'text' | 'isChanged'>): string {
  const line = text.replaceAll('\n', isChanged ? '↵' : ' ');
  return isChanged && line.trim() === '' ? line.replaceAll(/\s/g, '␣') : line;
}
