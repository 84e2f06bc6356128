/**
 * @file Sends the requests of a comparison: all to one instance, then all to the other. An error names the instance
 * that failed.
 */
import type { RecordTotals } from '../../../../gitlab/projects/record-totals.ts';
import { AppError, isReadDenied } from '../../../../../src-contract/errors.ts';
import { errorText } from '../../../../../src-contract/error-messages.ts';
import type { ChosenDepth, MissingRecord } from '../../../../../src-contract/transfers/import.ts';
import type { ProjectDetails, Upload } from '../../../../../src-contract/projects/project-details.ts';
import { comparedRelations } from '../../../../../src-contract/relations.ts';
import type { FullList } from '../../../../gitlab/http/full-list.ts';
import type { ContradictoryList } from '../../../../jobs/migrations/comparing/unknown/contradictory-lists.ts';
import { invitationList, type Invitation } from '../../../../jobs/migrations/comparing/people/invitations.ts';
import type { ListedMember } from '../../../../jobs/migrations/comparing/people/members.ts';
import {
  withoutReplacements,
  type ArchivedRecords,
  type ListedRecords,
} from '../../../../jobs/migrations/comparing/losses/naming-losses.ts';
import {
  recordsOfGroupsIn,
  withoutRecordsOfGroups,
  type RecordsOfGroups,
} from '../../../../jobs/migrations/comparing/losses/records-of-groups.ts';
import { exportedPipelines } from '../../../../jobs/migrations/comparing/losses/unexported-pipelines.ts';
import {
  parseProtectedRef,
  type ProtectedRef,
  type ProtectedRelation,
  type untimedProtections,
} from '../../../../jobs/migrations/comparing/refs/protected-refs.ts';
import type { ShownAvatar } from '../../../../jobs/migrations/comparing/avatar.ts';
import type { WikiPage } from '../../../../jobs/migrations/comparing/wiki.ts';
import {
  filesCreatedBefore,
  type UploadedFile,
} from '../../../../jobs/migrations/comparing/losses/uploaded-files.ts';
import { parseTime } from '../../../../platform/clock.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';
import type { readArchivedProject } from './archived-records.ts';
import { withAddresses } from './target-members.ts';
import { compareNotes, noNotes, type ComparedNotes } from '../one-by-one/record-notes.ts';
import { withRecordParts, withUnreadNotes, type UnreadParts } from '../one-by-one/record-parts.ts';
import { readAvatar } from '../one-by-one/avatar-content.ts';
import { compareUploadContents, type ComparedUploads } from '../one-by-one/upload-contents.ts';
import {
  noteDifferencesOnExport,
  noteDifferencesOnImport,
} from '../../../../jobs/migrations/comparing/notes/changed-notes.ts';
import {
  changesLostOnExport,
  changesLostOnImport,
  type ArchivedChanges,
  type LostChanges,
} from '../one-by-one/merge-request-changes.ts';

export type ComparedRemote = Pick<
  RemoteInstance,
  | 'user'
  | 'projectReads'
  | 'listRecordKeys'
  | 'recordTotals'
  | 'members'
  | 'invitations'
  | 'uploads'
  | 'accountOf'
  | 'mergeRequestDiff'
  | 'protectedRefs'
  | 'wikiPages'
  | 'lfsObjects'
  | 'furtherSettings'
  | 'discussions'
  | 'downloadUpload'
  | 'downloadAvatar'
  | 'hasIterations'
  | 'recordPart'
  | 'visibilityLimits'
>;

/** Null if the records of the archive cannot be read one by one. */
export type ArchiveSide = Awaited<ReturnType<typeof readArchivedProject>> | null;

