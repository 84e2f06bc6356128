/** @file Comments and titles of tests are plain sentences with the field's words, and abandoned names are not used again. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commentSentences, type Sentence } from '../../support/docs/comments.ts';
import { testTitles } from '../../support/docs/test-titles.ts';

const root = join(import.meta.dirname, '../../..');
const self = relative(root, import.meta.filename);

/** A relative or an inversion as the first word hides the subject. */
const opening = /^(?:Who|Whoever|Whose|Whom|What|Whatever|Which|Whichever|Of|So|As|One of which|That|It)\b/;
const titleOpening = new RegExp(opening, 'i');
/** Each word has the field's word as its replacement. */
const words: [RegExp, string][] = [
  [/\bof (?:which|whom|what)\b/i, 'a sentence of its own'],
  [/\bwhoever\b/i, 'the one who acts, by name: the caller, the user, a process'],
  [/\bin vain\b/i, 'for nothing, without effect'],
  [/\bat hand\b/i, 'available'],
  [/\bunder way\b/i, 'in progress, running'],
  [/\banew\b|\bonce more\b/i, 'again'],
  [/\b(?:go|goes|going|gone|went) on\b/i, 'continues, resumes'],
  [/\b(?:comes?|came) to rest\b/i, 'stops, ends'],
  [/^Repeatable\b/, 'Idempotent'],
  [/^Answers\b(?! with\b)/, 'Returns, or the verb for a request: serves, handles'],
  [/\bstands?\b(?! for\b)|\bstood\b(?! for\b)/i, 'is, exists, is stored'],
  [/^(?:Tells|Told)\b|\b(?:is|are|be|been|was|were) told\b/, 'reports, notifies, receives'],
];

const oldNames = [
  'AilingKeychain',
  'Arrival',
  'Arrivals',
  'ArrivingFile',
  'HastenedClock',
  'ImpatientClock',
  'LookLoop',
  'MigrationTender',
  'PaceKeeper',
  'Turnstile',
  'endure',
  'fireInVain',
  'gatherMs',
  'lookMs',
  'mayTend',
  'mustMakeSense',
  'mustMoveAny',
  'patientClient',
  'plansInVain',
  'strangers',
  'wakeful',
  '(?:most|longest)[A-Z][A-Za-z]*',
];
const oldName = new RegExp(String.raw`\b(?:${oldNames.join('|')})\b`, 'g');
const oldFile =
  /(?:^|\/)leaving\/|(?:^|\/)(?:in-vain|moving-any|draft-sense|judged-losses)\.|-(?:looks|signs)\.ts$/;

const unclear = (path: string, text: string): string[] =>
  unclearOf(path, commentSentences(path, text), opening);

const unclearTitles = (path: string, text: string): string[] =>
  unclearOf(path, testTitles(path, text), titleOpening);

