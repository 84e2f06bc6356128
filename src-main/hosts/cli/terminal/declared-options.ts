/** @file Creates commander options from the options that the contract declares, and reads their values. */
import { Option, type Command } from 'commander';
import {
  optionsOf,
  type Flag,
  type OptionDeclaration,
  type OptionTable,
  type OptionValues,
  type ValueFlag,
} from '../../../../src-contract/options.ts';
import { numberWithin, collectRepeated } from './options.ts';

export function addOptions(command: Command, table: OptionTable): Command {
  for (const declaration of Object.values(table)) {
    for (const option of commanderOptions(declaration)) command.addOption(option);
  }
  return command;
}

/** Returns the values that were typed, by field name; an option that was not typed has none. */
export function givenOptions<Table extends OptionTable>(
  command: Command,
  table: Table,
): Partial<OptionValues<Table>> {
  return Object.fromEntries(
    optionsOf(table).flatMap(([name, declaration]) => {
      const value = givenValue(command, declaration);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Partial<OptionValues<Table>>;
}

export const booleanOption = ({ flag, help }: Flag): Option => new Option(`--${flag}`, help);

export const valueOption = ({ flag, placeholder, help }: ValueFlag): Option =>
  new Option(`--${flag} <${placeholder}>`, help);

/** Returns the one option of a declaration, or two that exclude each other. */
export function commanderOptions(declaration: OptionDeclaration): Option[] {
  switch (declaration.kind) {
    case 'text':
      return [valueOption(declaration)];
    case 'number': {
      const { bounds, removalWord } = declaration;
      const parse = (text: string): number | string =>
        text === removalWord ? text : numberWithin(bounds)(text);
      return [valueOption(declaration).argParser(parse)];
    }
    case 'choice':
      return [valueOption(declaration).choices(declaration.choices)];
    case 'list':
      return [valueOption(declaration).argParser(collectRepeated)];
    case 'optional-switch':
    case 'switch': {
      if (declaration.off === null) return [booleanOption(declaration.on)];
      const [on, off] = [booleanOption(declaration.on), booleanOption(declaration.off)];
      // Commander stores `--no-x` as the option `x`; the last flag wins.
      return [off.negate ? on : on.conflicts(off.attributeName()), off];
    }
  }
}

/** Returns undefined if nothing was typed. */
function givenValue(command: Command, declaration: OptionDeclaration): unknown {
  if (declaration.kind !== 'optional-switch' && declaration.kind !== 'switch') {
    const value = valueOf(command, booleanOption(declaration));
    // Commander turns a parsed null into an empty text.
    return declaration.kind === 'number' && value === declaration.removalWord ? null : value;
  }
  if (valueOf(command, booleanOption(declaration.on)) === true) return true;
  if (declaration.off === null) return undefined;
  const off = booleanOption(declaration.off);
  return valueOf(command, off) === !off.negate ? false : undefined;
}

/** Returns undefined for an option that was not typed; commander gives `--no-x` a default. */
function valueOf(command: Command, option: Option): unknown {
  const name = option.attributeName();
  return command.getOptionValueSource(name) === 'cli' ? command.getOptionValue(name) : undefined;
}
