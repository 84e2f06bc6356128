/** @file The real export archives, which are never in the repository: `PACKHORSE_ARCHIVES` names their folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { skip } from '../requirement.ts';

export const realArchives = process.env['PACKHORSE_ARCHIVES'] ?? '';

/** For `describe.skipIf(…)`. No machine can install them, so their absence is reported but is never a failure. */
export const withoutRealArchives =
  !existsSync(join(realArchives, 'lightweight_export.tar.gz')) &&
  skip('the folder of real export archives', 'set PACKHORSE_ARCHIVES to it');

export const realArchive = (name: string): string => join(realArchives, `${name}_export.tar.gz`);
