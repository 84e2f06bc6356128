/** @file The calls that tell in one reply whether everything is backed up and what needs attention. They ask no instance. */
import { dayMs } from '../../../src-contract/bounds.ts';
import { endsSoon, type Instance } from '../../../src-contract/instance.ts';
import type { Attention, InstanceOverview } from '../../../src-contract/overview.ts';
import { backupStatuses } from '../../../src-contract/projects/project.ts';
import type { Handlers } from '../handler.ts';
import type { Services } from '../../services/services.ts';
import { dismissable, dismissingHandlers } from './dismissing.ts';
import { newCopyMs } from '../projects/project-handlers.ts';

/** A project list older than this tells little about what is backed up. */
const oldListDays = 7;
/** What failed longer ago and was not tried again is history. */
const recentDays = 30;
const littleSpaceBytes = 5_000_000_000;
/** Of each kind of which there may be very many. */
const maxOfAKind = 25;

/** Worst first. */
const order: Attention['kind'][] = [
  'archives-absent',
  'jobs-stuck',
  'token-missing',
  'token-refused',
  'archive-damaged',
  'projects-incomplete',
  'projects-suspicious',
  'disk-low',
  'job-failed',
  'jobs-failed',
  'plan-failed',
  'plan-overdue',
  'plan-empty',
  'left-scope',
  'token-read-only',
  'never-backed-up',
  'job-warnings',
  'older-archive-damaged',
  'token-expires',
  'list-old',
  'notice',
];

interface Found {
  attention: Attention[];
  more: number;
}

const untold = { tokenExpiresOn: null, tokenRefused: null };

function aboutInstance(
  services: Services,
  overview: InstanceOverview,
  { tokenExpiresOn, tokenRefused }: Pick<Instance, 'tokenExpiresOn' | 'tokenRefused'>,
): Attention[] {
  const { name: instance, refreshedAt, anonymous, readOnly } = overview;
  const now = services.clock.now();
  const found: Attention[] = [];
  for (const { plan, overdue } of services.plans.list()) {
    if (plan.instance !== instance || overdue === null) continue;
    found.push({ kind: 'plan-overdue', planId: plan.id, plan: plan.name, instance, ...overdue });
  }
  for (const { error, ...run } of services.plans.inVain()) {
    if (run.instance !== instance) continue;
    found.push(error === null ? { kind: 'plan-empty', ...run } : { kind: 'plan-failed', ...run, error });
  }
  const isMissing = !anonymous && services.presence.of(instance) === false;
  if (isMissing) found.push({ kind: 'token-missing', instance });
  else if (!anonymous && tokenRefused !== null) {
    found.push({ kind: 'token-refused', instance, code: tokenRefused.code });
  } else if (tokenExpiresOn !== null && Date.parse(tokenExpiresOn) <= now) {
    found.push({ kind: 'token-refused', instance, code: 'token-expired' });
  } else if (tokenExpiresOn !== null && endsSoon(tokenExpiresOn, now)) {
    found.push({ kind: 'token-expires', instance, expiresOn: tokenExpiresOn });
  }
  // Whoever looks only is not told to back up.
  const looksOnly = anonymous || readOnly;
  const never = overview.standings.never - overview.newCopies;
  if (overview.tokenCanWrite === false && !looksOnly) found.push({ kind: 'token-read-only', instance });
  else if (never > 0 && !looksOnly) found.push({ kind: 'never-backed-up', instance, projects: never });
  if (overview.standings.incomplete > 0) {
    found.push({ kind: 'projects-incomplete', instance, projects: overview.standings.incomplete });
  }
  if (overview.standings.suspicious > 0) {
    found.push({ kind: 'projects-suspicious', instance, projects: overview.standings.suspicious });
  }
  if (refreshedAt === null || now - Date.parse(refreshedAt) > oldListDays * dayMs) {
    found.push({ kind: 'list-old', instance, refreshedAt });
  }
  return found;
}

/** Of instances that are still registered: of others nothing can be made good. */
const jobFilter = (services: Services, known: readonly Pick<Instance, 'name'>[]) => ({
  since: services.clock.now() - recentDays * dayMs,
  instances: known.map(({ name }) => name),
});

