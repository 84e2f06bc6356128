/** @file The version of the application, read from `package.json`. */
import { readFileSync } from 'node:fs';
import { z } from '../../src-contract/schema.ts';
import { packageFile } from '../platform/paths.ts';

const packageSchema = z.object({ version: z.string() });

export const appVersion = packageSchema.parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version;

/** This version was released after this time, so an earlier clock is wrong. */
export const releasedAfter = '2026-11-01T00:00:00.000Z';
