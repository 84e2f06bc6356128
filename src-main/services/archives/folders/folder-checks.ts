/** @file The doctor's checks of each archive folder, and the plans that wait for an absent one. */
import type { CallReply } from '../../../../src-contract/calls.ts';
import type { ArchiveFolders } from '../../../catalogue/archives/archive-folders.ts';
import { countMissingArchives } from './missing-archives.ts';
import type { ArchiveRoot, ArchiveRoots } from './archive-roots.ts';
import type { ArchiveCollection } from '../archive-collection.ts';
import type { SettingsStore } from '../../../platform/settings.ts';

type Check = CallReply<'doctor.run'>['checks'][number];

const minFreeBytes = 5_000_000_000;

export interface FolderCheckDeps extends ArchiveCollection {
  folders: ArchiveFolders;
  settings: SettingsStore;
}

export async function checkFolders({ roots, index, folders, settings }: FolderCheckDeps): Promise<Check[]> {
  const presentRoots = new Set((await roots.refreshPresence()).map(({ number }) => number));
  const current = roots.current();
  const others = roots.all().filter(({ number }) => number !== current.number);
  const missingCounts = await countMissingArchives(index);
  const checks: Check[] = [];
  for (const root of [current, ...others]) {
    const isCurrent = root === current;
    const planNames = settings
      .read()
      .plans.filter(({ archiveRoot }) => (archiveRoot === null ? isCurrent : archiveRoot === root.path))
      .map(({ name }) => `"${name}"`);
    const name = checks.length === 0 ? 'archive folder' : `archive folder ${checks.length + 1}`;
    const found = presentRoots.has(root.number)
      ? await checkPresentFolder(
          roots,
          root,
          isCurrent || planNames.length > 0,
          missingCounts.get(root.number) ?? 0,
        )
      : await checkAbsentFolder(roots, root, {
          planNames,
          isCurrent,
          archiveCount: folders.countIn(root.number),
        });
    checks.push({ name, ...found });
  }
  return checks;
}

async function checkPresentFolder(
  roots: ArchiveRoots,
  root: ArchiveRoot,
  receivesArchives: boolean,
  missingCount = 0,
): Promise<Omit<Check, 'name'>> {
  const { path } = root;
  if (missingCount > 0) {
    const value = `${path} lacks ${missingCount === 1 ? '1 archive' : `${missingCount} archives`} of the catalogue`;
    const todo =
      'Perhaps an older copy of the folder was restored. "packhorse archive rescan" lists the missing archives.';
    return { ok: false, value, todo };
  }
  if (receivesArchives && !(await roots.canWrite(root))) {
    const todo = 'Make it writable for the account that Packhorse runs under, or choose another folder.';
    return { ok: false, value: `${path} cannot be written`, todo };
  }
  const free = await roots.freeBytes(root);
  const space = free === null ? 'free space unknown' : `${(free / 1e9).toFixed(1)} GB free`;
  // A folder of earlier archives receives no new archives.
  const isEnough = !receivesArchives || (free !== null && free > minFreeBytes);
  return {
    ok: isEnough,
    value: `${path}, ${space}`,
    todo: isEnough ? null : 'Free some space before the next backup.',
  };
}

async function checkAbsentFolder(
  roots: ArchiveRoots,
  root: ArchiveRoot,
  { planNames, isCurrent, archiveCount }: { planNames: string[]; isCurrent: boolean; archiveCount: number },
): Promise<Omit<Check, 'name'>> {
  const { path, number } = root;
  if (roots.isDuplicate(number)) {
    return { ok: true, value: `${path} is the same folder as another archive folder`, todo: null };
  }
  const exists = await roots.pathExists(root);
  if (await roots.canCreate(root)) {
    return isCurrent
      ? checkPresentFolder(roots, root, true)
      : { ok: true, value: `${path}, not created yet`, todo: null };
  }
  const waiting =
    planNames.length === 0
      ? []
      : [
          planNames.length === 1
            ? `the plan ${planNames.join()} waits for it`
            : `the plans ${planNames.join(', ')} wait for it`,
        ];
  const holding =
    archiveCount === 0 ? [] : [`${archiveCount} ${archiveCount === 1 ? 'archive is' : 'archives are'} in it`];
  const how = exists
    ? 'is not the original archive folder: the marker file of Packhorse is missing in it'
    : 'is not available';
  return {
    ok: false,
    value: [`${path} ${how}`, ...waiting, ...holding].join('; '),
    todo: `Its disk may be unplugged or not mounted: plug it in. If the folder is gone for good, ${
      planNames.length > 0 || isCurrent
        ? 'choose another, or pass the path of the default folder to "packhorse settings change --archive-root" to create it again.'
        : '"packhorse settings change --forget-archive-root" removes it from the list.'
    }`,
  };
}
