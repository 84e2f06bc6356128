/** @file The calls that tell in one reply whether everything is backed up and what needs attention. They ask no instance. */
import { dayMs } from '../../../src-preload/contract/bounds.ts';
import { endsSoon, type Instance } from '../../../src-preload/contract/instance.ts';
import type { Attention, InstanceOverview } from '../../../src-preload/contract/overview.ts';
import { standings } from '../../../src-preload/contract/projects/project.ts';
import type { BridgePorts, Handlers } from '../ports.ts';
import { dismissable, dismissingHandlers } from './dismissing.ts';
import { newCopyMs } from '../projects/project-handlers.ts';

/** A project list older than this tells little about what is backed up. */
const oldListDays = 7;
/** What failed longer ago and was not tried again is history. */
const recentDays = 30;
const littleSpaceBytes = 5_000_000_000;
/** Of each kind of which there may be very many. */
const mostOfAKind = 25;

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
  ports: BridgePorts,
  overview: InstanceOverview,
  { tokenExpiresOn, tokenRefused }: Pick<Instance, 'tokenExpiresOn' | 'tokenRefused'>,
): Attention[] {
  const { name: instance, refreshedAt, anonymous, readOnly } = overview;
  const now = ports.now();
  const found: Attention[] = [];
  for (const { plan, overdue } of ports.plans.list()) {
    if (plan.instance !== instance || overdue === null) continue;
    found.push({ kind: 'plan-overdue', planId: plan.id, plan: plan.name, instance, ...overdue });
  }
  for (const { error, ...run } of ports.plans.inVain()) {
    if (run.instance !== instance) continue;
    found.push(error === null ? { kind: 'plan-empty', ...run } : { kind: 'plan-failed', ...run, error });
  }
  const isMissing = !anonymous && ports.credentials.atHand(instance) === false;
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
const jobFilter = (ports: BridgePorts, known: readonly Pick<Instance, 'name'>[]) => ({
  since: ports.now() - recentDays * dayMs,
  instances: known.map(({ name }) => name),
});

function aboutJobs(ports: BridgePorts, found: ReturnType<typeof jobFilter>): Found {
  const filter = { ...found, limit: mostOfAKind };
  const failed = ports.jobs.failed(filter);
  const warned = ports.jobs.warned(filter);
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

function aboutDepartures(ports: BridgePorts): Found {
  const left = ports.scopes
    .departed(ports.now() - recentDays * dayMs)
    .filter((one) => !ports.dismissals.hasDeparture(one));
  return {
    attention: left.slice(0, mostOfAKind).map((one) => dismissable({ kind: 'left-scope' as const, ...one })),
    more: Math.max(0, left.length - mostOfAKind),
  };
}

function aboutArchives(ports: BridgePorts): Found {
  const { entries, total } = ports.archives.bad(mostOfAKind);
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
  ports: BridgePorts,
): Pick<Handlers, 'overview.show' | 'overview.dismiss' | 'overview.restore'> {
  return {
    ...dismissingHandlers(ports, async () => {
      const filter = jobFilter(ports, await ports.instances.list());
      return { filter, items: [...aboutJobs(ports, filter).attention, ...aboutDepartures(ports).attention] };
    }),
    'overview.show': async ({ patient }) => {
      const known = await ports.instances.list();
      // The backup status of projects follows from what is there.
      const absences = await ports.archives.absences();
      const withToken = known.filter(({ anonymous }) => !anonymous);
      if (patient === true) await Promise.all(withToken.map(({ name }) => ports.credentials.looked(name)));
      const refreshed = ports.projectLists.refreshed();
      const counts = ports.projectLists.standings();
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
          projects: standings.reduce((sum, standing) => sum + of(standing), 0),
          standings: Object.fromEntries(
            standings.map((standing) => [standing, of(standing)]),
          ) as InstanceOverview['standings'],
          ...ports.projectLists.protection(name, ports.now() - newCopyMs),
          plan: ports.plans.standing(name),
        };
      });
      const space = await ports.archives.space();
      const trouble = ports.jobs.trouble();
      const jobs = aboutJobs(ports, jobFilter(ports, known));
      const archives = aboutArchives(ports);
      const departures = aboutDepartures(ports);
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
        ...instances.flatMap((instance, at) => aboutInstance(ports, instance, known[at] ?? untold)),
        ...departures.attention,
        ...ports.notices().map((text) => ({ kind: 'notice' as const, text })),
      ];
      return {
        instances,
        archives: {
          ...ports.archives.totals(),
          absent: absences.reduce((sum, { archives }) => sum + archives, 0),
          freeBytes: space.freeBytes,
        },
        openJobs: ports.jobs.open(null),
        runsJobs: ports.jobs.runHere(),
        attention: attention.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind)),
        moreAttention: jobs.more + archives.more + departures.more,
      };
    },
  };
}
