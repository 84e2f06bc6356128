/** @file The base class of all commands: adds the options that commands share, and runs an action with a session. */
import { Command, Option } from 'commander';
import type { OperationId } from '../../../../src-contract/operations.ts';
import { addOperationsHelp } from '../instances/operations-help.ts';
import { refuseNoChange, markRequired, integerParser } from '../terminal/options.ts';
import type { ExitCode, Terminal } from '../terminal/terminal.ts';
import { run, runWithApp, useTokenOption, type Session, type TokenOptions } from './session.ts';

export interface InstanceOptions extends TokenOptions {
  instance: string;
}

export interface ListOptions extends InstanceOptions {
  limit: number;
  all?: boolean;
}

export class AppCommand extends Command {
  override createCommand(name?: string): AppCommand {
    return new AppCommand(name);
  }

  subcommand(name: string, description: string): AppCommand {
    return this.command(name).description(description);
  }

  use<Rest extends unknown[]>(addOptions: (command: this, ...rest: Rest) => unknown, ...rest: Rest): this {
    addOptions(this, ...rest);
    return this;
  }

  neededOption<Value>(
    flags: string,
    description?: string,
    parse?: (text: string, previous: Value) => Value,
  ): this {
    const option = markRequired(new Option(flags, description));
    return this.addOption(parse === undefined ? option : option.argParser(parse));
  }

  choiceOption(flags: string, description: string, words: readonly string[], initial?: string): this {
    return this.addOption(new Option(flags, description).choices(words).default(initial));
  }

  limitOption(initial: number): this {
    return this.option('--limit <count>', 'maximum number of entries', integerParser(1, 1_000_000), initial);
  }

  portOption(): this {
    const description = 'port on 127.0.0.1; 0, the default, for any free one';
    return this.option('--port <number>', description, integerParser(0, 65_535));
  }

  tokenOptions(): this {
    return this.option(
      '--token-stdin',
      'read the token from standard input (prompted without echo on a terminal)',
    ).option('--token-file <file>', 'read the token from a file that only you can read');
  }

  instanceOptions(): this {
    return this.neededOption('--instance <name>', 'the instance').tokenOptions();
  }

  projectArgument(): this {
    return this.argument('<project>', 'full path or id').instanceOptions();
  }

  listOptions(): this {
    return this.limitOption(100).option('--all', 'all entries, page by page');
  }

  /** Adds a paragraph after the options in the help. */
  helpNote(text: string): this {
    return this.addHelpText('after', `\n${text}`);
  }

  /** Adds the GitLab operations of the command, and what each requires, to its help. */
  operations(...ids: readonly OperationId[]): this {
    return addOperationsHelp(this, ...ids);
  }

  /** Fails with a usage error unless at least one option changes something. */
  requireChange(): this {
    return this.hook('preAction', refuseNoChange);
  }

  /** Runs without the app, so no data folder is needed. */
  withoutApp(
    work: (terminal: Terminal, signal: AbortSignal, ...args: never[]) => Promise<ExitCode | undefined>,
  ): this {
    return this.action(async (...args) => {
      await run(this, (terminal, signal) => work(terminal, signal, ...(args as never[])));
    });
  }

  withApp(work: (session: Session, ...args: never[]) => Promise<ExitCode | undefined>): this {
    return this.action(async (...args) => {
      await runWithApp(this, (session) => work(session, ...(args as never[])));
    });
  }

  /** Like `withApp`, but first takes a token for `--instance` from the token options, if one is given. */
  withToken(work: (session: Session, ...args: never[]) => Promise<ExitCode | undefined>): this {
    return this.withApp(async (session, ...args: never[]) => {
      const options = this.opts<InstanceOptions>();
      await useTokenOption(session, options.instance, options);
      return work(session, ...args);
    });
  }
}
