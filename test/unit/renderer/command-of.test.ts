import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandOf } from '../../../src-renderer/kit/content/command-of.ts';

test.each([
  [['backup', 'group/app'], { instance: 'work' }, 'backup group/app --instance work'],
  [['backup'], { instance: 'work', all: true, 'keep-existing': false }, 'backup --instance work --all'],
  [
    ['import', 'file', '/my archives/a.tar.gz'],
    { path: null, name: undefined },
    "import file '/my archives/a.tar.gz'",
  ],
  [['project', 'show', "it's"], {}, "project show 'it'\\''s'"],
  [['job', 'list'], { limit: 5 }, 'job list --limit 5'],
])('the words %j with the options %j are the command %s', (words, options, command) => {
  expect(commandOf(words, options)).toBe(command);
});

test('a shell reads every word of a command unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string().filter((word) => !/[\0\n]/.test(word)),
        { maxLength: 4 },
      ),
      (words) => {
        const read = execFileSync('sh', ['-c', `printf '%s\\n' x ${commandOf(words)}`], { encoding: 'utf8' });
        expect(read.split('\n').slice(1, -1)).toEqual(words);
      },
    ),
    { numRuns: 50 },
  );
});
