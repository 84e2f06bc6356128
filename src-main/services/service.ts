/** @file The base of the services that are classes. */

/** A service that uses the parts it was built from: other services, stores, ports and settings. */
export abstract class Service<Parts extends object> {
  protected readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }
}
