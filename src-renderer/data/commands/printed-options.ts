/** @file Formats the values of declared options as words of the equivalent command line. */
import {
  optionsOf,
  type OptionDeclaration,
  type OptionTable,
  type OptionValue,
  type OptionValues,
} from '../../../src-contract/options.ts';

/** Returns the words for a table's options; null if the command line cannot express one of them. */
export function formatOptions<Table extends OptionTable>(
  table: Table,
  values: OptionValues<Table>,
): string[] | null {
  const words = optionsOf(table).map(([name, option]) => formatOption(option, values[name]));
  return words.includes(null) ? null : words.flatMap((optionWords) => optionWords ?? []);
}

/**
 * Returns no words for an unset option. With `clearsUnset`, an unset number returns the words that clear its stored value.
 */
export function formatOption(
  option: OptionDeclaration,
  value: OptionValue<OptionDeclaration>,
  clearsUnset = false,
): string[] | null {
  if (option.kind === 'optional-switch' || option.kind === 'switch') {
    if (value === null) return [];
    const flag = value === true ? option.on : option.off;
    return flag && [`--${flag.flag}`];
  }
  const flag = `--${option.flag}`;
  if (option.kind === 'list') return (value as string[]).flatMap((text) => [flag, text]);
  if (value !== null) return [flag, String(value)];
  return clearsUnset && option.kind === 'number' && option.removalWord !== null
    ? [flag, option.removalWord]
    : [];
}