/** A list is null if it may not be read, if the server does not have it, or if it contradicts itself. */
export interface FetchedProject {
  instance: string;
  details: ProjectDetails;
  listed: ListedRecords;
  groupRecords: RecordsOfGroups;
  members: ListedMember[] | null;
  /** Empty if they were not requested. */
  invitations: Invitation[] | null;
  uploads: UploadedFile[] | null;
  protectedRefs: Record<ProtectedRelation, ProtectedRef[] | null>;
  contradictoryLists: ContradictoryList[];
  /** The source of each pipeline that GitLab lists and does not export. */
  unexportedPipelines: string[];
  avatar: ShownAvatar;
  /** The pages of the wiki; null if they were not read. */
  wikiPages: WikiPage[] | null;
  lostChanges: LostChanges;
  comparedUploads: ComparedUploads;
  comparedNotes: ComparedNotes;
  unreadParts: UnreadParts;
}

export interface SourceSide extends FetchedProject {
  administrator: boolean;
}

export interface TargetSide extends FetchedProject {
  /** A time at which the import had not ended, in epoch milliseconds by the clock of the target. */
  importedAt: number;
  /** True if the account is an administrator. Otherwise an import creates no members. */
  administrator: boolean;
  /** The username of the account. */
  account: string;
  /** The oids of the archived LFS objects that the project has; null if they were not read. */
  lfsObjects: ReadonlySet<string> | null;
  /** Usernames of archived members that the project lacks although they have an account on the target. */
  missingMembersWithAccount: ReadonlySet<string>;
  /** Number of labels and milestones of the project's groups, if only numbers are compared. */
  recordsOfGroups?: RecordTotals['ofGroups'];
}

export interface SideRequest {
  instance: string;
  /** Throws if the instance was removed, or its token is not available. */
  connect: (instance: string) => ComparedRemote;
  projectId: number;
  archive: ArchiveSide;
  /** Only `contents` reads records one by one. */
  depth: ChosenDepth;
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
    const { remote, project: listedProject } = await fetchProject(
      request,
      null,
      [],
      (_, details) => isPremium(details),
      { errorTracking: true, invitations: true },
    );
    const { listed, unread } = await withRecordParts({
      ...{ ...request, side: 'source', remote, listed: listedProject.listed },
      archive: archiveToRead(request),
    });
    const project = { ...listedProject, listed };
    const side = changesSideOf(request, remote, project.listed);
    const lostChanges = await changesLostOnExport(side, changesToCompare(request), exportedAt);
    const { statistics } = project.details;
    // A wiki that somebody opened once has a size, but may have no page.
    const size = statistics === null ? null : (statistics['wiki_size'] ?? null);
    const pages = size === 0 ? [] : await remote.wikiPages(request.projectId, request.signal);
    const comparedNotes = await compareNotesOf(request, remote, project.listed, 'on-export', (notes) =>
      noteDifferencesOnExport(notes, exportedAt),
    );
    const { administrator } = await remote.user(request.signal);
    const comparedUploads = await compareUploadContents({
      archive: archiveToRead(request)?.uploads ?? [],
      listed: project.uploads && filesCreatedBefore(project.uploads, exportedAt),
      ...{ lost: 'on-export', projectId: request.projectId, remote, signal: request.signal },
    });
    return {
      ...{ ...project, wikiPages: pages, lostChanges, comparedUploads, comparedNotes },
      ...{ unreadParts: withUnreadNotes(unread, comparedNotes), administrator },
      avatar: await avatarOf(request, remote, project.details),
    };
  });
}

/** Parts that each take a request of their own. They are read on the target if another side has them. */
export interface ExpectedParts {
  /** Whether the source showed pages of its wiki. */
  wiki: boolean;
  /** Whether source or archive have settings of error tracking. */
  errorTracking: boolean;
}

