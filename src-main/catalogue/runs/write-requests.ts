/** @file The write requests that were sent, in the order in which their outcomes became known. */
import type { ParsedRequest } from '../../../src-contract/calls.ts';
import {
  writeRequestSchema,
  type WriteRequest,
} from '../../../src-contract/instances/write-request-schema.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { whereClause } from '../rows.ts';

export class WriteRequests extends CatalogueTable {
  add(request: Omit<WriteRequest, 'id'>): void {
    this.catalogue.run(
      `INSERT INTO write_requests (instance, job, at, method, path, status)
         VALUES (@instance, @job, @at, @method, @path, @status)`,
      request,
    );
  }

  /** Returns requests, newest first. `before` is the id of the last request of the previous page. */
  list(filter: ParsedRequest<'request.list'>): WriteRequest[] {
    const { instance, job, before } = filter;
    // Contains only the given filters, so that SQLite finds the index for them.
    const where = [
      ...(instance === null ? [] : ['instance = @instance']),
      ...(job === null ? [] : ['job = @job']),
      ...(before === null ? [] : ['id < @before']),
    ];
    return this.catalogue.rows(
      'write_requests',
      writeRequestSchema,
      `SELECT id, instance, job, at, method, path, status FROM write_requests ${whereClause(where)}
         ORDER BY id DESC LIMIT @limit`,
      filter,
    );
  }
}
