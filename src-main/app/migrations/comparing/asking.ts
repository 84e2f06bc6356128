/** @file What a comparison asks of the two instances: all of the one, then all of the other, so that it is known which failed. */
import { AppError, mayNotBeRead } from '../../../../src-preload/contract/errors.ts';
import { errorText } from '../../../../src-preload/contract/error-messages.ts';
import type { MissingRecord } from '../../../../src-preload/contract/import.ts';
import type { ProjectDetails } from '../../../../src-preload/contract/projects/project-details.ts';
import type { Listed } from '../../../jobs/migrations/naming-losses.ts';
import type { Remote } from '../../remote/remote.ts';
import type { archivedRecords } from '../archived-records.ts';
import { changesLostOnExport, changesLostOnImport, type ArchivedChanges } from '../merge-request-changes.ts';

/** What of an instance is asked. */
export type ComparedRemote = Pick<
  Remote,
  'user' | 'reads' | 'identities' | 'members' | 'hasUser' | 'changesCount'
>;

/** Null where the records of the archive cannot be read one by one. */
export type Held = Awaited<ReturnType<typeof archivedRecords>> | null;

interface AskedProject {
  details: ProjectDetails;
  listed: Listed;
  /** Null where they may not be read. */
  members: Awaited<ReturnType<Remote['members']>>;
  /** How many; null where they may not be listed, or the server has no such list. */
  uploads: number | null;
  /** Merge requests that lost their changes on the way there, and how many were not asked about. */
  changes: { missing: MissingRecord[]; unasked: number };
}

export type AskedSource = AskedProject;

export interface AskedTarget extends AskedProject {
  /** Whether the account is an administrator: else an import brings no members. */
  administrator: boolean;
  /** Of members in the archive that the project lacks: who has an account there. */
  withAccount: ReadonlySet<string>;
}

export interface Asking {
  /** Name of the instance. */
  instance: string;
  /** Throws where it is not known any more, or its token is not at hand. */
  connect: (instance: string) => ComparedRemote;
  projectId: number;
  held: Held;
  isTold: ArchivedChanges['isTold'];
  signal: AbortSignal;
}

/** Rejects with the instance in the error's details. @param exportedAt by the clock of the source. */
export function askSource(asking: Asking, exportedAt: number): Promise<AskedSource> {
  return named(asking.instance, async () => {
    const { remote, project } = await askProject(asking);
    const side = changesSide(asking, remote, project.listed);
    const changes = await changesLostOnExport(side, archivedChanges(asking), exportedAt);
    return { ...project, changes };
  });
}

/** Rejects with the instance in the error's details. */
export function askTarget(asking: Asking): Promise<AskedTarget> {
  return named(asking.instance, async () => {
    const { remote, project } = await askProject(asking);
    const side = changesSide(asking, remote, project.listed);
    const changes = await changesLostOnImport(archivedChanges(asking), side);
    const { administrator } = await remote.user(asking.signal);
    const there = new Set(project.members?.map(({ name }) => name.toLowerCase()));
    const withAccount = new Set<string>();
    for (const { username: name } of administrator ? (asking.held?.members ?? []) : []) {
      if (!there.has(name.toLowerCase()) && (await remote.hasUser(name, asking.signal)))
        withAccount.add(name);
    }
    return { ...project, changes, administrator, withAccount };
  });
}

/** Why a comparison must do without the source, as a sentence; null where that cannot be known for sure, and may be otherwise later. */
export function whyGone(error: AppError): string | null {
  const isGone = mayNotBeRead(error) || error.code === 'project-missing' || error.code === 'project-moved';
  return isGone
    ? 'The source cannot be read any more, so it was compared as it was counted around the export; whether it changed since is not known.'
    : null;
}

export const whyNotAsked = (instance: string, error: AppError): string =>
  `${instance} could not be asked: ${errorText(error.toData()).what} So the source was compared as it was counted around the export; whether it changed since is not known.`;

/** Statistics come from the role of a reporter on; an import counts them anew after the LFS objects (gitlab-facts 7). */
const wanted = { license: false, statistics: true, customAttributes: false };

async function askProject({ connect, instance, projectId, signal }: Asking) {
  const remote = connect(instance);
  const details = await remote.reads.details(String(projectId), wanted, signal);
  const listed: Listed = await remote.identities(projectId, signal);
  const members = await remote.members(projectId, signal);
  const uploads = await countUploads(remote, projectId, signal);
  return { remote, project: { details, listed, members, uploads } };
}

const archivedChanges = ({ held, isTold }: Asking): ArchivedChanges => ({
  records: held?.records.merge_requests ?? [],
  files: held?.changedFiles ?? new Map(),
  isTold,
});

const changesSide = ({ projectId, signal }: Asking, remote: ComparedRemote, listed: Listed) => ({
  listed: listed.merge_requests,
  count: async (iid: number) => remote.changesCount(projectId, iid, signal),
});

async function countUploads(
  remote: ComparedRemote,
  projectId: number,
  signal: AbortSignal,
): Promise<number | null> {
  let count = 0;
  let cursor: string | null = null;
  try {
    do {
      const page: Awaited<ReturnType<ComparedRemote['reads']['uploads']>> = await remote.reads.uploads(
        String(projectId),
        { cursor, limit: 100 },
        signal,
      );
      if (page.total !== null && cursor === null) return page.total;
      count += page.records.length;
      cursor = page.next;
    } while (cursor !== null);
    return count;
  } catch (thrown) {
    if (mayNotBeRead(thrown)) return null;
    throw thrown;
  }
}

async function named<T>(instance: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    const { code, message, retry, details } = AppError.from(thrown);
    throw new AppError(code, message, { retry, details: { ...details, instance }, cause: thrown });
  }
}
