/** @file The only file that imports zod. The page contains no zod (docs/decisions/0022). */
export { z } from 'zod';
