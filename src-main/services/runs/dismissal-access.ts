/** @file The dismissals of the catalogue, for the bridge. */
import type { DismissalsPort } from '../../bridge/runs/run-ports.ts';
import { departureSubject, jobSubject, type Dismissals } from '../../catalogue/dismissals.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Announce } from '../events.ts';

export interface DismissalAccessParts {
  dismissals: Dismissals;
  clock: Clock;
  announce: Announce;
}

export const createDismissalAccess = ({
  dismissals,
  clock,
  announce,
}: DismissalAccessParts): DismissalsPort => ({
  add(item, { jobIds, departures }) {
    dismissals.add(item, [...jobIds.map(jobSubject), ...departures.map(departureSubject)], clock.now());
    announce('overview.changed', {});
  },
  remove(item) {
    const wasThere = dismissals.remove(item);
    if (wasThere) announce('overview.changed', {});
    return wasThere;
  },
  hasDeparture: (departure) => dismissals.has(departureSubject(departure)),
});
