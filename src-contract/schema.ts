/** @file The only door to zod. The page and the preload carry no schema, and with it no zod (docs/decisions/0016). */
export { z } from 'zod';
