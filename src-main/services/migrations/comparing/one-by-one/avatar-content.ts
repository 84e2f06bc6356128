/** @file Reads the avatar of a project on an instance. */
import { isReadDenied } from '../../../../../src-contract/errors.ts';
import type { ProjectDetails } from '../../../../../src-contract/projects/project-details.ts';
import { isUploadedAvatar, type ShownAvatar } from '../../../../jobs/migrations/comparing/avatar.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';
import { digestOfDownload } from './downloaded-digest.ts';

export interface AvatarRequest {
  /** The SHA-256 of the avatar in the archive. Without one, the content is not read. */
  archived: string | null;
  details: ProjectDetails;
  projectId: number;
  remote: Pick<RemoteInstance, 'downloadAvatar'>;
  signal: AbortSignal;
}

export async function readAvatar({
  archived,
  details,
  projectId,
  remote,
  signal,
}: AvatarRequest): Promise<ShownAvatar> {
  const isSet = isUploadedAvatar(details.attributes['avatar_url']);
  if (!isSet || archived === null) return { isSet, sha256: null };
  try {
    const download = digestOfDownload((sink) => remote.downloadAvatar(projectId, sink, signal));
    return { isSet, sha256: await download };
  } catch (thrown) {
    if (!isReadDenied(thrown)) throw thrown;
    return { isSet, sha256: null };
  }
}
