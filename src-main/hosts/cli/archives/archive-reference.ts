/** @file How archives are named on the command line. */
import { existsSync } from 'node:fs';
import { userPath } from '../../../platform/paths.ts';

/** Returns the absolute path of an existing file, or null for a reference that only the catalogue can resolve. */
export function existingFile(typed: string): string | null {
  const path = userPath(typed);
  return existsSync(path) ? path : null;
}

/** Returns the reference for a call: an existing file by its absolute path, anything else as typed. */
export const archiveReference = (typed: string): string => existingFile(typed) ?? typed;
