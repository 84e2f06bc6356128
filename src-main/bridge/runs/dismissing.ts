/**
 * @file Which items of the overview a person can dismiss: those that tell of something that is over. What says that data is not
 * protected now stays until that is no longer so.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../../src-contract/errors.ts';
import type { Attention } from '../../../src-contract/overview.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import type { Departure } from '../../services/runs/dismissal-access.ts';

type Dismissable = Extract<Attention, { dismissal?: string | undefined }>;

/** Enough that no two items of an overview have the same name, and few enough to type. */
const nameLength = 10;

/** What happened, in words that are the same as long as nothing more happens. */
function occurrenceOf(about: Dismissable): readonly unknown[] {
  switch (about.kind) {
    case 'job-failed':
    case 'job-warnings':
      return ['job', about.jobId];
    case 'jobs-failed':
      return ['jobs', about.instance, about.jobKind, about.error.code, about.total, about.jobs[0]?.jobId];
    case 'left-scope':
      return ['left', about.instance, about.projectId, about.leftAt];
  }
}

/** The item with the name by which it can be dismissed. */
export const dismissable = <About extends Dismissable>(about: About): About => ({
  ...about,
  dismissal: createHash('sha256')
    .update(JSON.stringify(occurrenceOf(about)))
    .digest('hex')
    .slice(0, nameLength),
});

interface Dismissed {
  jobIds: string[];
  departures: Departure[];
}

/** `since` and `instances` are those by which the overview looks for failed jobs. */
function toldBy(
  services: Services,
  about: Dismissable,
  filter: { since: number; instances: readonly string[] },
): Dismissed {
  switch (about.kind) {
    case 'job-failed':
    case 'job-warnings':
      return { jobIds: [about.jobId], departures: [] };
    case 'jobs-failed': {
      const { jobKind, instance, error, total, dismissal = '' } = about;
      const jobIds = services.jobs.failedAlike(filter, { jobKind, instance, code: error.code });
      // Another process has ended one meanwhile, which nobody has seen.
      if (jobIds.length !== total) throw isMissing(dismissal);
      return { jobIds, departures: [] };
    }
    case 'left-scope':
      return { jobIds: [], departures: [about] };
  }
}

const isMissing = (item: string): AppError =>
  new AppError('attention-missing', `The overview shows no item ${item} that can be dismissed.`, {
    details: { item },
  });

/** `shown`: the items that the overview tells of now, and by which filter it found them. */
export function dismissingHandlers(
  services: Services,
  shown: () => { items: Attention[]; filter: { since: number; instances: readonly string[] } },
): Pick<Handlers, 'overview.dismiss' | 'overview.restore'> {
  return {
    'overview.dismiss': ({ items }) => {
      const { items: all, filter } = shown();
      const told = items.map((item) => {
        const about = all.find((one): one is Dismissable => 'dismissal' in one && one.dismissal === item);
        if (about === undefined) throw isMissing(item);
        return { item, dismissed: toldBy(services, about, filter) };
      });
      for (const { item, dismissed } of told) services.dismissals.add(item, dismissed);
      return { items };
    },
    'overview.restore': ({ items }) => {
      for (const item of items) {
        if (!services.dismissals.remove(item)) {
          throw new AppError('attention-missing', `No item ${item} was dismissed.`, { details: { item } });
        }
      }
      return Promise.resolve({ items });
    },
  };
}
