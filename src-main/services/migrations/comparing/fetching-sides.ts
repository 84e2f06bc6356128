/**
 * @file Sends the requests of a comparison: all to one instance, then all to the other. An error names the instance
 * that failed.
 */
import { AppError, isReadDenied } from '../../../../src-contract/errors.ts';
import { errorText } from '../../../../src-contract/error-messages.ts';
import type { MissingRecord } from '../../../../src-contract/transfers/import.ts';
import type { ProjectDetails } from '../../../../src-contract/projects/project-details.ts';
import type { ListedRecords } from '../../../jobs/migrations/comparing/naming-losses.ts';
import {
  parseProtectedRef,
  type ProtectedRef,
  type ProtectedRelation,
} from '../../../jobs/migrations/comparing/protected-refs.ts';
import type { UploadedFile } from '../../../jobs/migrations/comparing/uploaded-files.ts';
import { parseTime } from '../../../platform/clock.ts';
import type { RemoteInstance } from '../../instances/remote/remote-instance.ts';
import type { readArchivedProject } from './archived-records.ts';
import { compareNotes, type ComparedNotes } from './record-notes.ts';
import {
  notesLostOnExport,
  notesLostOnImport,
} from '../../../jobs/migrations/comparing/contents/changed-notes.ts';
import { changesLostOnExport, changesLostOnImport, type ArchivedChanges } from './merge-request-changes.ts';

export type ComparedRemote = Pick<
  RemoteInstance,
  | 'user'
  | 'projectReads'
  | 'listRecordKeys'
  | 'members'
  | 'hasUser'
  | 'changesCount'
  | 'protectedRefs'
  | 'wikiPageCount'
  | 'discussions'
>;

/** Null if the records of the archive cannot be read one by one. */
export type ArchiveSide = Awaited<ReturnType<typeof readArchivedProject>> | null;

interface FetchedProject {
  details: ProjectDetails;
  listed: ListedRecords;
  /** Null if the members may not be read. */
  members: Awaited<ReturnType<RemoteInstance['members']>>;
  /** Null if the uploads may not be listed, or the server has no such list. */
  uploads: UploadedFile[] | null;
  /** A list is null if it may not be read. */
  protectedRefs: Record<ProtectedRelation, ProtectedRef[] | null>;
  /** The number of wiki pages; null if they may not be listed, and for a target, where only the size is known. */
  wikiPages: number | null;
  lostChanges: { missing: MissingRecord[]; uncheckedCount: number };
  comparedNotes: ComparedNotes;
}

export type SourceSide = FetchedProject;

export interface TargetSide extends FetchedProject {
  /** A time at which the import had ended, by the clock of the target; null if the comparison belongs to the import. */
  importedAt: number | null;
  /** True if the account is an administrator. Otherwise an import creates no members. */
  administrator: boolean;
  /** Usernames of archived members that the project lacks although they have an account on the target. */
  missingMembersWithAccount: ReadonlySet<string>;
}

export interface SideRequest {
  instance: string;
  /** Throws if the instance was removed, or its token is not available. */
  connect: (instance: string) => ComparedRemote;
  projectId: number;
  archive: ArchiveSide;
  hasChangesCount: ArchivedChanges['hasChangesCount'];
  signal: AbortSignal;
}

/**
 * Fetches the source. Errors name the instance in their details.
 *
 * @param exportedAt epoch milliseconds by the clock of the source.
 */
export function fetchSource(request: SideRequest, exportedAt: number): Promise<SourceSide> {
  return withInstanceInErrors(request.instance, async () => {
    // An instance without push rules exports none, so none is lost.
    const { remote, project } = await fetchProject(request, () => false, []);
    const side = changesSideOf(request, remote, project.listed);
    const lostChanges = await changesLostOnExport(side, archivedChanges(request), exportedAt);
    const { statistics } = project.details;
    // A wiki that somebody opened once has a size, but may have no page.
    const size = statistics === null ? null : (statistics['wiki_size'] ?? null);
    const pages = size === 0 ? 0 : await remote.wikiPageCount(request.projectId, request.signal);
    const comparedNotes = await compareNotesOf(request, remote, project.listed, 'on-export', (notes) =>
      notesLostOnExport(notes, exportedAt),
    );
    return { ...project, wikiPages: pages, lostChanges, comparedNotes };
  });
}

/**
 * @param importMs how long the import took at most, from the creation of the project; null if the comparison belongs to
 * the import.
 */
