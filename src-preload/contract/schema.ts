/**
 * @file The only door to zod. A strict content security policy forbids `eval`, which zod's compiled parsers use,
 * so the interpreter is chosen once, here, before any schema is built.
 */
import { z } from 'zod';

z.config({ jitless: true });

export { z };
