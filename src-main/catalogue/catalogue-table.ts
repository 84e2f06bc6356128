/** @file The base of the classes with the SQL statements on the tables of one subject. */
import type { Catalogue } from './database.ts';

/** Synchronous: when a method returns, its change is on disk. Times are epoch milliseconds, passed by the caller. */
export abstract class CatalogueTable {
  protected readonly catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue;
  }
}
