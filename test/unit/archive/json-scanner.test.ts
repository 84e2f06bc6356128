import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../../src-main/archive/reader/json-scanner.ts';

function accepts(text: string, cuts: readonly number[] = []): boolean {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner();
  let from = 0;
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    scanner.write(bytes, from, cut);
    from = cut;
  }
  return scanner.isComplete;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the JSON scanner', () => {
  it('accepts every JSON document, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(), { maxLength: 5 }), fc.nat(3), (text, cuts, indent) => {
        const pretty = JSON.stringify(JSON.parse(text), null, indent);
        expect(accepts(text, cuts)).toBe(true);
        expect(accepts(pretty, cuts)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse on documents with one character inserted, removed or replaced', () => {
    const alphabet = Array.from('{}[]",:0123456789.eE+-truefalsn\\u/ \n\t\b');
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom(...alphabet),
        fc.nat(2),
        (text, at, character, how) => {
          const place = at % (text.length + 1);
          const changed =
            text.slice(0, place) + (how === 0 ? '' : character) + text.slice(place + (how === 2 ? 0 : 1));
          expect(accepts(changed, [at])).toBe(parses(changed));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['', false],
    [' \n', false],
    ['null', true],
    ['nul', false],
    ['nulll', false],
    ['-', false],
    ['-0', true],
    ['01', false],
    ['1.', false],
    ['1.5e', false],
    ['1e+5', true],
    ['.5', false],
    ['[1,]', false],
    ['{"a":1,}', false],
    ['{"a" 1}', false],
    ['{a:1}', false],
    ['[1 2]', false],
    ['{} {}', false],
    ['"\\x"', false],
    ['"\\u12g4"', false],
    ['"\\u12F4"', true],
    ['"a\nb"', false],
    ['[}', false],
    ['{"__proto__":{"a":[]}}', true],
  ])('accepts %j like JSON.parse: %s', (text, expected) => {
    expect(accepts(text)).toBe(expected);
    expect(parses(text)).toBe(expected);
  });

  it('accepts 1,000 levels of nesting, and rejects 2,000 or more instead of growing', () => {
    expect(accepts('['.repeat(1000) + ']'.repeat(1000))).toBe(true);
    expect(accepts('['.repeat(1_000_000))).toBe(false);
    expect(accepts('['.repeat(2000) + ']'.repeat(2000))).toBe(false);
  });
});
