/**
 * @file The calls that report in one reply whether everything is backed up and what needs attention. They ask
 * no instance.
 */
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';

export function overviewHandlers({
  overview,
}: Services): Pick<Handlers, 'overview.show' | 'overview.dismiss' | 'overview.restore'> {
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
  };
}
