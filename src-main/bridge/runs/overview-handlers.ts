/** @file The calls that report in one reply whether everything is backed up and what needs attention. */
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

export function overviewHandlers({ overview }: Services) {
  return {
    'overview.show': ({ patient }) => overview.show(patient === true),
    'overview.dismiss': ({ items }) => {
      overview.dismiss(items);
      return { items };
    },
    'overview.restore': ({ items }) => {
      overview.restore(items);
      return { items };
    },
  } satisfies Partial<Handlers>;
}
