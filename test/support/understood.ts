/** @file Parses a command line of the window with the real program. */
import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import { expect } from 'vitest';
import { AppCommand } from '../../src-main/hosts/cli/running/app-command.ts';

type Register = (program: AppCommand) => void;

interface Understood {
  /** The words of the command, such as "project edit". */
  command: string;
  args: unknown[];
  options: Record<string, unknown>;
}

/** A line of one kind of action, and its expected parse with the options that matter. */
export type ExpectedLine = [line: string, expected: Partial<Understood>];

/** Returns the words into which a shell splits a line. */
export function shellWords(line: string): string[] {
  const words = execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\0' "$word"; done`], {
    encoding: 'utf8',
  });
  return words.split('\0').slice(0, -1);
}

/**
 * Returns the command that a program of these commands finds in the words, with the typed values. Its action is not
 * run.
 */
export function parseCommand(words: readonly string[], registers: readonly Register[]): Command {
  const program = new AppCommand('packhorse').exitOverride().configureOutput({ writeErr: () => undefined });
  for (const register of registers) register(program);
  const found: Command[] = [];
  const listen = (command: Command): void => {
    for (const subcommand of command.commands) listen(subcommand);
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

/** Returns how a program of these commands parses a line from a shell. No action is run. */
export function parseLine(line: string, registers: readonly Register[]): Understood {
  const command = parseCommand(shellWords(line), registers);
  const path: string[] = [];
  for (let at = command; at.parent !== null; at = at.parent) path.unshift(at.name());
  const options = command.opts<Record<string, unknown>>();
  return { command: path.join(' '), args: command.processedArgs as unknown[], options };
}

/** Fails unless the program parses the line as expected. No line contains a secret. */
export function expectParsed([line, expected]: ExpectedLine, registers: readonly Register[]): void {
  expect(parseLine(line, registers)).toMatchObject(expected);
  expect(line).not.toMatch(/secret(?!-stdin)|--token[= ](?!stdin|file)/);
}
