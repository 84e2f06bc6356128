/** @file The only entrance to zod. The page carries none of it (docs/decisions/0022). */
export { z } from 'zod';
