/**
 * @file The write requests that were sent, in the order in which their outcomes became known. Rows are only ever added.
 */
import { writeRequestSchema } from '../../../src-contract/instances/write-request-schema.ts';
import type { WriteRequest } from '../../../src-contract/instances/write-request-schema.ts';
import type { Catalogue } from '../database.ts';
import { readRow } from '../rows.ts';

export class WriteRequests {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  add(request: Omit<WriteRequest, 'id'>): void {
    this.#catalogue.run(
      `INSERT INTO write_requests (instance, job, at, method, path, status)
         VALUES (@instance, @job, @at, @method, @path, @status)`,
      request,
    );
  }

  /** Newest first. `before` is the id of the last one of the previous page. */
  list(filter: {
    instance: string | null;
    job: string | null;
    before: number | null;
    limit: number;
  }): WriteRequest[] {
    const { instance, job, before } = filter;
    // Contains only the given filters, so that SQLite finds the index for them.
    const where = [
      ...(instance === null ? [] : ['instance = @instance']),
      ...(job === null ? [] : ['job = @job']),
      ...(before === null ? [] : ['id < @before']),
    ];
    return this.#catalogue
      .all(
        `SELECT id, instance, job, at, method, path, status FROM write_requests
           ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`} ORDER BY id DESC LIMIT @limit`,
        filter,
      )
      .map((row) => readRow(writeRequestSchema, row, 'write_requests'));
  }
}