export function fetchTarget(request: SideRequest, importMs: number | null): Promise<TargetSide> {
  return withInstanceInErrors(request.instance, async () => {
    // An import uses the label of a group instead of creating one with the same title.
    const archivedLabels = new Set(request.archive?.records.labels.map(({ key }) => key));
    const { remote, project } = await fetchProject(request, (label) => archivedLabels.has(label), null);
    const side = changesSideOf(request, remote, project.listed);
    const lostChanges = await changesLostOnImport(archivedChanges(request), side);
    const { administrator } = await remote.user(request.signal);
    const targetUsernames = new Set(project.members?.map(({ username }) => username.toLowerCase()));
    const missingMembersWithAccount = new Set<string>();
    for (const { username } of administrator ? (request.archive?.members ?? []) : []) {
      if (!targetUsernames.has(username.toLowerCase()) && (await remote.hasUser(username, request.signal)))
        missingMembersWithAccount.add(username);
    }
    const createdAt = parseTime(project.details.project.createdAt);
    const importedAt = createdAt === null || importMs === null ? null : createdAt + importMs;
    const comparedNotes = await compareNotesOf(request, remote, project.listed, 'on-import', (notes) =>
      notesLostOnImport(notes, importedAt),
    );
    return {
      ...{ ...project, wikiPages: null, lostChanges, comparedNotes, importedAt },
      ...{ administrator, missingMembersWithAccount },
    };
  });
}

/** Returns a sentence on why the source must be left out; null if the cause may be temporary. */
export function sourceGoneReason(error: AppError): string | null {
  const isGone = isReadDenied(error) || error.code === 'project-missing' || error.code === 'project-moved';
  return isGone
    ? 'The source can no longer be read, so the counts from the time of the export were compared. Whether the source changed later is not known.'
    : null;
}

export const sourceUnreachableReason = (instance: string, error: AppError): string =>
  `${instance} could not be read: ${errorText(error.toData()).what} The counts from the time of the export were compared instead. Whether the source changed later is not known.`;

/**
 * Statistics need the Reporter role. An import recalculates them after it restored the LFS objects (gitlab-facts 7).
 */
const detailOptions = { license: false, statistics: true, customAttributes: false };

/**
 * @param countsAsOwn returns whether the label of a group counts as a label of the project. @param pushRuleIfNotOffered
 * the list of push rules for an instance that has none.
 */
async function fetchProject(
  { connect, instance, projectId, signal }: SideRequest,
  countsAsOwn: (label: string | null) => boolean,
  pushRuleIfNotOffered: [] | null,
) {
  const remote = connect(instance);
  const details = await remote.projectReads.details(String(projectId), detailOptions, signal);
  const { push_rule: pushRule, ...records } = await remote.listRecordKeys(projectId, signal);
  const labels = records.labels?.filter(({ isInherited, key }) => isInherited !== true || countsAsOwn(key));
  const listed: ListedRecords = {
    ...{ ...records, labels: labels ?? null },
    push_rule: pushRule === 'not-offered' ? pushRuleIfNotOffered : pushRule,
  };
  const members = await remote.members(projectId, signal);
  const uploads = await listUploads(remote, projectId, signal);
  const protections = {
    protected_branches: await protectionsOf(remote, projectId, 'protected_branches', signal),
    protected_tags: await protectionsOf(remote, projectId, 'protected_tags', signal),
  };
  return { remote, project: { details, listed, members, uploads, protectedRefs: protections } };
}

const noNotes: ComparedNotes = { changed: [], incomplete: [], uncomparedCount: 0 };

const compareNotesOf = async (
  { archive, projectId, signal }: SideRequest,
  remote: ComparedRemote,
  listed: ListedRecords,
  ...[lost, findLosses]: [MissingRecord['lost'], Parameters<typeof compareNotes>[2]]
): Promise<ComparedNotes> =>
  archive === null ? noNotes : compareNotes({ archive, listed, projectId, remote, signal }, lost, findLosses);

const archivedChanges = ({ archive, hasChangesCount }: SideRequest): ArchivedChanges => ({
  records: archive?.records.merge_requests ?? [],
  changedFileCounts: archive?.changedFiles ?? new Map(),
  hasChangesCount,
});

const changesSideOf = (
  { projectId, signal }: SideRequest,
  remote: ComparedRemote,
  listed: ListedRecords,
) => ({
  mergeRequests: listed.merge_requests,
  count: async (iid: number) => remote.changesCount(projectId, iid, signal),
});

async function protectionsOf(
  remote: ComparedRemote,
  projectId: number,
  kind: ProtectedRelation,
  signal: AbortSignal,
): Promise<ProtectedRef[] | null> {
  const listed = await remote.protectedRefs(projectId, kind, signal);
  return listed?.flatMap((record) => parseProtectedRef(record) ?? []) ?? null;
}

async function listUploads(
  remote: ComparedRemote,
  projectId: number,
  signal: AbortSignal,
): Promise<UploadedFile[] | null> {
  const files: UploadedFile[] = [];
  try {
    for await (const upload of remote.projectReads.allUploads(projectId, signal)) {
      const { fileName: name, sizeBytes: bytes, createdAt } = upload;
      files.push({ name, bytes, createdAt: parseTime(createdAt) });
    }
    return files;
  } catch (thrown) {
    if (isReadDenied(thrown)) return null;
    throw thrown;
  }
}

async function withInstanceInErrors<T>(instance: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (thrown) {
    throw AppError.from(thrown).withDetails({ instance });
  }
}
