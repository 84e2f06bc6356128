/** @file What the real program makes of a command line that the window shows. */
import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { expect } from 'vitest';

type Register = (program: Command) => void;

interface Understood {
  /** Words, as "project edit". */
  command: string;
  args: unknown[];
  options: Record<string, unknown>;
}

/** One line of a kind of action, and what the program has to make of it; of the options those that matter. */
export type ExpectedLine = [line: string, expected: Partial<Understood>];

/** Returns the words that a shell makes of a line. */
export function shellWords(line: string): string[] {
  const words = execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], {
    encoding: 'utf8',
  });
  return words.split('\0').slice(0, -1);
}

/** Returns the command that a program of these commands finds in the words, with what was typed. Its action is not run. */
export function typedCommand(words: readonly string[], registers: readonly Register[]): Command {
  const program = new Command('packhorse').exitOverride().configureOutput({ writeErr: () => undefined });
  for (const register of registers) register(program);
  const found: Command[] = [];
  const listen = (command: Command): void => {
    for (const sub of command.commands) listen(sub);
    if (command.commands.length === 0) {
      command.action(() => {
        found.push(command);
      });
    }
  };
  listen(program);
  program.parse([...words], { from: 'user' });
  const [only] = found;
  if (only === undefined) throw new Error(`${words.join(' ')} does nothing.`);
  return only;
}

/** What a program of these commands makes of a line that is typed into a shell. Nothing is done. */
export function understood(line: string, registers: readonly Register[]): Understood {
  const command = typedCommand(shellWords(line), registers);
  const path: string[] = [];
  for (let at = command; at.parent !== null; at = at.parent) path.unshift(at.name());
  const options = command.opts<Record<string, unknown>>();
  return { command: path.join(' '), args: command.processedArgs as unknown[], options };
}

/** Fails unless the program understands the line as it was meant. No line carries a secret. */
export function expectUnderstood([line, expected]: ExpectedLine, registers: readonly Register[]): void {
  expect(understood(line, registers)).toMatchObject(expected);
  expect(line).not.toMatch(/secret(?!-stdin)|--token[= ](?!stdin|file)/);
}
