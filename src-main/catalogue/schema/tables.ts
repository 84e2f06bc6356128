/** @file The declaration of a subject in the schema: the SQL of its tables, and how older versions of them are upgraded. */

export interface SubjectTables {
  /** SQL that creates the tables and their indexes. */
  create: string;
  /** By version of the schema: SQL that upgrades these tables and their rows from it to the next version. */
  upgrades?: Upgrades;
}

export type Upgrades = Readonly<Record<number, string>>;

/** Returns all upgrades by version. SQL of the same version is joined in the given order. */
export function joinUpgrades(all: readonly Upgrades[]): Upgrades {
  const joined: Record<number, string> = {};
  for (const upgrades of all) {
    for (const [version, sql] of Object.entries(upgrades)) {
      joined[Number(version)] = (joined[Number(version)] ?? '') + sql;
    }
  }
  return joined;
}
