import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedWords,
  piecesOf,
  visibleText,
  type Piece,
} from '../../../src-contract/words/changed-words.ts';
import { valueText } from '../../../src-main/jobs/migrations/comparing/contents/field-values.ts';

const show = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => {
      const text = visibleText(piece);
      if (!piece.isChanged) return piece.in === 'both' ? text : `<${text}>`;
      return piece.in === 'expected' ? `[-${text}-]` : `{+${text}+}`;
    })
    .join('');
const differ = (expected: string, found: string): string => show(changedWords(expected, found).pieces);

test.each([
  ['opened', 'closed', '[-opened-]{+closed+}'],
  ['', 'internal', '{+internal+}'],
  ['The old text of an issue', 'The new text of an issue', 'The [-old-]{+new+} text of an issue'],
  ['Fix the crash', 'Add a test', '[-Fix the crash-]{+Add a test+}'],
  ['bug, feature, docs', 'bug, docs', 'bug, [-feature, -]docs'],
  ['a b', 'a  b', 'a[-␣-]{+␣␣+}b'],
  ['one\ntwo', 'one two', 'one[-↵-]{+␣+}two'],
  ['2026-01-05T10:00:00', '2026-01-06T10:00:00', '2026-01-[-05T10-]{+06T10+}:00:00'],
  ['日本語の本', '日本語の猫', '日本語の[-本-]{+猫+}'],
])('the words that differ between %j and %j are marked', (expected, found, shown) => {
  expect(differ(expected, found)).toBe(shown);
});

test('the pieces of each side are its complete value', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc
      .array(fc.constantFrom('a', 'b', 'word', ' ', '  ', '\n', ', ', '.'), { maxLength: 120 })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, text, (expected, found) => {
      const { pieces } = changedWords(expected, found);
      for (const [side, value] of [
        ['expected', expected],
        ['found', found],
      ] as const) {
        expect(
          piecesOf(pieces, side)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(value);
      }
      if (expected !== found) expect(pieces.some(({ isChanged }) => isChanged)).toBe(true);
    }),
  );
});

describe('a text that is stored shortened', () => {
  const long = 'word '.repeat(60);
  const ending = (text: string): string =>
    `… (${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex').slice(0, 16)})`;

  test('has marks in its beginning, and a sentence about the rest', () => {
    const changed = `An ${long}`;
    const { pieces, limit } = changedWords(valueText(long), valueText(changed));
    expect(show(pieces)).toBe(`{+An +}${'word '.repeat(31)}<word ><wo><${ending(long)}><${ending(changed)}>`);
    expect(limit).toBe('Only the first 160 characters of both texts are stored.');
  });

  test('can differ past its beginning only, which is said', () => {
    const { pieces, limit } = changedWords(valueText(`${long}old`), valueText(`${long}new`));
    expect(pieces.every(({ isChanged }) => !isChanged)).toBe(true);
    expect(limit).toBe(
      'The first 160 characters are equal. The difference is in the rest, which is not stored.',
    );
  });

  test('is compared with a text that is known completely', () => {
    const { pieces, limit } = changedWords(valueText(long), 'word word');
    expect(show(pieces)).toMatch(/^word word\[- (word )+-\]<… \(300 characters, SHA-256 [0-9a-f]{16}\)>$/);
    expect(limit).toBe('Only the first 160 characters of the expected text are stored.');
  });
});
