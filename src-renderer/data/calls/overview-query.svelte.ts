/**
 * @file The overview, requested again on every event that can change it, so that all views soon show the same state.
 */
import { CallQuery } from './call-query.svelte.ts';

/** Create it during component setup. */
export class OverviewQuery extends CallQuery<'overview.show'> {
  constructor() {
    super(
      'overview.show',
      {},
      {
        reloadOn: [
          'job.changed',
          'archive.changed',
          'project.changed',
          'instance.changed',
          'plan.changed',
          'overview.changed',
        ],
      },
    );
  }
}
