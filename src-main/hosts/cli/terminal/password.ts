/** @file Prompts for a secret on a terminal without showing the typed text. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { AppError } from '../../../../src-contract/errors.ts';

/** Resolves with the line; rejects with `cancelled` on Ctrl-C or end of input. */
export function readPassword(prompt: string): Promise<string> {
  const discardingOutput = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  // From here on the terminal hides typed text. If the prompt were printed earlier, the first characters could be
  // visible.
  const lines = createInterface({ input: process.stdin, output: discardingOutput, terminal: true });
  process.stderr.write(prompt);
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      process.stderr.write('\n');
      reject(new AppError('cancelled', 'Nothing was typed.'));
    });
  });
}
