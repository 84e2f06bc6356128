/**
 * @file The only entrance to zod, and the check that a schema matches its noun. The page carries neither
 * (docs/decisions/0022).
 */
import type { z } from 'zod';

export { z } from 'zod';

// Only two such function types are compared for identity; an interface around them is compared by variance, which is not enough.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Returns the schema itself. Compiles only if what the schema returns is exactly the noun, field by field. */
export const schemaOf =
  <Noun>() =>
  <Schema extends z.ZodType>(
    schema: Schema,
    ..._nounAndSchemaDiffer: Same<Noun, z.output<Schema>> extends true ? [] : [never]
  ): Schema =>
    schema;