function unclearOf(path: string, sentences: readonly Sentence[], badOpening: RegExp): string[] {
  return sentences.flatMap((sentence) => {
    const found = badOpening.exec(sentence.text)?.[0];
    return [
      ...(found === undefined ? [] : [`opens with "${found}"`]),
      ...words.flatMap(([word, better]) => {
        const used = word.exec(sentence.text)?.[0];
        return used === undefined ? [] : [`"${used}" (better: ${better})`];
      }),
    ].map((reason) => `${path}:${String(sentence.line)}: ${reason}: ${sentence.text}`);
  });
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test.each(['src-contract', 'src-main', 'src-preload', 'src-renderer', 'test'])(
  'comments in %s are plain sentences',
  (folder) => {
    const paths = globSync(`${folder}/**/*.{ts,svelte}`, { cwd: root });
    expect(paths).not.toEqual([]);
    expect(paths.flatMap((path) => unclear(path, read(path)))).toEqual([]);
  },
);

test('titles of tests are plain sentences', () => {
  const paths = globSync('test/**/*.ts', { cwd: root });
  expect(paths.length).toBeGreaterThan(500);
  expect(paths.flatMap((path) => unclearTitles(path, read(path)))).toEqual([]);
});

/** Names in files of earlier versions, which the app still reads. */
const storedNames = new Set(['longestPollMs']);

test('abandoned names are in no file', () => {
  const paths = globSync('{src-*,test}/**/*.{ts,svelte}', { cwd: root }).filter((path) => path !== self);
  expect(paths.length).toBeGreaterThan(1000);
  expect(paths.filter((path) => oldFile.test(path))).toEqual([]);
  expect(
    paths.flatMap((path) =>
      (read(path).match(oldName) ?? [])
        .filter((name) => !storedNames.has(name))
        .map((name) => `${path}: ${name}`),
    ),
  ).toEqual([]);
});

describe('a comment', () => {
  const reasons = (path: string, text: string): string[] =>
    unclear(path, text).map((line) => /:\d+: (.*?)(?: \(better|: )/.exec(line)?.[1] ?? '');

  test.each([
    ['/** Who came later is not lost. */', 'opens with "Who"'],
    ['/** @file What the page asks. */', 'opens with "What"'],
    ['/** @returns What is stored. */', 'opens with "What"'],
    ['/** @param name As the server has it. */', 'opens with "As"'],
    ['/** Reads it.\n * Of two it takes the later. */', 'opens with "Of"'],
    ['/**\n * Reads it.\n *\n * So nothing is lost. */', 'opens with "So"'],
    ['/** Reads it. (That costs a request.) */', 'opens with "That"'],
    ['// Reads it; once. It may be `null`.', 'opens with "It"'],
    ['const a = 1; // What is left.', 'opens with "What"'],
    ['// A page is loaded\n// anew.', '"anew"'],
    ['/** A list, none of\n * which is empty. */', '"of which"'],
    ['/** Repeatable. */', '"Repeatable"'],
    ['/** Answers the time of the start. */', '"Answers"'],
    ['/** The row stands in the catalogue. */', '"stands"'],
    ['/** The caller is told. */', '"is told"'],
    ['const a = `${"x"}//`; /* Jobs under way. */', '"under way"'],
    ['const a = /[\'"`]/; // Tried in vain.', '"in vain"'],
  ])('%j is refused', (text, reason) => {
    expect(reasons('planted.ts', text)).toEqual([reason]);
  });

  test.each([
    ['<!-- What is shown. -->', 'opens with "What"'],
    ['<script lang="ts">\n  // So it is.\n</script>', 'opens with "So"'],
    ['<style>\n  /* As wide as the page. */\n</style>', 'opens with "As"'],
    ['{/* It is empty. */}', 'opens with "It"'],
  ])('%j is refused in a component', (text, reason) => {
    expect(reasons('planted.svelte', text)).toEqual([reason]);
  });

  test.each([
    ['planted.ts', '/** Answers with 404 where a star stands for any name. */'],
    ['planted.ts', '/** Returns the rows, as the server sorts them. Italic text stays. */'],
    [
      'planted.ts',
      "const text = 'see // What is this'; const other = `/* It is */`; const more = /\\/\\/ So it is/;",
    ],
    ['planted.ts', '// eslint-disable-next-line no-console -- What a command prints.'],
    ['planted.svelte', "<script>\n  const text = '// What is this';\n</script>\n<p>What is this</p>"],
  ])('in %s is plain: %j', (path, text) => {
    expect(unclear(path, text)).toEqual([]);
  });

  test('is reported with the line on which it begins', () => {
    expect(unclear('a.ts', 'const a = 1;\n\n/**\n * Reads it. It may end. */')).toEqual([
      'a.ts:3: opens with "It": It may end.',
    ]);
  });
});

describe('a title of a test', () => {
  test.each([
    ["test('what is lost is named', () => {});", 'a.test.ts:1: opens with "what": what is lost is named'],
    [
      "it.each(rows)('of %s it is the first', () => {});",
      'a.test.ts:1: opens with "of": of %s it is the first',
    ],
    ['\ndescribe.skipIf(isBare)(`Who asks`, () => {});', 'a.test.ts:2: opens with "Who": Who asks'],
    [
      "describe('a job', () => {\n  it('begins anew', () => {});\n});",
      'a.test.ts:2: "anew" (better: again): a job begins anew',
    ],
  ])('%j is refused', (text, reason) => {
    expect(unclearTitles('a.test.ts', text)).toEqual([reason]);
  });

  test.each([
    "note('what is lost');",
    "test.each([['what is lost']])('names %s', () => {});",
    'test(named, run);',
    "describe('a job', () => {\n  it('that ended stays', () => {});\n});",
  ])('%j has no title that is refused', (text) => {
    expect(unclearTitles('a.test.ts', text)).toEqual([]);
  });
});

test.each([
  ['const maxRows = 5, most = 1, longest = 2; almostEmpty();', []],
  ['const mostRows = 5;', ['mostRows']],
  ['new LookLoop(longestWaitMs)', ['LookLoop', 'longestWaitMs']],
])('the old names in %j are %j', (text, names) => {
  expect(text.match(oldName) ?? []).toEqual(names);
});

test.each([
  'src-main/jobs/plans/in-vain.ts',
  'src-main/hosts/leaving/a.ts',
  'src-renderer/views/job-looks.ts',
])('%s is an old name of a file', (path) => {
  expect(path).toMatch(oldFile);
});
