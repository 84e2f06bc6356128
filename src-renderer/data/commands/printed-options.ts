/** @file Declared options as the words of a command line that says the same. */
import {
  optionsOf,
  type OptionDeclaration,
  type OptionTable,
  type OptionValue,
  type OptionValues,
} from '../../../src-contract/options.ts';

/** Returns the words of a table's options; null if the command line has no way to say one of them. */
export function printedOptions<Table extends OptionTable>(
  table: Table,
  values: OptionValues<Table>,
): string[] | null {
  const words = optionsOf(table).map(([name, declared]) => printedOption(declared, values[name]));
  return words.includes(null) ? null : words.flatMap((more) => more ?? []);
}

/** None if it is not set. `removes`: an earlier number must be removed where there is none now. */
export function printedOption(
  declared: OptionDeclaration,
  value: OptionValue<OptionDeclaration>,
  removes = false,
): string[] | null {
  if (declared.kind === 'either' || declared.kind === 'switch') {
    if (value === null) return [];
    const flag = value === true ? declared.on : declared.off;
    return flag && [`--${flag.flag}`];
  }
  const flag = `--${declared.flag}`;
  if (declared.kind === 'list') return (value as string[]).flatMap((text) => [flag, text]);
  if (value !== null) return [flag, String(value)];
  return removes && declared.kind === 'number' && declared.none !== null ? [flag, declared.none] : [];
}
