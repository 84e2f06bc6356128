/** @file How archives are named on the command line. */
import { existsSync } from 'node:fs';
import { userPath } from '../../../platform/paths.ts';

/** The absolute path of an existing file, or null for what can only be looked up in the catalogue. */
export function existingFile(typed: string): string | null {
  const path = userPath(typed);
  return existsSync(path) ? path : null;
}

/** A reference as the core takes it: an existing file by its absolute path, anything else as typed. */
export const archiveReference = (typed: string): string => existingFile(typed) ?? typed;
