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

/** What a program of these commands makes of a line that is typed into a shell. Nothing is done. */
export function understood(line: string, registers: readonly Register[]): Understood {
  const words = execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], {
    encoding: 'utf8',
  });
  const program = new Command('packhorse').exitOverride().configureOutput({ writeErr: () => undefined });
  for (const register of registers) register(program);
  const heard: Understood[] = [];
  const listen = (command: Command, path: string[]): void => {
    for (const sub of command.commands) listen(sub, [...path, sub.name()]);
    if (command.commands.length > 0) return;
    command.action(() => {
      const options = command.opts<Record<string, unknown>>();
      heard.push({ command: path.join(' '), args: command.processedArgs as unknown[], options });
    });
  };
  listen(program, []);
  program.parse(words.split('\0').slice(0, -1), { from: 'user' });
  const [only] = heard;
  if (only === undefined) throw new Error(`${line} does nothing.`);
  return only;
}

/** Fails unless the program understands the line as it was meant. No line carries a secret. */
export function expectUnderstood([line, expected]: ExpectedLine, registers: readonly Register[]): void {
  expect(understood(line, registers)).toMatchObject(expected);
  expect(line).not.toMatch(/secret(?!-stdin)|--token[= ](?!stdin|file)/);
}
