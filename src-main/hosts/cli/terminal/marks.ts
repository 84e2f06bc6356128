/** @file Marks the words that differ between two texts, as `git diff --word-diff` does: by signs, and by colours on a terminal. */
import { styleText } from 'node:util';
import { visibleText, type Piece } from '../../../../src-contract/words/changed-words.ts';

/** Returns both values as one text. The end of a text that is stored shortened is "…". */
export function markedText(pieces: readonly Piece[]): string {
  const marked = pieces.flatMap((piece) => {
    const text = visibleText(piece);
    if (piece.isChanged) return piece.in === 'expected' ? `[-${text}-]` : `{+${text}+}`;
    return piece.in === 'both' ? text : [];
  });
  return `${marked.join('')}${marked.length < pieces.length ? '…' : ''}`;
}

/** Colours the marks in a printable text, unless the stream is no terminal, or the user wants no colours (`NO_COLOR`). */
export function colourMarks(text: string, stream: NodeJS.WritableStream & { isTTY?: boolean }): string {
  if (stream.isTTY !== true) return text;
  return text.replace(/(\[-.+?-\])|\{\+.+?\+\}/g, (mark, removed?: string) =>
    styleText(removed === undefined ? 'green' : 'red', mark, { stream }),
  );
}
