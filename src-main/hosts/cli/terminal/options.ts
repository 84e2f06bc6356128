/** @file Validates option values during parsing: an invalid value ends the command before anything is opened. */
import type { Bounds } from '../../../../src-contract/bounds.ts';
import { resolveUserPath } from '../../../platform/paths.ts';
import { Argument, InvalidArgumentError, type Command, type Option } from 'commander';
import { AppError } from '../../../../src-contract/errors.ts';

/** The error of arguments or options that do not fit together, although each value is valid. */
export const usageError = (message: string): AppError =>
  new AppError('invalid-input', message, { details: { wrong: 'options' } });

export function integerParser(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

export const readId = integerParser(1, 999_999_999);

export const numberWithin = ({ min, max }: Bounds): ((text: string) => number) => integerParser(min, max);

export function collectRepeated(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** Returns the object without the fields that are undefined. */
export function omitUndefined<Options extends object>(options: Options) {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Options]?: Exclude<Options[Name], undefined> };
}

export const resolveOptionPath = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : resolveUserPath(path);

/** Returns the value of an option with a `--no-…` form: null for that form, undefined if neither was typed. */
export const falseToNull = <Value>(value: Value | false | undefined): Value | null | undefined =>
  value === false ? null : value;

const requiredOptions = new WeakSet<Option>();

/** Marks an option that must be given. Commander's own check would run before it reports a misspelt option. */
export function markRequired(option: Option): Option {
  requiredOptions.add(option);
  return option;
}

/** Ends with wrong usage if an option that must be given is missing. Call it before every action. */
export function refuseMissing(command: Command): void {
  const missing = command.options.find(
    (option) => requiredOptions.has(option) && command.getOptionValue(option.attributeName()) === undefined,
  );
  if (missing !== undefined) failMissingOption(command, `'${missing.flags}'`);
}

/** Ends with wrong usage; `options` names the options that would be accepted. Called before anything is opened. */
export function failMissingOption(command: Command, options: string): never {
  return command.error(`error: required option ${options} not specified`, {
    code: 'packhorse.missingOption',
  });
}

/** Ends with wrong usage if no option says what to change; a token alone changes nothing. */
export function refuseNoChange(command: Command): void {
  const isChange = (name: string): boolean =>
    !name.startsWith('token') && command.getOptionValueSource(name) === 'cli';
  if (Object.keys(command.opts()).some(isChange)) return;
  command.error('error: no option says what to change', { code: 'packhorse.missingOption' });
}

/** Options that select one object. An empty value would select nothing, or everything. */
const nonEmptyOptions = new Set(
  '--instance --from --to --target --run --plan --project --archive --user --group --relation'.split(' '),
);

/** Ends with wrong usage for an empty name, such as an unset variable of a script. */
export function refuseEmpty(command: Command): void {
  const refuse = (what: string): never =>
    command.error(`error: ${what} is empty: nothing was given`, { code: 'packhorse.emptyValue' });
  const { registeredArguments, args, options } = command;
  const index = args.findIndex(isBlank);
  if (index >= 0)
    refuse(`the argument '${(registeredArguments[index] ?? registeredArguments.at(-1))?.name() ?? ''}'`);
  for (const option of options) {
    if (!nonEmptyOptions.has(option.long ?? '')) continue;
    const values: unknown[] = [command.getOptionValue(option.attributeName())].flat();
    if (values.some(isBlank)) refuse(`the option '${option.flags}'`);
  }
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Refuses an empty text, such as an unset variable of a script, because it must not mean the default folder. */
export function parseFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Name a folder.');
  return text;
}

const archiveWords = 'a file, a path in the store, or at least 8 digits of the SHA-256';

/** Returns a reference to an archive as it was typed. An empty text would mean the current folder. */
export function parseArchiveReference(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError(`The reference is empty: give ${archiveWords}.`);
  return text;
}

export const archiveArgument = (): Argument =>
  new Argument('<archive>', archiveWords).argParser(parseArchiveReference);
