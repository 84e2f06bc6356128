/**
 * @file Declares the options of commands, once for all hosts. The command line parses them, the window shows them in
 * the equivalent command, forms have a field for each, and schemas use their bounds. Has no schema, so that the page
 * can import it.
 */
import type { Bounds } from './bounds.ts';

/** A flag without its dashes, and its line in the help. */
export interface Flag {
  flag: string;
  help: string;
}

/** A flag that takes a value. */
export interface ValueFlag extends Flag {
  /** The name of the value in the help. */
  placeholder: string;
}

interface TextOption extends ValueFlag {
  kind: 'text';
  maxLength: number;
}

interface NumberOption extends ValueFlag {
  kind: 'number';
  bounds: Bounds;
  /** The word that removes the number; null if the number cannot be removed. */
  removalWord: string | null;
}

interface ChoiceOption extends ValueFlag {
  kind: 'choice';
  choices: readonly string[];
}

/** A flag that may be given several times. */
interface ListOption extends ValueFlag {
  kind: 'list';
  /** Applies to each text. */
  maxLength: number;
  maxCount: number;
}

/** Sets true or false; null if neither flag is given. */
interface OptionalSwitchOption {
  kind: 'optional-switch';
  on: Flag;
  /** Null if the command line has no flag for false. */
  off: Flag | null;
}

/** Sets true or false. */
interface SwitchOption {
  kind: 'switch';
  initial: boolean;
  on: Flag;
  off: Flag;
}

export type OptionDeclaration =
  TextOption | NumberOption | ChoiceOption | ListOption | OptionalSwitchOption | SwitchOption;
export type OptionTable = Readonly<Record<string, OptionDeclaration>>;

/** The value of a declared option in a request. Null if the option is not given, or removed. */
export type OptionValue<Declaration extends OptionDeclaration> = Declaration extends { kind: 'list' }
  ? string[]
  : Declaration extends { kind: 'number' }
    ? number | null
    : Declaration extends { kind: 'switch' }
      ? boolean
      : Declaration extends { kind: 'optional-switch' }
        ? boolean | null
        : Declaration extends { kind: 'choice'; choices: readonly (infer Choice)[] }
          ? Choice | null
          : string | null;

/** The values of every option of a table, by the name of its field in the request. */
export type OptionValues<Table extends OptionTable> = {
  -readonly [Name in keyof Table]: OptionValue<Table[Name]>;
};

/** Returns the initial value of an option. */
export function initialValue(declaration: OptionDeclaration): string[] | boolean | null {
  if (declaration.kind === 'list') return [];
  return declaration.kind === 'switch' ? declaration.initial : null;
}

/** Returns the initial values of a table's options. */
export const initialValues = <Table extends OptionTable>(table: Table): OptionValues<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([name, declaration]) => [name, initialValue(declaration)]),
  ) as OptionValues<Table>;

/** Returns the options of a table with their names, in the order of the table. */
export const optionsOf = <Table extends OptionTable>(
  table: Table,
): [keyof Table & string, Table[keyof Table]][] =>
  Object.entries(table) as [keyof Table & string, Table[keyof Table]][];

/** Picks the values of a table's options from an object with more fields. */
export const pickOptions = <Table extends OptionTable>(
  table: Table,
  from: OptionValues<Table>,
): OptionValues<Table> =>
  Object.fromEntries(Object.keys(table).map((name) => [name, from[name]])) as OptionValues<Table>;
