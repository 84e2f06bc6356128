/** @file The dismissals of the catalogue, for the bridge. */
import { departureSubject, jobSubject, type Dismissals } from '../../catalogue/dismissals.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Announce } from '../events.ts';

/** What was dismissed from the overview: jobs by their id, and departures of projects. */
export interface DismissalAccess {
  /** `item`: the name of what told of them. */
  add(item: string, dismissed: { jobIds: readonly string[]; departures: readonly Departure[] }): void;
  /** Returns false where no such item was dismissed. */
  remove(item: string): boolean;
  hasDeparture(departure: Departure): boolean;
}

/** `leftAt` is ISO 8601 UTC. */
export interface Departure {
  instance: string;
  projectId: number;
  leftAt: string;
}

export interface DismissalAccessParts {
  dismissals: Dismissals;
  clock: Clock;
  announce: Announce;
}

export const createDismissalAccess = ({
  dismissals,
  clock,
  announce,
}: DismissalAccessParts): DismissalAccess => ({
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
