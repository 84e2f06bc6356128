/** @file The base of the services that are classes. */

/** A service with the dependencies it was built from: other services, stores, ports and settings. */
export abstract class Service<Deps extends object> {
  protected readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }
}
