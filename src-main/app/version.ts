/** @file The version of the application, from the one place that states it. */
import { readFileSync } from 'node:fs';
import { z } from '../../src-preload/contract/schema.ts';
import { packageFile } from '../platform/paths.ts';

export const appVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version;
