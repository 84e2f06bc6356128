/** @file Derives the fields of a request from declared options. */
import { initialValue, type OptionDeclaration, type OptionTable, type OptionValue } from './options.ts';
import { z } from './schema.ts';

/** Returns a field for each option of the table. A field that is left out gets its initial value. */
export const fieldsOf = <Table extends OptionTable>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, declared]) => [
      name,
      (fieldOf(declared) as z.ZodType).default(initialValue(declared)),
    ]),
  ) as { [Name in keyof Table]: z.ZodDefault<z.ZodType<OptionValue<Table[Name]>, OptionValue<Table[Name]>>> };

const textOf = (maxLength: number) => z.string().trim().min(1).max(maxLength);

function fieldOf(declared: OptionDeclaration) {
  switch (declared.kind) {
    case 'text':
      return textOf(declared.maxLength).nullable();
    case 'number':
      return z.number().int().min(declared.bounds.min).max(declared.bounds.max).nullable();
    case 'choice':
      return z.enum(declared.choices).nullable();
    case 'list':
      return z.array(textOf(declared.maxLength)).max(declared.maxCount);
    case 'either':
      return z.boolean().nullable();
    case 'switch':
      return z.boolean();
  }
}