function aboutJobs(services: Services, found: ReturnType<typeof jobFilter>): Found {
  const filter = { ...found, limit: maxOfAKind };
  const failed = services.jobs.failed(filter);
  const warned = services.jobs.warned(filter);
  return {
    attention: [
      ...failed.entries.map(({ jobs, total, isUnprotected, ...shared }): Attention => {
        const [newest] = jobs;
        const about =
          total === 1 && newest !== undefined
            ? { kind: 'job-failed' as const, ...shared, ...newest }
            : { kind: 'jobs-failed' as const, ...shared, total, jobs };
        return isUnprotected ? about : dismissable(about);
      }),
      ...warned.entries.map((job) => dismissable({ kind: 'job-warnings' as const, ...job })),
    ],
    more: failed.total - failed.entries.length + warned.total - warned.entries.length,
  };
}

function aboutDepartures(services: Services): Found {
  const left = services.scopes
    .departed(services.clock.now() - recentDays * dayMs)
    .filter((one) => !services.dismissals.hasDeparture(one));
  return {
    attention: left.slice(0, maxOfAKind).map((one) => dismissable({ kind: 'left-scope' as const, ...one })),
    more: Math.max(0, left.length - maxOfAKind),
  };
}

function aboutArchives(services: Services): Found {
  const { entries, total } = services.archives.bad(maxOfAKind);
  return {
    attention: entries.map((archive) => ({
      kind: archive.superseded ? ('older-archive-damaged' as const) : ('archive-damaged' as const),
      archiveId: archive.id,
      instance: archive.instanceName,
      project: archive.fullPath,
      reason: archive.damaged?.reason ?? 'It cannot be read to its end.',
    })),
    more: total - entries.length,
  };
}

export function overviewHandlers(
  services: Services,
): Pick<Handlers, 'overview.show' | 'overview.dismiss' | 'overview.restore'> {
  return {
    ...dismissingHandlers(services, () => {
      const filter = jobFilter(services, services.instances.list());
      return {
        filter,
        items: [...aboutJobs(services, filter).attention, ...aboutDepartures(services).attention],
      };
    }),
    'overview.show': async ({ patient }) => {
      const known = services.instances.list();
      // The backup status of projects follows from what is there.
      const absences = await services.archives.absences();
      const withToken = known.filter(({ anonymous }) => !anonymous);
      if (patient === true) await Promise.all(withToken.map(({ name }) => services.presence.looked(name)));
      const refreshed = services.projectLists.refreshed();
      const counts = services.projectLists.standings();
      const instances = known.map((one): InstanceOverview => {
        const { name, url, username, tokenCanWrite, anonymous, readOnly } = one;
        const of = (standing: string): number =>
          counts.find((count) => count.instance === name && count.standing === standing)?.projects ?? 0;
        const refreshedAt = refreshed.get(name);
        return {
          name,
          url,
          username,
          tokenCanWrite,
          anonymous,
          readOnly,
          refreshedAt: refreshedAt === undefined ? null : new Date(refreshedAt).toISOString(),
          projects: backupStatuses.reduce((sum, standing) => sum + of(standing), 0),
          standings: Object.fromEntries(
            backupStatuses.map((standing) => [standing, of(standing)]),
          ) as InstanceOverview['standings'],
          ...services.projectLists.protection(name, services.clock.now() - newCopyMs),
          plan: services.plans.standing(name),
        };
      });
      const space = await services.archives.space();
      const trouble = services.jobs.trouble();
      const jobs = aboutJobs(services, jobFilter(services, known));
      const archives = aboutArchives(services);
      const departures = aboutDepartures(services);
      const attention: Attention[] = [
        ...(trouble === null ? [] : [{ kind: 'jobs-stuck' as const, error: trouble.toData() }]),
        ...(space.freeBytes !== null && space.freeBytes < littleSpaceBytes
          ? [{ kind: 'disk-low' as const, path: space.path, freeBytes: space.freeBytes }]
          : []),
        ...absences.map(({ path, replaced, archives, projects }) => ({
          kind: 'archives-absent' as const,
          ...{ path, replaced, archives, projects },
        })),
        ...archives.attention,
        ...jobs.attention,
        ...instances.flatMap((instance, at) => aboutInstance(services, instance, known[at] ?? untold)),
        ...departures.attention,
        ...services.notices().map((text) => ({ kind: 'notice' as const, text })),
      ];
      return {
        instances,
        archives: {
          ...services.archives.totals(),
          absent: absences.reduce((sum, { archives }) => sum + archives, 0),
          freeBytes: space.freeBytes,
        },
        openJobs: services.jobs.open(null),
        runsJobs: services.jobs.runHere(),
        attention: attention.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind)),
        moreAttention: jobs.more + archives.more + departures.more,
      };
    },
  };
}
