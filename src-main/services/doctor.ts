/** @file The checks of `doctor`. The keychain is checked by storing and removing an entry. */
import { errorText } from '../../src-contract/error-messages.ts';
import type { CallReply } from '../../src-contract/calls.ts';
import { knownTokenRefusal } from '../../src-contract/instances/instance.ts';
import { AppError } from '../../src-contract/errors.ts';
import { isoTime, type Clock } from '../platform/clock.ts';
import { tokenRefusalText } from '../../src-contract/tokens/token-words.ts';
import { tokenVariable, type Credentials } from '../platform/credentials.ts';
import type { ArchiveRoots } from './archives/folders/archive-roots.ts';
import { checkFolders, type FolderCheckDeps } from './archives/folders/folder-checks.ts';
import type { SharedDeps } from './shared-deps.ts';
import { releasedAfter } from './version.ts';

type Check = CallReply<'doctor.run'>['checks'][number];

interface Deps extends FolderCheckDeps, Pick<SharedDeps, 'clock' | 'credentials'> {
  host: CallReply<'host.describe'>;
}

export async function runDoctor(deps: Deps): Promise<CallReply<'doctor.run'>> {
  const { host, clock } = deps;
  const versions = `Packhorse ${host.appVersion}, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  return {
    checks: [
      { name: 'versions', ok: true, value: versions, todo: null },
      // The catalogue was opened, checked and brought up to date before this check could run.
      { name: 'data folder', ok: true, value: host.dataFolder, todo: null },
      await checkKeychain(deps.credentials),
      ...(await checkTokens(deps)),
      ...(await checkArchiveFolders(deps)),
      await checkTrash(deps.roots),
      checkClock(clock),
    ],
  };
}

async function checkKeychain(credentials: Credentials): Promise<Check> {
  const problem = await credentials.testKeychain();
  if (problem === null)
    return { name: 'keychain', ok: true, value: 'stores and returns secrets', todo: null };
  const { what, todo } = errorText(problem);
  return { name: 'keychain', ok: false, value: what, todo };
}

/** Checks the token of each instance that is used with an account. Without a token, nothing can be backed up. */
async function checkTokens(deps: Deps): Promise<Check[]> {
  const { credentials, clock } = deps;
  const name = 'tokens';
  const instances = deps.settings.read().instances.filter(({ anonymous }) => !anonymous);
  if (instances.length === 0) return [];
  const problems: string[] = [];
  for (const instance of instances) {
    const refusal = knownTokenRefusal(instance, clock.now());
    try {
      await credentials.resolve(instance.name);
      if (refusal !== null) problems.push(`${instance.name}: ${tokenRefusalText[refusal]}`);
    } catch (thrown) {
      problems.push(`${instance.name}: ${errorText(AppError.from(thrown).toData()).what.replace(/\.$/, '')}`);
    }
  }
  if (problems.length === 0) {
    return [{ name, ok: true, value: `one for each of ${instances.length} instances`, todo: null }];
  }
  const todo = `Enter a new token: "packhorse instance set-token", or the variable ${tokenVariable('name').replace('NAME', '<NAME>')}.`;
  return [{ name, ok: false, value: problems.join('; '), todo }];
}

async function checkArchiveFolders(deps: FolderCheckDeps): Promise<Check[]> {
  try {
    return await checkFolders(deps);
  } catch (thrown) {
    const { what, todo } = errorText(AppError.from(thrown).toData());
    return [{ name: 'archive folder', ok: false, value: what, todo }];
  }
}

/** Measures the trash folders, which pruning and bad downloads fill. Packhorse does not empty them. */
async function checkTrash(roots: ArchiveRoots): Promise<Check> {
  const name = 'trash';
  try {
    const trashFolders = await Promise.all(
      (await roots.refreshPresence()).map(async ({ store }) => ({
        path: store.trash,
        bytes: await store.trashBytes(),
      })),
    );
    const nonEmpty = trashFolders.filter(({ bytes }) => bytes > 0);
    const value = nonEmpty.map(({ path, bytes }) => `${path}, ${(bytes / 1e6).toFixed(1)} MB`).join('; ');
    return { name, ok: true, value: value === '' ? 'empty' : value, todo: null };
  } catch (thrown) {
    const { what, todo } = errorText(AppError.from(thrown).toData());
    return { name, ok: false, value: what, todo };
  }
}

function checkClock(clock: Clock): Check {
  const now = isoTime(clock.now());
  const ok = now > releasedAfter;
  const todo = 'Set the clock of this machine. Times in manifests and schedules depend on it.';
  return { name: 'clock', ok, value: now, todo: ok ? null : todo };
}
