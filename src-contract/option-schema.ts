/** @file Derives the fields of a request from declared options. */
import { initialValue, type OptionDeclaration, type OptionTable, type OptionValue } from './options.ts';
import { z } from './schema.ts';

/** Returns a field for each option of the table. A field that is left out gets its initial value. */
export const fieldsOf = <Table extends OptionTable>(table: Table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, declaration]) => [
      name,
      (fieldOf(declaration) as z.ZodType).default(initialValue(declaration)),
    ]),
  ) as { [Name in keyof Table]: z.ZodDefault<z.ZodType<OptionValue<Table[Name]>, OptionValue<Table[Name]>>> };

const textField = (maxLength: number) => z.string().trim().min(1).max(maxLength);

function fieldOf(declaration: OptionDeclaration) {
  switch (declaration.kind) {
    case 'text':
      return textField(declaration.maxLength).nullable();
    case 'number':
      return z.number().int().min(declaration.bounds.min).max(declaration.bounds.max).nullable();
    case 'choice':
      return z.enum(declaration.choices).nullable();
    case 'list':
      return z.array(textField(declaration.maxLength)).max(declaration.maxCount);
    case 'optional-switch':
      return z.boolean().nullable();
    case 'switch':
      return z.boolean();
  }
}