/** @param importedAt a time at which the import had not ended, in epoch milliseconds by the clock of the target. */
export function fetchTarget(
  request: SideRequest,
  importedAt: number,
  expected: ExpectedParts = { wiki: false, errorTracking: false },
): Promise<TargetSide> {
  return withInstanceInErrors(request.instance, async () => {
    const { remote, project: found } = await fetchProject(
      request,
      request.archive?.records ?? null,
      null,
      (relation) => (request.archive?.protectedRefs[relation].length ?? 0) > 0,
      {
        errorTracking: expected.errorTracking,
        invitations: (request.archive?.invitations.length ?? 0) > 0,
      },
    );
    const createdAt = parseTime(found.details.project.createdAt);
    const own = Object.fromEntries(
      comparedRelations.map((relation) => {
        const records = found.listed[relation];
        const archived = request.archive?.records[relation] ?? [];
        return [relation, records && withoutReplacements(archived, records, createdAt)];
      }),
    ) as ListedRecords;
    const { listed, unread } = await withRecordParts({
      ...{ ...request, side: 'target', remote, listed: own },
      archive: archiveToRead(request),
    });
    const project = { ...found, listed };
    const side = changesSideOf(request, remote, project.listed);
    const { administrator, username: account } = await remote.user(request.signal);
    const archivedMembers = request.archive?.members ?? [];
    const members = await withAddresses(
      project.members,
      administrator,
      archivedMembers,
      remote,
      request.signal,
    );
    const lostChanges = await changesLostOnImport(changesToCompare(request), side, importedAt);
    const comparedNotes = await compareNotesOf(request, remote, project.listed, 'on-import', (notes) =>
      noteDifferencesOnImport(notes, importedAt),
    );
    // Without a wiki of the source, the pages could be compared with nothing.
    const wikiPages = expected.wiki ? await remote.wikiPages(request.projectId, request.signal) : null;
    const comparedUploads = await compareUploadContents({
      archive: archiveToRead(request)?.uploads ?? [],
      listed: project.uploads,
      ...{ lost: 'on-import', projectId: request.projectId, remote, signal: request.signal },
    });
    return {
      ...{ ...project, wikiPages, lostChanges, comparedNotes, importedAt },
      ...{ administrator, account, ...members, comparedUploads },
      lfsObjects: await lfsObjectsOf(request, remote, project.details),
      avatar: await avatarOf(request, remote, project.details),
      unreadParts: withUnreadNotes(unread, comparedNotes),
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
 * Statistics need the Reporter role, and custom attributes an administrator; GitLab leaves them out for others. An import recalculates them after it restored the LFS objects (gitlab-facts 7).
 */
export const detailOptions = { license: false, statistics: true, customAttributes: true };

/** GitLab shows this attribute on Premium only. */
const isPremium = ({ attributes }: ProjectDetails): boolean => 'approvals_before_merge' in attributes;
type UntimedProtection = (typeof untimedProtections)[number];

/**
 * @param imported the archived records, which an import may have replaced with records of groups; null for the source. @param pushRuleIfNotOffered
 * the list of push rules for an instance that has none. @param mayHave returns whether the project is asked for
 * its protections. @param parts whether the project is asked for its error tracking, and for its invitations.
 */
async function fetchProject(
  { connect, instance, projectId, signal }: SideRequest,
  imported: ArchivedRecords | null,
  pushRuleIfNotOffered: [] | null,
  mayHave: (relation: UntimedProtection, details: ProjectDetails) => boolean,
  parts: { errorTracking: boolean; invitations: boolean },
) {
  const remote = connect(instance);
  const contradictoryLists: ContradictoryList[] = [];
  const recordsOf = <T>(relation: string, list: FullList<T> | null): T[] | null => {
    if (list?.contradiction) contradictoryLists.push({ instance, relation, ...list.contradiction });
    return list?.records ?? null;
  };
  const shown = await remote.projectReads.details(String(projectId), detailOptions, signal);
  const asked = { errorTracking: parts.errorTracking, approvals: isPremium(shown) };
  const settings = await remote.furtherSettings(projectId, asked, signal);
  const details = { ...shown, attributes: { ...shown.attributes, ...settings } };
  const { push_rule: pushRule, ...lists } = await remote.listRecordKeys(projectId, signal);
  const records: ListedRecords = {
    ...(Object.fromEntries(
      comparedRelations
        .filter((relation) => relation !== 'push_rule')
        .map((relation) => [relation, recordsOf(relation, lists[relation])]),
    ) as Omit<ListedRecords, 'push_rule'>),
    push_rule: pushRule === 'not-offered' ? pushRuleIfNotOffered : recordsOf('push_rule', pushRule),
  };
  const { exported, unexportedSources } = exportedPipelines(records.ci_pipelines);
  const listed = withoutRecordsOfGroups({ ...records, ci_pipelines: exported }, imported);
  const members = recordsOf('project_members', await remote.members(projectId, signal));
  const invitations = parts.invitations
    ? recordsOf(invitationList, await remote.invitations(projectId, signal))
    : [];
  const uploads = recordsOf('uploads', await remote.uploads(projectId, signal));
  const protectionsOf = async (relation: ProtectedRelation): Promise<ProtectedRef[] | null> => {
    const refs = recordsOf(relation, await remote.protectedRefs(projectId, relation, signal));
    return refs?.flatMap((record) => parseProtectedRef(record) ?? []) ?? null;
  };
  const untimedProtectionsOf = async (relation: UntimedProtection): Promise<ProtectedRef[] | null> =>
    mayHave(relation, details) ? protectionsOf(relation) : [];
  const protectedRefs = {
    protected_branches: await protectionsOf('protected_branches'),
    protected_tags: await protectionsOf('protected_tags'),
    protected_environments: await untimedProtectionsOf('protected_environments'),
    approval_rules: await untimedProtectionsOf('approval_rules'),
  };
  const files = uploads?.map(toUploadedFile) ?? null;
  return {
    remote,
    project: {
      ...{ instance, details, listed, members, invitations, uploads: files },
      ...{ groupRecords: recordsOfGroupsIn(records), protectedRefs, contradictoryLists },
      unexportedPipelines: unexportedSources,
    },
  };
}

const toUploadedFile = ({ id, fileName, sizeBytes, createdAt }: Upload): UploadedFile => ({
  id,
  name: fileName,
  bytes: sizeBytes,
  createdAt: parseTime(createdAt),
});

/** Returns the archive whose records are also read one by one; null if the depth does not include that. */
const archiveToRead = ({ archive, depth }: SideRequest): ArchiveSide =>
  depth === 'contents' ? archive : null;

const compareNotesOf = async (
  request: SideRequest,
  remote: ComparedRemote,
  listed: ListedRecords,
  ...[lost, findDifferences]: [MissingRecord['lost'], Parameters<typeof compareNotes>[2]]
): Promise<ComparedNotes> => {
  const archive = archiveToRead(request);
  return archive === null
    ? noNotes
    : compareNotes({ ...request, archive, listed, remote }, lost, findDifferences);
};

const avatarOf = (request: SideRequest, remote: ComparedRemote, details: ProjectDetails) =>
  readAvatar({ ...request, archived: archiveToRead(request)?.avatar ?? null, details, remote });

const lfsObjectsOf = (
  { archive, signal }: SideRequest,
  remote: ComparedRemote,
  { project }: ProjectDetails,
): Promise<ReadonlySet<string> | null> =>
  remote.lfsObjects(
    project.fullPath,
    (archive?.lfsObjects ?? []).flatMap(({ oid, bytes }) => (bytes === null ? [] : [{ oid, bytes }])),
    signal,
  );

function changesToCompare(request: SideRequest): ArchivedChanges {
  const archive = archiveToRead(request);
  return { records: archive?.records.merge_requests ?? [], diffs: archive?.diffs ?? new Map() };
}

const changesSideOf = (
  { projectId, signal }: SideRequest,
  remote: ComparedRemote,
  listed: ListedRecords,
) => ({
  mergeRequests: listed.merge_requests,
  diff: async (iid: number) => remote.mergeRequestDiff(projectId, iid, signal),
});

export async function withInstanceInErrors<T>(instance: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (thrown) {
    throw AppError.from(thrown).withDetails({ instance });
  }
}
