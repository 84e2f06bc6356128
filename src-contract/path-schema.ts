/**
 * @file Paths in requests, on the machine that runs the app. `pathSchema` declares each of them, so that the bridge
 * finds it in any request. A page can only name paths that the user gave it (`src-main/bridge/archives/path-gate.ts`).
 */
import { z } from './schema.ts';

/**
 * The use of a path in a request. `archive`: a reference to an archive, which is a path only if it is absolute; `file`:
 * any file that is read; `save-to`: a folder or file for saving; `archive-root`: an archive folder; `certificate`: a
 * file of certificate authorities; `program`: a program that is run.
 */
export type PathUse = 'archive' | 'file' | 'save-to' | 'archive-root' | 'certificate' | 'program';

export interface RequestPath {
  use: PathUse;
  path: string;
}

const pathUses = z.registry<{ use: PathUse }>();

/**
 * Returns the schema of a path with that use. Only wrappers such as `nullable` may be added: a copy would lose the
 * declaration.
 */
export function pathSchema(use: PathUse) {
  return z.string().min(1).max(4096).register(pathUses, { use });
}

/** Like `pathSchema`, for a value that is checked elsewhere. A value that is no string contains no path. */
export function uncheckedPathSchema(use: PathUse) {
  return z.unknown().register(pathUses, { use });
}

/** Returns the declared use of the paths in a schema; null if there is none. */
export const pathUseOf = (schema: z.core.$ZodType): PathUse | null => pathUses.get(schema)?.use ?? null;

/** Returns all paths in a value that the schema has parsed. Throws for an unsupported kind of schema. */
export function pathsIn(schema: z.core.$ZodType, value: unknown): RequestPath[] {
  const use = pathUseOf(schema);
  // An empty text names no file: it removes the stored one.
  if (use !== null) return typeof value === 'string' && value !== '' ? [{ use, path: value }] : [];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, part]) => pathsIn(part, partOf(value, name)));
    case 'record':
      return Object.values(value ?? {}).flatMap((part) => pathsIn(def.valueType, part));
    case 'array':
      return (Array.isArray(value) ? value : []).flatMap((part) => pathsIn(def.element, part));
    case 'union':
      return def.options
        .filter((option) => z.safeParse(option, value).success)
        .flatMap((option) => pathsIn(option, value));
    case 'nullable':
    case 'optional':
    case 'default':
      return pathsIn(def.innerType, value);
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'unknown':
      return [];
    default:
      throw new Error(`The paths in a schema of the kind "${def.type}" cannot be found.`);
  }
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
