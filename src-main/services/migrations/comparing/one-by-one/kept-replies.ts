/**
 * @file Keeps the replies about single records until their comparison ends, so that an interrupted comparison continues
 * instead of reading them again (docs/decisions/0025-continued-comparisons.md).
 */
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordIdentities } from '../../../../gitlab/projects/identities.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { makePrivateFolder } from '../../../../platform/private-folder.ts';
import type { RemoteInstance } from '../../../instances/remote/remote-instance.ts';
import { ReplyFile } from './reply-file.ts';

/** Older replies say too little about the present. */
const maxAgeMs = 3_600_000;

/** Increases if a reply keeps more than before, so that those of an older version are not used. */
const replyFormat = 3;

/** The requests that read one record. All others are sent again. */
const keptRequests: readonly unknown[] = ['discussions', 'recordPart', 'mergeRequestDiff'];
type KeptRemote = Pick<RemoteInstance, 'listRecordKeys' | 'discussions' | 'recordPart' | 'mergeRequestDiff'>;

/** Returns the remote side of an instance, of that name, that sends no request whose reply is kept. */
export type KeepReplies = <Remote extends KeptRemote>(instance: string, remote: Remote) => Remote;

export interface ComparedProject {
  /** Names the file of the comparison. */
  name: string;
  /** The export and the import that are compared. A kept reply is used for these only. */
  scope: unknown;
}

/**
 * Runs a comparison with the replies of its last interrupted run. They are deleted when it has ended, and stay if it
 * throws.
 */
export async function withKeptReplies<T>(
  folder: string,
  clock: Clock,
  { name, scope }: ComparedProject,
  compare: (keepReplies: KeepReplies) => Promise<T>,
): Promise<T> {
  makePrivateFolder(folder);
  const since = clock.now() - maxAgeMs;
  await removeOldFiles(folder, since);
  const file = await ReplyFile.open(join(folder, `${name}.replies`), since);
  let hasEnded = false;
  try {
    const result = await compare((instance, remote) =>
      keepingReplies(remote, file, clock, [replyFormat, scope, instance]),
    );
    hasEnded = true;
    return result;
  } finally {
    await file.close({ deletes: hasEnded });
  }
}

/** Deletes the files of comparisons that were never continued. */
async function removeOldFiles(folder: string, since: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < since) await rm(path, { force: true });
  }
}

function keepingReplies<Remote extends KeptRemote>(
  remote: Remote,
  file: ReplyFile,
  clock: Clock,
  scope: unknown,
): Remote {
  let lists: string | null = null;
  const listRecordKeys: KeptRemote['listRecordKeys'] = async (projectId, signal) => {
    const found = await remote.listRecordKeys(projectId, signal);
    lists = digestOf(found);
    return found;
  };
  const read = async (request: readonly unknown[], send: () => Promise<unknown>): Promise<unknown> => {
    const key = createHash('sha256').update(JSON.stringify(request)).digest('hex');
    const kept = await file.find(key);
    if (kept !== undefined) return kept.reply;
    const reply = await send();
    if (isKnown(reply)) await file.add(key, clock.now(), reply);
    return reply;
  };
  return new Proxy(remote, {
    get(target, name): unknown {
      if (name === 'listRecordKeys') return listRecordKeys;
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || !keptRequests.includes(name)) return member;
      return async (...values: unknown[]): Promise<unknown> => {
        const send = (): Promise<unknown> => Reflect.apply(member, target, values) as Promise<unknown>;
        // The signal comes last.
        (values.at(-1) as AbortSignal).throwIfAborted();
        // A reply is used only while the lists of the project are the same as when it was sent.
        return lists === null ? send() : read([scope, lists, name, values.slice(0, -1)], send);
      };
    },
  });
}

/** An account may see more later, and a list that contradicted itself is read again. */
const isKnown = (reply: unknown): boolean =>
  reply !== null && (reply as { records?: unknown }).records !== null;

/** Returns a digest that changes if a record is added, deleted, or changed with a new time. */
function digestOf(lists: RecordIdentities): string {
  const hash = createHash('sha256');
  for (const [relation, list] of Object.entries(lists)) {
    hash.update(`\n${relation}`);
    if (list === null || list === 'not-offered') continue;
    for (const { key, id, notes, updatedAt } of list.records ?? [])
      hash.update(`\n${JSON.stringify([key, id, notes, updatedAt])}`);
  }
  return hash.digest('hex');
}
